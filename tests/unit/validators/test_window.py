from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_candidate, make_state

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.evidence.timebase import Window
from counterfoil.validators.window import WindowKept

BASE = make_state("What did it cost last year?", ["In 2023 it cost $18."])
STATE = replace(
    BASE, snapshot=replace(BASE.snapshot, windows=(Window("last year", 17, 26, "2025-01-01", "2025-12-31"),))
)


@pytest.mark.req("RES-05")
@pytest.mark.parametrize("body", ["In 2023 it cost $18 [E1].", "Last year (2023), it cost $18 and in 2025 $20."])
def test_another_window_is_rejected(body: str) -> None:
    found = WindowKept().check(make_candidate(body), STATE)
    assert [f.code for f in found] == ["WINDOW_CHANGED"] and "2025-01-01" in found[0].needed


@pytest.mark.parametrize(
    "body",
    [
        "In 2025 it cost $18.",
        "On 3 March 2025 it cost $18; in 2023 it was $15.",
        "Only figures for 2023 were found, not for 2025: $18.",
        "The latest available price is of 2023: $18.",
        "It costs $18.",
        '"In 2023 it cost $18." [E1]',
    ],
)
def test_the_window_itself_or_saying_so_passes(body: str) -> None:
    assert WindowKept().check(make_candidate(body), STATE) == ()


def test_a_declared_gap_or_no_window_passes() -> None:
    assert WindowKept().check(make_candidate("In 2023 it cost $18.", gaps=[Gap(why="none")]), STATE) == ()
    assert WindowKept().check(make_candidate("In 2023 it cost $18."), BASE) == ()
