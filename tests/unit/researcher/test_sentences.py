from __future__ import annotations

import msgspec
import pytest

from counterfoil.core.text.vocabulary import Formula, Term
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.draft import Cell, Draft
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.sentences import draft_said

from .pages import VOCABULARY
from .shelf import memory, page, said

WORDS = msgspec.structs.replace(
    VOCABULARY,
    formulas=(*VOCABULARY.formulas, Formula("free cash flow", ("free cash flow",), "net_income - capital_expenditure",
                                            "money")),
    bases=("adjusted",),
)  # fmt: skip
LEXICON = Lexicon(WORDS)
ASKED = "What was Tandem's free cash flow in FY2022 in USD millions?"


def made(question: str, *texts: str) -> Draft | None:
    return draft_said(interpret(question, LEXICON), memory(*(said(text) for text in texts)), LEXICON, Cell())


def test_the_one_amount_of_a_sentence_at_the_period_is_the_answer() -> None:
    found = made(ASKED, "Free cash flow for fiscal 2022 was $848.5 million.")
    assert found is not None
    assert found.body.startswith("**848.5 USD millions** — Tandem, free cash flow, FY2022 [E1]")
    assert found.facts[0].evidence_id == "E1"


def test_two_sentences_that_agree_are_one_answer_and_two_that_differ_are_both_told() -> None:
    first = "In 2022, free cash flow was $848 million."
    assert made(ASKED, first, "Free cash flow totaled $848 million in fiscal 2022.") is not None
    both = made(ASKED, first, "Free cash flow totaled $850 million in fiscal 2022.")
    assert both is not None
    assert [fact.value for fact in both.facts] == ["848", "850"]
    assert "disagree" in both.body
    assert "[E1]" in both.body
    assert "[E2]" in both.body


@pytest.mark.parametrize(
    "text",
    [
        "Free cash flow for fiscal 2021 was $848 million.",  # another year
        "Free cash flow for the second quarter of 2022 was $848 million.",  # a part of it
        "We expect free cash flow for fiscal 2022 of $848 million.",  # a forecast
        "Free cash flow increased in fiscal 2022 by $848 million.",  # a change
        "Free cash flow for fiscal 2022 was $848 million and $1 million.",
        "Adjusted free cash flow for fiscal 2022 was $848 million.",  # another measure
        "Segment free cash flow for fiscal 2022 was $848 million.",
        "Free cash flow for fiscal 2022 was 848 bells.",
    ],
)
def test_a_sentence_that_says_anything_else_is_not_taken(text: str) -> None:
    assert made(ASKED, text) is None


def test_another_measure_is_taken_when_it_is_the_one_asked_for() -> None:
    question = "What was Tandem's adjusted free cash flow in FY2022 in USD millions?"
    assert made(question, "Adjusted free cash flow for fiscal 2022 was $848 million.") is not None
    assert made(question, "Free cash flow for fiscal 2022 was $848 million.") is None


def test_another_companys_sentence_is_not_taken() -> None:
    shelf = memory(said("Free cash flow for fiscal 2022 was $848 million.", where=page("Korrigan Foods")))
    assert draft_said(interpret(ASKED, LEXICON), shelf, LEXICON, Cell()) is None


PROSE = msgspec.structs.replace(
    VOCABULARY,
    terms=(Term("revenue", ("revenue", "umsatz"), ("revenue", "umsatz"), ("cost",), ("income statement",)),),
)


def of_acme(question: str, *texts: str) -> Draft | None:
    lexicon = Lexicon(PROSE)
    where = page("Acme AG", "FY2023")
    known = memory(*(said(t, where=where) for t in texts))
    return draft_said(interpret(question, lexicon, "Acme AG"), known, lexicon, Cell("Acme", "revenue"))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("Der Umsatz der Acme AG betrug 2023 1.234,56 Mio. EUR (Vorjahr: 1.100 Mio. EUR).", "1,234.56", "EUR millions"),
        ("Im Geschäftsjahr 2023 betrug der Umsatz 12,5 Mio. EUR.", "12.5", "EUR millions"),
        ("Revenue of Acme AG in fiscal 2023 was ₹ 12,34,567 crore.", "₹ 12,34,567 crore", "INR"),
        ("Revenue in 2023 was $12.5 million.", "12.5", "USD millions"),
        ("Revenue for 2023 was restated to $480 million from $500 million.", "480", "USD millions"),
    ],
)
def test_prose_of_several_countries_is_read(text: str, value: str, unit: str) -> None:
    found = of_acme("What was the revenue in 2023?", text)
    assert found is not None
    assert (found.facts[0].value, found.facts[0].unit) == (value, unit)


def test_an_amount_that_a_year_runs_into_is_quoted_as_it_stands() -> None:
    found = of_acme("What was the revenue in 2023?", "Der Umsatz der Acme AG betrug 2023 CHF 1'234'567.80.")
    assert found is not None
    assert found.body == "“Der Umsatz der Acme AG betrug 2023 CHF 1'234'567.80.” [E1]"


def test_a_conversion_is_exact_and_never_between_currencies() -> None:
    text = "Revenue of Acme AG in fiscal 2023 was $12.5 million."
    found = of_acme("What was the revenue in 2023 in USD thousands?", text)
    assert found is not None
    assert (found.facts[0].value, found.facts[0].unit) == ("12,500", "USD thousands")
    assert of_acme("What was the revenue in 2023 in EUR millions?", text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Cost of revenue in 2023 was $12.5 million.",
        "Revenue of Bolt Inc in 2023 was $12.5 million.",
        "Revenue of the Europe segment in 2023 was $12.5 million.",
        "Revenue in 2023 was not $12.5 million.",
        "Budgeted revenue in 2023 was $12.5 million.",
    ],
)
def test_a_plain_term_is_taken_only_of_the_whole_of_the_subject(text: str) -> None:
    assert of_acme("What was the revenue in 2023?", text) is None


def test_a_restated_figure_stands_beside_the_first_one() -> None:
    found = of_acme(
        "What was the revenue in 2023?",
        "Revenue for 2023 was $500 million.",
        "Revenue for 2023 was restated to $480 million from $500 million.",
    )
    assert found is not None
    assert [f.value for f in found.facts] == ["500", "480"]


def test_a_rounded_mention_agrees_with_the_exact_one() -> None:
    found = of_acme(
        "What was the revenue in 2023?", "Revenue in 2023 was $1.6 billion.", "Revenue in 2023 was $1,577 million."
    )
    assert found is not None
    assert [f.value for f in found.facts] == ["1,577"]
