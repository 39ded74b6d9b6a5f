"""Clocks."""

from __future__ import annotations

import asyncio

import pytest

from counterfoil.adapters.clock import ManualClock, SystemClock
from counterfoil.ports.clock import Clock


def test_the_system_clock_tells_milliseconds_of_this_century() -> None:
    clock: Clock = SystemClock()
    first, second = clock.now_ms(), clock.now_ms()
    assert isinstance(first, int) and 1_700_000_000_000 < first <= second < 4_100_000_000_000


def test_a_manual_clock_moves_only_when_told_to() -> None:
    clock = ManualClock(5_000)
    assert [clock.now_ms(), clock.now_ms()] == [5_000, 5_000]
    clock.advance(250)
    clock.advance(0)
    assert clock.now_ms() == 5_250
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(-1)


def test_a_manual_clock_ends_a_sleep_at_the_timeout_around_it() -> None:
    clock = ManualClock(0)

    async def slow(sleep_ms: int) -> None:
        async with clock.timeout(100):
            await clock.sleep_until(clock.now_ms() + sleep_ms)

    with pytest.raises(TimeoutError):
        asyncio.run(slow(101))
    assert clock.now_ms() == 100
    asyncio.run(slow(100))
    assert clock.now_ms() == 200


def test_the_system_clock_ends_a_block_that_takes_too_long() -> None:
    clock: Clock = SystemClock()

    async def slow() -> None:
        async with clock.timeout(1):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        asyncio.run(slow())
