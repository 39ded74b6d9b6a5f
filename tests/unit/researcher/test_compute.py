from __future__ import annotations

from decimal import Decimal

import pytest

from counterfoil.core.evidence.calculations import evaluate
from counterfoil.core.text.quantities import parse_cell
from counterfoil.researcher.binding import Binder, Scope
from counterfoil.researcher.compute import Answer, Missing, Wish, answer
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period
from counterfoil.researcher.targets import targets

from .pages import VOCABULARY
from .shelf import BALANCE, CASH, DAYS, line, memory

LEXICON = Lexicon(VOCABULARY)
FY22 = Period(2022, fiscal=True)
SALES = line("Net sales", "2,000", "1,600", "1,250")
COST = line("Cost of sales", "(1,200)", "(900)", "(800)")
INCOME = line("Net income", "200", "240", "150")
CAPEX = line("Purchases of property and equipment", "(87)", "(70)", "(64)", table=CASH)
ASSETS = line("Total assets", "4,200", "3,800", headers=DAYS, table=BALANCE)


def made(question: str, *rows: Passage, wish: Wish | None = None) -> Answer | Missing:
    (target, *_) = targets(question, question, LEXICON, changes=True)
    gate = Binder(memory(*rows), LEXICON, Scope("Tandem"))
    return answer(target, FY22, gate, LEXICON, wish or Wish(), "C1")


@pytest.mark.parametrize(
    ("wish", "text", "unit"),
    [
        (Wish(), "2,000", "USD millions"),
        (Wish(unit="USD", scale="billions"), "2", "USD billions"),
        (Wish(unit="USD", scale="thousands"), "2,000,000", "USD thousands"),
        (Wish(scale="millions", places=2), "2,000.00", "USD millions"),
    ],
)
def test_a_value_is_written_in_the_measure_asked_for(wish: Wish, text: str, unit: str) -> None:
    found = made("What is FY2022 revenue?", SALES, wish=wish)
    assert isinstance(found, Answer)
    assert (found.text, found.unit, found.calculation) == (text, unit, None)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the FY2022 gross margin?", "40"),
        ("What is FY2022 capex as a % of revenue?", "4.4"),
        ("What is the FY2020 to FY2022 2 year revenue CAGR?", "26.5"),
        ("What is the FY2022 ROA?", "5"),
        ("What is the change in revenue from FY2021 to FY2022?", "400"),
    ],
)
def test_a_calculation_can_be_done_again_from_what_it_cites(question: str, text: str) -> None:
    found = made(question, SALES, COST, INCOME, CAPEX, ASSETS)
    assert isinstance(found, Answer)
    assert found.text.removesuffix(".0") == text
    assert found.calculation is not None
    values = {item.name: (parse_cell(item.value) or 0) * Decimal(item.multiplier) for item in found.calculation.inputs}
    again = evaluate(found.calculation.formula, {k: v for k, v in values.items() if v is not None})
    assert again == found.exact


def test_one_operand_without_a_row_leaves_the_whole_unanswered() -> None:
    found = made("What is the FY2022 gross margin?", SALES)
    assert isinstance(found, Missing)
    assert [operand.id for operand, _ in found.operands] == ["cost_of_sales_2022"]


def test_a_quantity_with_a_formula_is_read_where_the_document_states_it() -> None:
    stated = line("Gross margin", "41.5%", "43.8%", "36.0%", unit="percent", multiplier="1", table="Key figures")
    found = made("What is the FY2022 gross margin?", stated)
    assert isinstance(found, Answer)
    assert (found.text, found.calculation) == ("41.5", None)


def test_a_root_of_nothing_positive_is_no_answer() -> None:
    loss = line("Net income", "200", "240", "(150)")
    assert isinstance(made("What is the FY2020 to FY2022 2 year net income CAGR?", loss), Missing)
