from __future__ import annotations

import pytest

from counterfoil.researcher.expressions import render
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period
from counterfoil.researcher.targets import Target, targets

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)
LAST = Period(2022)


def first(question: str, *, changes: bool = True) -> Target:
    return targets(question, question, LEXICON, changes=changes)[0]


def formula(question: str) -> str:
    return render(first(question).node, LAST, lambda operand: operand.id)


@pytest.mark.parametrize(
    ("question", "written", "kind"),
    [
        ("What is the FY2022 revenue?", "revenue_2022", "money"),
        ("What is the FY2022 gross margin?", "(revenue_2022 - cost_of_sales_2022) / revenue_2022", "percent"),
        ("What is FY2022 capex as a % of revenue?", "capital_expenditure_2022 / revenue_2022", "percent"),
        ("What is FY2022 operating income less capex?", "operating_income_2022 - capital_expenditure_2022", "money"),
        ("What is the FY2022 net income % margin?", "net_income_2022 / revenue_2022", "percent"),
        ("What is the FY2020 to FY2022 2 year revenue CAGR?", "root(revenue_2022 / revenue_2020, 2) - 1", "percent"),
        ("What is the three year CAGR of net income as of FY2022?", "root(net_income_2022 / net_income_2019, 3) - 1",
         "percent"),
        ("What is the change in revenue from FY2021 to FY2022?", "revenue_2022 - revenue_2021", "money"),
        ("Roughly how much did its gross margin change between FY2021 and FY2022?",
         "(revenue_2022 - cost_of_sales_2022) / revenue_2022 - (revenue_2021 - cost_of_sales_2021) / revenue_2021",
         "percent"),
        ("What is the revenue growth from FY2021 to FY2022 in percent?",
         "(revenue_2022 - revenue_2021) / revenue_2021", "percent"),
        ("What is the FY2021 - FY2022 average of net income?", "avg(net_income_2021, net_income_2022)", "money"),
        ("What is FY2022 XY less capex? XY is defined as operating income plus net income.",
         "operating_income_2022 + net_income_2022 - capital_expenditure_2022", "money"),
        ("What is the FY2022 XY % margin? Define XY as operating income plus net income.",
         "(operating_income_2022 + net_income_2022) / revenue_2022", "percent"),
    ],
)  # fmt: skip
def test_what_a_question_wants_computed(question: str, written: str, kind: str) -> None:
    assert formula(question) == written
    assert first(question).kind == kind


def test_what_it_was_and_how_it_changed_wants_the_values() -> None:
    assert formula("How much did it's revenue change from FY2021 to FY2022?") == "revenue_2022 - revenue_2021"
    assert formula("What was revenue in FY2022 and how did it change from FY2021?") == "revenue_2022"


def test_a_definition_that_cannot_be_read_gives_no_way_to_answer() -> None:
    question = "What is the joy ratio? Joy ratio is defined as: happiness / revenue."
    assert targets(question, question, LEXICON, changes=True) == ()


def test_a_share_of_something_unknown_is_not_answered_with_the_thing() -> None:
    question = "What percent of FY2022 revenue was bells?"
    assert targets(question, question, LEXICON, changes=True) == ()


def test_a_part_of_the_year_is_divided_by_the_year() -> None:
    found = first("What percent of net income for FY2022 occurred in Q4 of FY2022?")
    assert render(found.node, LAST, lambda o: o.id) == "net_income_2022Q4 / net_income_2022"


def test_a_difference_of_percentages_is_told_in_points() -> None:
    found = first("What is the FY2021 - FY2022 change in gross margin?")
    assert found.points
    assert not first("What is the FY2022 gross margin?").points
