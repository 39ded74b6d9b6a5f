"""One client for one target and event loop, whoever asks at the same time; closed by its owner, else with its loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from counterfoil.adapters.models.clients import Clients


class Shop:
    """Opens numbered clients, and notes which were closed."""

    def __init__(self) -> None:
        self.count = 0
        self.closed: list[int] = []

    async def open(self) -> AsyncGenerator[tuple[Any, Any]]:
        self.count += 1
        number = self.count
        await asyncio.sleep(0)  # others may ask meanwhile
        try:
            yield number, f"model {number}"
        finally:
            self.closed.append(number)


def test_many_at_once_share_one_client_of_their_target() -> None:
    shop, clients = Shop(), Clients()

    async def many() -> list[tuple[Any, Any]]:
        found = await asyncio.gather(*(clients.opened("a", shop.open) for _ in range(5)))
        return [*found, await clients.opened("a", shop.open)]

    assert asyncio.run(many()) == [(1, "model 1")] * 6
    assert shop.count == 1


def test_two_targets_never_share_a_client() -> None:
    shop, clients = Shop(), Clients()

    async def both() -> tuple[Any, Any]:
        return await clients.opened(("url", "key of one"), shop.open), await clients.opened(("url", "other"), shop.open)

    assert asyncio.run(both()) == ((1, "model 1"), (2, "model 2"))


def test_closing_closes_each_once_and_what_is_asked_for_later_is_opened_anew() -> None:
    shop, clients = Shop(), Clients()

    async def close_and_go_on() -> None:
        await clients.opened("a", shop.open)
        await clients.opened("b", shop.open)
        await clients.close()
        assert shop.closed == [1, 2]
        await clients.close()
        assert shop.closed == [1, 2]
        assert await clients.opened("a", shop.open) == (3, "model 3")
        await clients.close()

    asyncio.run(close_and_go_on())


def test_another_loop_gets_a_client_of_its_own_and_the_first_one_is_closed_with_its_loop() -> None:
    shop, clients = Shop(), Clients()
    assert asyncio.run(clients.opened("a", shop.open)) == (1, "model 1")
    assert shop.closed == [1]
    assert asyncio.run(clients.opened("a", shop.open)) == (2, "model 2")
    assert shop.closed == [1, 2]
    asyncio.run(clients.close())
    assert shop.closed == [1, 2]
