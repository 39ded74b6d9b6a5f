from __future__ import annotations

import pytest
from tests.unit.builders import make_state, row_passage

from counterfoil.core.answer.figures import Base, Figure, judge_figures

STATE = make_state(
    "q",
    [
        "Plan A costs $10 a month, plan B $25 a month. Churn was 4.0% on A and 1.5% on B.",
        row_passage("Revenue", [("120", "2022"), ("100", "2021"), ("80", "2020")], multiplier="1000000", unit="USD"),
        row_passage("Profit", [("30", "2022"), ("20", "2021"), ("10", "2020")], multiplier="1000000", unit="USD"),
        "On 3 May 2023 the exchange rate was 1 EUR = 1.10 USD.",
        "Revenue was $120 million and costs were $90 million.",
    ],
)


def last(body: str) -> Figure:
    return judge_figures(body, Base(STATE.contract, STATE.evidence))[0]


def figure(body: str, text: str) -> Figure:
    figures = judge_figures(body, Base(STATE.contract, STATE.evidence))
    return next(f for f in figures if f.quantity.text == text)


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "text", "formula"),
    [
        ("Plan B at $25 costs $15 more than plan A at $10 [E1].", "$15", "x31"),
        ("Plan B at $25 is 2.5 times plan A at $10 [E1].", "2.5", "/"),
        ("Plans A at $10 and B at $25 come to $35 together [E1].", "$35", "+"),
        ("A year of plan A is 12 × $10 = $120 [E1].", "$120", "12 *"),
        ("Plan A at $10 is 40% of plan B at $25 [E1].", "40%", "* 100"),
        ("Churn fell 2.5 percentage points, from 4.0% on A to 1.5% on B [E1].", "2.5 percentage points", "-"),
        ("Revenue rose 20% in 2022 [E2].", "20%", "abs"),
        ("Revenue rose by $20 million in 2022 [E2].", "$20 million", "now - before"),
        ("Revenue averaged $100 million over 2020, 2021 and 2022 [E2].", "$100 million", "avg"),
        ("Profit was 25% of revenue in 2022 [E2] [E3].", "25%", "part / whole"),
        ("Plan A costs $10, or €9.09 [E1] [E4].", "€9.09", "rate"),
        ("Plan A costs $120 a year (12 × $10) [E1].", "$120", "12 *"),
        ("Plan B works out at $2.50 ($25 / 10 days) [E1].", "$2.50", "/ 10"),
        ("At $25, plan B works out at $2.50 per day over ten days [E1].", "$2.50", "/ 10"),
    ],
)
def test_a_named_operation_binds_its_result_and_is_recorded(body: str, text: str, formula: str) -> None:
    found = figure(body, text)
    assert found.state == "bound", found.nearest
    assert found.calculation is not None and found.calculation.inputs
    assert formula in found.calculation.formula or formula == "x31"


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("At $25, plan B works out at $4 per day over ten days [E1].", "$4"),
        ("At $25, plan B works out at $2.50 per week over ten days [E1].", "$2.50"),
        ("Plan B at $25 costs $16 more than plan A at $10 [E1].", "$16"),
        ("Plan B at $25 is 3.5 times plan A at $10 [E1].", "3.5"),
        ("A year of plan A is 12 × $10 = $140 [E1].", "$140"),
        ("Churn fell 3.5 percentage points, from 4.0% on A to 1.5% on B [E1].", "3.5 percentage points"),
        ("Revenue fell 20% in 2022 [E2].", "20%"),  # the direction
        ("Revenue rose 20% in 2021 [E2].", "20%"),  # the year
        ("Profit was 25% of revenue in 2021 [E2] [E3].", "25%"),
        ("Plan A costs $10, or €9.09 [E1].", "€9.09"),  # no rate is cited
        ("It earns $30 million [E5].", "$30 million"),  # 120 - 90 is a calculation that nobody named
        ("Something is $15 [E1].", "$15"),
    ],
)
def test_no_other_calculation_binds(body: str, text: str) -> None:
    assert figure(body, text).state == "mismatch"


def test_a_difference_of_percentages_called_percent_means_points_and_warns() -> None:
    found = figure("Churn fell 2.5% from 4.0% on A to 1.5% on B [E1].", "2.5%")
    assert found.state == "bound" and found.warning == "PERCENT_AS_POINTS"
