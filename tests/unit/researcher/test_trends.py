from __future__ import annotations

import pytest

from counterfoil.researcher.ask import interpret
from counterfoil.researcher.draft import Cell, Draft
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.trends import draft_assessment, draft_paid, draft_trend, missing

from .pages import VOCABULARY
from .shelf import CASH, line, memory

LEXICON = Lexicon(VOCABULARY)
SALES = line("Net sales", "2,000", "1,600", "1,250")
COST = line("Cost of sales", "1,200", "900", "800")
PROFIT = line("Operating income", "300", "320", "200")
PAID = line("Dividends paid", "(12)", "(10)", "(8)", table=CASH)


def head(draft: Draft | None) -> str:
    assert draft is not None
    return draft.body.splitlines()[0]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Does Tandem have an improving operating margin as of FY2022?",
         "**No: operating margin fell from 20.0 % (FY2021) to 15.0 % (FY2022)** — Tandem [C1]"),
        ("Did Tandem's net sales increase in FY2022?",
         "**Yes: revenue rose from 1,600 USD millions (FY2021) to 2,000 USD millions (FY2022)** — Tandem [E1]"),
        ("Did Tandem's net sales increase or decrease between FY2020 and FY2022?",
         "**revenue rose from 1,250 USD millions (FY2020) to 2,000 USD millions (FY2022)** — Tandem [E1]"),
        ("Are Tandem's gross margins consistent, within 2% each year, as of FY2022?",
         "**No: gross margin was 36.0 % (FY2020), 43.8 % (FY2021), 40.0 % (FY2022)** — Tandem [C1]"),
    ],
)  # fmt: skip
def test_the_values_decide_the_word(question: str, first: str) -> None:
    ask = interpret(question, LEXICON)
    assert head(draft_trend(ask, memory(SALES, COST, PROFIT), LEXICON, Cell())).startswith(first)


def test_a_comparison_needs_both_ends() -> None:
    ask = interpret("Did Tandem's net sales increase in FY2023?", LEXICON)
    assert draft_trend(ask, memory(SALES), LEXICON, Cell()) is None
    assert [operand.id for operand in missing(ask, memory(SALES), LEXICON).missing] == ["revenue_2023"]


def test_an_assessment_gives_the_figure_and_leaves_the_judgement() -> None:
    ask = interpret("Is Tandem's FY2022 gross margin healthy?", LEXICON)
    draft = draft_assessment(ask, memory(SALES, COST), LEXICON, Cell())
    assert head(draft).startswith("**gross margin 40.0 % (FY2022)** — Tandem [C1]")
    assert draft is not None
    assert "left to the reader" in draft.body


@pytest.mark.parametrize(("rows", "first"), [((PAID,), "**Yes: 12 USD millions**"), ((SALES,), None)])
def test_whether_it_was_paid_is_what_the_row_says(rows: tuple[Passage, ...], first: str | None) -> None:
    ask = interpret("Has Tandem paid dividends in FY2022?", LEXICON)
    draft = draft_paid(ask, memory(*rows), LEXICON, Cell())
    assert (head(draft).startswith(first) if first else draft is None) is True
