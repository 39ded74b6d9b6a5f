"""One client for one target and event loop, whoever asks at the same time; closed by its owner, else with its loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Hashable
from typing import Any

import pytest

from counterfoil.adapters.models.clients import SENDS_MAX, Clients


class Shop:
    """Opens numbered clients, and notes which were closed."""

    def __init__(self) -> None:
        self.count = 0
        self.closed: list[int] = []
        self.broken = False

    async def open(self) -> AsyncGenerator[tuple[Any, Any]]:
        self.count += 1
        number = self.count
        await asyncio.sleep(0)  # others may ask meanwhile
        if self.broken:
            raise OSError
        try:
            yield number, f"model {number}"
        finally:
            self.closed.append(number)


async def used(clients: Clients, target: Hashable, shop: Shop) -> int:
    """The number of the client that a request went over, while others of this loop went on."""
    async with clients.client(target, shop.open) as (number, _model):
        await asyncio.sleep(0)
        return int(number)


def test_requests_at_once_and_one_after_another_share_the_client_of_their_target() -> None:
    shop, clients = Shop(), Clients()

    async def many() -> list[int]:
        return [
            *await asyncio.gather(*(used(clients, "a", shop) for _ in range(SENDS_MAX))),
            await used(clients, "a", shop),
        ]

    assert set(asyncio.run(many())) == {1}
    assert shop.count == 1


def test_more_at_once_than_one_client_carries_are_spread_and_the_first_one_is_taken_again() -> None:
    shop, clients = Shop(), Clients()

    async def crowd() -> list[int]:
        crowded = await asyncio.gather(*(used(clients, "a", shop) for _ in range(2 * SENDS_MAX + 1)))
        assert await used(clients, "a", shop) == 1
        await clients.close()
        return crowded

    crowded = asyncio.run(crowd())
    assert [crowded.count(number) for number in (1, 2, 3)] == [SENDS_MAX, SENDS_MAX, 1]
    assert sorted(shop.closed) == [1, 2, 3]


def test_a_request_that_failed_takes_no_place() -> None:
    shop, clients = Shop(), Clients()

    async def failing() -> None:
        async with clients.client("a", shop.open):
            raise ValueError

    async def fail_and_ask() -> int:
        for _ in range(SENDS_MAX + 1):
            with pytest.raises(ValueError):
                await failing()
        return await used(clients, "a", shop)

    assert asyncio.run(fail_and_ask()) == 1


def test_what_could_not_be_opened_is_opened_by_the_next_request() -> None:
    shop, clients = Shop(), Clients()
    shop.broken = True

    async def twice() -> int:
        with pytest.raises(OSError):
            await used(clients, "a", shop)
        shop.broken = False
        return await used(clients, "a", shop)

    assert asyncio.run(twice()) == 2


def test_two_targets_never_share_a_client() -> None:
    shop, clients = Shop(), Clients()

    async def both() -> list[int]:
        return await asyncio.gather(*(used(clients, ("url", key), shop) for key in ("key of one", "of another")))

    assert sorted(asyncio.run(both())) == [1, 2]


def test_closing_closes_each_once_and_what_is_asked_for_later_is_opened_anew() -> None:
    shop, clients = Shop(), Clients()

    async def close_and_go_on() -> None:
        await used(clients, "a", shop)
        await used(clients, "b", shop)
        await clients.close()
        assert shop.closed == [1, 2]
        await clients.close()
        assert shop.closed == [1, 2]
        assert await used(clients, "a", shop) == 3
        await clients.close()

    asyncio.run(close_and_go_on())


def test_another_loop_gets_a_client_of_its_own_and_the_first_one_is_closed_with_its_loop() -> None:
    shop, clients = Shop(), Clients()
    assert asyncio.run(used(clients, "a", shop)) == 1
    assert shop.closed == [1]
    assert asyncio.run(used(clients, "a", shop)) == 2
    assert shop.closed == [1, 2]
    asyncio.run(clients.close())
    assert shop.closed == [1, 2]
