from __future__ import annotations

import pytest

from counterfoil.researcher.definitions import definitions, leaf, parse_definition, strip_definitions
from counterfoil.researcher.expressions import ExpressionError, operands, render
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)
NOW = Period(2022)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "What is its turn? Turn is defined as: FY2022 COGS / FY2022 revenue.",
            [("Turn", "FY2022 COGS / FY2022 revenue")],
        ),
        (
            "What is its load? Define load as revenue divided by total assets.",
            [("load", "revenue divided by total assets")],
        ),
        ("What is its revenue?", []),
    ],
)
def test_a_definition_is_found_where_the_question_gives_one(question: str, found: list[tuple[str, str]]) -> None:
    assert [(name, body) for name, body in definitions(question)] == found
    if found:
        assert strip_definitions(question) == question.split("? ")[0] + "?"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("365 * (average accounts payable between FY2021 and FY2022) / FY2022 COGS",
         "365 * avg(accounts_payable_2021, accounts_payable_2022) / cost_of_sales_2022"),
        ("operating income plus capex from cash flow statement", "operating_income_2022 + capital_expenditure_2022"),
        ("COGS + change in inventory between FY2021 and FY2022",
         "cost_of_sales_2022 + inventories_2022 - inventories_2021"),
        ("revenue divided by total assets", "revenue_2022 / total_assets_2022"),
    ],
)  # fmt: skip
def test_a_formula_in_words_becomes_a_tree_over_the_vocabulary(text: str, written: str) -> None:
    tree = parse_definition(text, LEXICON, {})
    assert render(tree, NOW, lambda operand: operand.id).replace("(inventories", "inventories").rstrip(")") == (
        written.rstrip(")")
    )


@pytest.mark.parametrize("text", ["happiness / revenue", "average of (a + b)", "net sales in Greenland"])
def test_a_formula_with_an_unknown_part_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_definition(text, LEXICON, {})


def test_a_quantity_defined_elsewhere_in_the_question_may_be_used() -> None:
    turn = parse_definition("revenue / total assets", LEXICON, {})
    tree = parse_definition("turn * 2", LEXICON, {"turn": turn})
    assert [o.id for o in operands(tree, NOW)] == ["revenue_2022", "total_assets_2022"]
    assert operands(leaf("average inventory", LEXICON, {}), NOW)[1].id == "inventories_2021"
