from __future__ import annotations

import pytest
from tests.unit.builders import make_state, row_passage

from counterfoil.core.answer.figures import Base, judge_figures

STATE = make_state(
    "q",
    [
        row_passage("Operating margin", [("36.8", "2021"), ("34.6", "2022")], multiplier="1", unit="percent"),
        row_passage("Net loss", [("(10)", "2021"), ("(30)", "2022")], multiplier="1000000", unit="USD"),
        "Delays averaged 4.2 minutes in 2022 and 6.8 minutes in 2021.",
    ],
)


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "good"),
    [
        ("The operating margin fell from 36.8% in 2021 to 34.6% in 2022 [E1].", True),
        ("The operating margin rose from 36.8% in 2021 to 34.6% in 2022 [E1].", False),
        ("The operating margin improved from 36.8% in 2021 to 34.6% in 2022 [E1].", False),
        ("The operating margin declined to 34.6% in 2022 [E1].", True),
        ("The operating margin increased to 34.6% in 2022 [E1].", False),
        ("The operating margin was 34.6% in 2022, down from 36.8% in 2021 [E1].", True),
        ("The operating margin was 34.6% in 2022, up from 36.8% in 2021 [E1].", False),
        ("The net loss grew to $30 million in 2022 [E2].", True),  # by size: a loss that grows is a larger one
        ("The net loss shrank to $30 million in 2022 [E2].", False),
        ("Average delays fell from 6.8 minutes in 2021 to 4.2 minutes in 2022 [E3].", True),
        ("Average delays rose from 6.8 minutes in 2021 to 4.2 minutes in 2022 [E3].", False),
    ],
)
def test_a_direction_agrees_with_the_levels_or_the_column_before(body: str, good: bool) -> None:
    figures = judge_figures(body, Base(STATE.contract, STATE.evidence))
    wrong = [f for f in figures if f.state == "mismatch"]
    assert (not wrong) is good
    assert all("direction" in f.nearest for f in wrong)


RANKED = make_state("q", ["Cape Sorrel made 412 GWh in 2023 and 447 GWh in 2024.", "Complaints: 7 in 2023, 3 in 2024."])


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "good"),
    [
        ("Cape Sorrel made more in 2024 (447 GWh) than in 2023 (412 GWh) [E1].", True),
        ("Cape Sorrel made less in 2024 (447 GWh) than in 2023 (412 GWh) [E1].", False),
        ("Cape Sorrel made no less in 2024 (447 GWh) than in 2023 (412 GWh) [E1].", True),
        ("Complaints fell to 3 in 2024 [E2].", True),
        ("Complaints rose to 3 in 2024 [E2].", False),  # the passage compares it with 7
    ],
)
def test_what_is_ranked_stands_in_that_order(body: str, good: bool) -> None:
    figures = judge_figures(body, Base(RANKED.contract, RANKED.evidence))
    assert all(f.state != "mismatch" for f in figures) is good, [f.nearest for f in figures]
