from __future__ import annotations

import msgspec
import pytest
from tests.unit.builders import make_evidence, row_passage

from counterfoil.core.answer.formulas import Formulas, defined
from counterfoil.core.answer.held import Held, of_evidence
from counterfoil.core.text.vocabulary import Formula, Term, Vocabulary

WORDS = Vocabulary(
    "v",
    (
        Term("revenue", ("revenue",), ("total revenue", "net sales"), ("cost",)),
        Term("cost of sales", ("cost of sales",), ("cost of sales",), outflow=True),
    ),
    (
        Formula("gross margin", ("gross margin",), "(revenue - cost_of_sales) / revenue", "percent"),
        Formula("mean revenue", ("mean revenue",), "avg(revenue)", "money"),
        Formula("growth", ("sales growth",), "revenue / prev(revenue) - 1", "percent"),
    ),
)


def row(label: str, now: str, before: str) -> tuple[Held, ...]:
    passage = row_passage(label, [(now, "2022"), (before, "2021")], multiplier="1", unit="USD")
    return of_evidence(msgspec.structs.replace(make_evidence(passage), id=f"E{len(label)}"))


ROWS = [row("Net sales", "200", "160"), row("Cost of sales", "(50)", "(48)")]


def value(text: str, question: str = "", year: int = 2022, rows: list[tuple[Held, ...]] = ROWS) -> str | None:
    formulas = Formulas(WORDS, question)
    for formula in formulas.named(text):
        for result in formulas.results(formula, rows, lambda h: h.periods[0].year == year, percent=False):
            return format(result.value.normalize(), "f")
    return None


@pytest.mark.parametrize(
    ("text", "year", "expected"),
    [
        ("Gross margin was", 2022, "75"),
        ("Gross margin was", 2021, "70"),
        ("Mean revenue was", 2022, "180"),
        ("Sales growth was", 2022, "25"),
        ("Sales growth was", 2021, None),  # nothing before 2021 is cited
        ("Net margin was", 2022, None),
    ],
)
def test_a_named_formula_takes_its_rows_in_the_figures_period(text: str, year: int, expected: str | None) -> None:
    assert value(text, year=year) == expected


def test_a_formula_without_one_of_its_rows_gives_nothing() -> None:
    assert value("Gross margin was", rows=ROWS[:1]) is None


def test_the_question_may_define_a_quantity() -> None:
    question = "What is the burn rate, where burn rate is defined as: cost of sales divided by average net sales?"
    (formula,) = defined(question)
    assert formula.phrases == ("burn rate",) and formula.expression == "n0 / avg(n1)"
    assert value("The burn rate was", question) is not None
    assert defined("What was revenue?") == ()
