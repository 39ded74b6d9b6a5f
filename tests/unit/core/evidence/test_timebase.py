from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.evidence.timebase import resolve_relative


@pytest.mark.req("RES-05")
@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("over the last year", "2025-07-01", "2026-06-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("this year", "2026-01-01", "2026-06-30"),
        ("the past 3 months", "2026-03-31", "2026-06-30"),
        ("last five years", "2021-07-01", "2026-06-30"),
        ("past 90 days", "2026-04-02", "2026-06-30"),
        ("last quarter", "2026-01-01", "2026-03-31"),
        ("last month", "2026-05-01", "2026-05-31"),
        ("last week", "2026-06-22", "2026-06-28"),
        ("year to date", "2026-01-01", "2026-06-30"),
        ("QTD", "2026-04-01", "2026-06-30"),
        ("since 2020", "2020-01-01", "2026-06-30"),
        ("yesterday", "2026-06-29", "2026-06-29"),
        ("in den letzten drei Jahren", "2023-07-01", "2026-06-30"),
        ("im vergangenen Jahr", "2025-07-01", "2026-06-30"),
        ("letztes Jahr", "2025-01-01", "2025-12-31"),
        ("seit 2020", "2020-01-01", "2026-06-30"),
        ("过去3个月", "2026-03-31", "2026-06-30"),
        ("去年", "2025-01-01", "2025-12-31"),
        ("昨年", "2025-01-01", "2025-12-31"),
    ],
)
def test_windows_are_resolved_against_the_anchor(text: str, first: str, last: str) -> None:
    (window,) = resolve_relative(text, "2026-06-30")
    assert (window.first, window.last) == (first, last)
    assert text[window.start : window.end] == window.text


@pytest.mark.parametrize("text", ["the last page", "at last", "FY2022", "a yearly pass", "past due"])
def test_other_text_is_no_window(text: str) -> None:
    assert resolve_relative(text, "2026-06-30") == ()


def test_leap_days_and_the_beginning_of_time() -> None:
    (window,) = resolve_relative("the last year", "2024-02-29")
    assert window.first == "2023-03-01"
    assert resolve_relative("the last 9999 years", "2024-02-29") == ()
    with pytest.raises(ValueError):
        resolve_relative("last year", "yesterday")


@given(st.dates(min_value=date(200, 1, 1)), st.integers(1, 50))
def test_a_window_ends_at_its_anchor(anchor: date, count: int) -> None:
    (window,) = resolve_relative(f"the last {count} months", str(anchor))
    assert window.last == str(anchor) and window.first <= window.last
