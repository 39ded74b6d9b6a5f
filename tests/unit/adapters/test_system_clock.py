"""Clocks."""

from __future__ import annotations

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
