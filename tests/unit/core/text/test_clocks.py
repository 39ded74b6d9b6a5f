from __future__ import annotations

import pytest

from counterfoil.core.text.clocks import Clock, clock_of, clocks_in


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("9:00", (9, 0, 0)), ("09:00", (9, 0, 0)), ("9 a.m.", (9, 0, 0)), ("9am", (9, 0, 0)), ("12 a.m.", (0, 0, 0)),
        ("5:30 p.m.", (17, 30, 0)), ("12:15 PM", (12, 15, 0)), ("2:27:41", (2, 27, 41)),
        ("9", None), ("9 amps", None), ("2:7", None), ("at 9:00", None),
    ],
)  # fmt: skip
def test_one_time_is_read_in_every_notation(text: str, clock: Clock | None) -> None:
    assert clock_of(text) == clock


def test_all_times_of_a_text_are_found() -> None:
    assert clocks_in("Open 09:00 to 5 p.m., 3 am pm 1:2") == {(9, 0, 0), (17, 0, 0), (3, 0, 0)}
