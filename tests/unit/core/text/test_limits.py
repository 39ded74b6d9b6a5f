from __future__ import annotations

import pytest

from counterfoil.core.text.limits import about_before, limit_before


@pytest.mark.parametrize(
    ("before", "limit"),
    [
        ("had more than ", 1), ("Over ", 1), ("at least ", 1), ("nearly ", -1), ("fewer than ", -1), ("fast ", -1),
        ("had ", 0), ("the cover ", 0), ("breakfast ", 0), ("more than half of ", 0), ("", 0),
    ],
)  # fmt: skip
def test_only_a_bound_right_before_a_number_is_one(before: str, limit: int) -> None:
    assert limit_before(f"{before}50 stores", len(before)) == limit


@pytest.mark.parametrize(("before", "about"), [("about ", True), ("rund ", True), ("some ", True), ("the ", False)])
def test_what_makes_a_number_round(before: str, about: bool) -> None:
    assert about_before(f"{before}50 stores", len(before)) is about
