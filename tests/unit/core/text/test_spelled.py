from __future__ import annotations

import pytest

from counterfoil.core.text.spelled import find_spelled


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two weeks before arrival", [("two weeks", 2, "weeks")]),
        ("Every fortnight, for twelve months", [("fortnight", 2, "weeks"), ("twelve months", 12, "months")]),
        ("zwölf Jahre", [("zwölf Jahre", 12, "jahre")]),
        ("half an hour", [("half an hour", 30, "minutes")]),
        ("a three-day pass", [("three-day", 3, "day")]),
        ("one day, a year, two of them", []),
        ("the three months ended June 30, 2023", []),  # a period
        ("forty-two weeks", []),  # not two weeks
    ],
)
def test_lengths_of_time_in_words_are_read(text: str, expected: list[tuple[str, int, str]]) -> None:
    found = find_spelled(text)
    assert [(q.text, int(q.value), q.unit) for q in found] == expected
    assert all(text[q.start : q.end] == q.text for q in found)
