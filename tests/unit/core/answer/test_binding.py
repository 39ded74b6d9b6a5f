from __future__ import annotations

import pytest
from tests.unit.builders import make_state, row_passage

from counterfoil.core.answer.figures import Base, judge_figures

STATE = make_state(
    "q",
    [
        row_passage("Net (loss) income", [("(206)", "2020"), ("312", "2019")], multiplier="1000000", unit="USD"),
        row_passage("Purchases of property", [("(1,577)", "2020")], multiplier="1000000", unit="USD"),
        row_passage("Sales", [("45", "2023 | % Change")], multiplier="1", unit="percent"),
        "The course is 42.195 km long; it weighs 9 kg and takes 90 minutes. Margin fell by 1.5 percentage points.",
        row_passage("Income before taxes", [("88", "2020")], multiplier="1000000", unit="USD"),
        row_passage("Sales", [("1.62", "2022"), ("1.58", "2021")], multiplier="1000000000", unit="USD"),
        "The share was 5% and paid $0.40 a quarter in 2020.",
        "The day pass costs $12.",
        "The three-day pass costs €21.",
    ],
)


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("It lost money: a net loss of $206 million [E1].", "bound"),
        ("A profit of $206 million [E1].", "mismatch"),
        ("A net loss of $312 million [E1].", "mismatch"),
        ("Net income was $312 million [E1].", "bound"),
        ("The day pass is €21 for three days [E8][E9].", "bound"),
        ("Purchases of property were $1,577 million [E2].", "bound"),
        ("Purchases of property were -$1,577 million [E2].", "bound"),
        ("Income before taxes was -$88 million [E5].", "mismatch"),
        ("Sales rose 45% [E3].", "bound"),
        ("Sales fell 45% [E3].", "mismatch"),
        ("It is 26.2 miles long [E4].", "bound"),
        ("It is 27.2 miles long [E4].", "mismatch"),
        ("It is 42.195 miles long [E4].", "mismatch"),
        ("It takes 1.5 hours [E4].", "bound"),
        ("It takes 90 hours [E4].", "mismatch"),
        ("It weighs 9 lb [E4].", "mismatch"),
        ("Margin fell by 1.5 percentage points [E4].", "bound"),
        ("Margin fell by 150 basis points [E4].", "bound"),
        ("Margin fell by 1.5% [E4].", "mismatch"),
        ("Margin rose by 1.5 percentage points [E4].", "mismatch"),
        ("Sales were about $1.6 billion [E6].", "mismatch"),  # two columns fit: say which
        ("Sales were about $1.6 billion in 2021 [E6].", "bound"),
        ("The share was 5% [E7].", "bound"),
        ("It was $0 [E7].", "mismatch"),  # nothing rounds to zero
    ],
)
def test_value_unit_sign_direction_and_period_all_have_to_fit(body: str, state: str) -> None:
    figure = next(
        f for f in judge_figures(body, Base(STATE.contract, STATE.evidence)) if f.quantity.kind not in ("year", "date")
    )
    assert figure.state == state, figure.nearest
    assert bool(figure.nearest) is (state == "mismatch"), "a rejection says why"


def test_a_conversion_is_recorded() -> None:
    (figure,) = judge_figures("It is 26.2 miles long [E4].", Base(STATE.contract, STATE.evidence))
    assert figure.calculation is not None and figure.calculation.inputs[0].value == "42.195 km"


@pytest.mark.parametrize(
    ("label", "cell", "body", "state"),
    [
        ("Wages and salaries", "(702)", "Wages and salaries were EUR 702 in 2024 [E1].", "bound"),
        ("Personalaufwand", "(702)", "Der Personalaufwand betrug EUR 702 im Jahr 2024 [E1].", "bound"),
        ("Operating (loss)/profit", "(412)", "The operating loss was EUR 412 in 2024 [E1].", "bound"),
        ("Operating (loss)/profit", "(412)", "The operating profit was EUR 412 in 2024 [E1].", "mismatch"),
        ("Operating result", "(412)", "The operating result was EUR 412 in 2024 [E1].", "mismatch"),
    ],
)
def test_an_expense_in_brackets_is_said_without_a_minus_and_a_loss_is_not(
    label: str, cell: str, body: str, state: str
) -> None:
    evidence = make_state("?", [row_passage(label, [(cell, "2024")])])
    (figure,) = [f for f in judge_figures(body, Base(evidence.contract, evidence.evidence)) if "EUR" in f.quantity.text]
    assert figure.state == state


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("Im Vorjahr zahlte sie 0,85 Euro je Aktie [E1].", "bound"),
        ("Im Jahr 2024 zahlte sie 0,85 Euro je Aktie [E1].", "mismatch"),
        ("Im Jahr 2023 zahlte sie 0,85 Euro je Aktie [E1].", "bound"),
    ],
)
def test_what_was_of_the_year_before_is_not_of_the_latest_year_named(body: str, state: str) -> None:
    text = "Die Dividende für 2024 beträgt 0,40 Euro je Aktie, im Vorjahr waren es 0,85 Euro."
    evidence = make_state("?", [text])
    figures = judge_figures(body, Base(evidence.contract, evidence.evidence))
    assert [f.state for f in figures if "0,85" in f.quantity.text] == [state]
