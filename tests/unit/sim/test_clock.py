"""Simulated time."""

import asyncio

import pytest

from counterfoil.sim.clock import SimClock, Time


def test_sleeping_moves_the_time_of_every_clock() -> None:
    time = Time(1_000)
    one, other = SimClock(time), SimClock(time)
    asyncio.run(one.sleep_until(1_500))
    assert (one.now_ms(), other.now_ms(), time.passed) == (1_500, 1_500, 500)


def test_a_sleep_ends_at_the_timeout_around_it() -> None:
    clock = SimClock(Time(0))

    async def slow() -> None:
        async with clock.timeout(200):
            await clock.sleep_until(5_000)

    with pytest.raises(TimeoutError):
        asyncio.run(slow())
    assert clock.now_ms() == 200
    asyncio.run(clock.sleep_until(5_000))  # the timeout is over
    assert clock.now_ms() == 5_000


def test_a_jump_changes_what_clocks_show_and_no_timeout() -> None:
    time = Time(0)
    clock = SimClock(time)

    async def set_back() -> int:
        async with clock.timeout(200):
            time.jump(-3_600_000)
            await clock.sleep_until(clock.now_ms() + 150)
        return clock.now_ms()

    assert asyncio.run(set_back()) == -3_600_000 + 150


def test_calls_side_by_side_have_timeouts_of_their_own() -> None:
    clock = SimClock(Time(0))

    async def call(ms: int) -> int | None:
        async with clock.timeout(ms):
            await asyncio.sleep(0)
            return clock.left_ms()

    async def both() -> list[int | None]:
        return list(await asyncio.gather(call(200), call(300)))

    assert asyncio.run(both()) == [200, 300]
    assert asyncio.run(nothing(clock)) is None


async def nothing(clock: SimClock) -> int | None:
    return clock.left_ms()


def test_a_timeout_of_one_process_does_not_end_the_sleep_of_another() -> None:
    time = Time(0)
    stopped, awake = SimClock(time), SimClock(time)

    async def nested() -> None:
        async with stopped.timeout(200):
            await awake.sleep_until(5_000)

    asyncio.run(nested())
    assert time.passed == 5_000
