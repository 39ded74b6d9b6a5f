"""The world stands still while it waits for something outside."""

import asyncio

import pytest

from counterfoil.sim.aside import Aside


def test_nothing_else_moves_while_the_world_waits() -> None:
    aside, seen = Aside(), []

    async def slow() -> str:
        for _ in range(50):
            await asyncio.sleep(0)
        seen.append("waited for")
        return "done"

    async def beside() -> None:
        seen.append("beside")

    async def world() -> str:
        other = asyncio.ensure_future(beside())
        done = aside.wait(slow())
        await other
        return done

    assert asyncio.run(world()) == "done"
    assert seen == ["waited for", "beside"]
    aside.close()


def test_what_is_raised_outside_is_raised_in_the_world() -> None:
    async def fails() -> None:
        raise ValueError("outside")

    aside = Aside()
    aside.close()  # of one that was never needed
    with pytest.raises(ValueError, match="outside"):
        aside.wait(fails())
    aside.close()
