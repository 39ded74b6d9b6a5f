from __future__ import annotations

import pytest

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.researcher.claims import claims
from counterfoil.researcher.fitting import Fit, fit
from counterfoil.researcher.memory import Memory, Page, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.wanted import wanted

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)
ROWS = (Row("Harbour Line"), Row("Hill Line"))
PAGE = Page("S1", 0, 1, None, "Fares of the Harbour Line", "file:///fares.md", "", "", "", "")


def judged(field: str, words: str, *, kind: str = "money", heading: str = "", period: str | None = None) -> list[Fit]:
    asked = Field(field, kind)  # type: ignore[arg-type]
    question = "Compare the passes of Harbour Line and Hill Line."
    want = wanted(Contract(question, rows=ROWS, fields=(asked,), period=period), ROWS[0], asked, LEXICON)
    passage = Passage("E1", "text", words, heading, 0, PAGE)
    return [fit(c, want) for c in claims(kind, Memory(passages=[passage], pages=[PAGE]), frozenset({("S1", 0)}))]


def verdicts(field: str, words: str, **more: str) -> list[str]:
    return [found.verdict for found in judged(field, words, **more)]


def test_a_day_pass_is_not_a_three_day_pass() -> None:
    both = "A day pass costs $9 and a three-day pass costs $20."
    assert verdicts("three-day pass price", both) == ["other offer", "fits"]
    assert verdicts("day pass price", both) == ["fits", "other offer"]


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("monthly pass price", "The annual pass costs $99."),
        ("pass price", "The pass costs $5 for students."),
        ("adult pass price", "The child pass costs $4."),
        ("price per day", "The pass costs $2 per ride."),
    ],
)
def test_words_of_another_offer_refuse_it(field: str, words: str) -> None:
    assert "fits" not in verdicts(field, words)


def test_the_heading_names_the_offer_where_the_sentence_does_not() -> None:
    assert verdicts("day pass price", "The pass costs $9.", heading="Day pass") == ["fits"]
    assert verdicts("day pass price", "The pass costs $20.", heading="Three-day pass") == ["other offer"]


def test_the_period_of_the_task_refuses_another_and_notes_what_is_left_open() -> None:
    assert verdicts("price", "The day pass costs $9.", period="3 days") == ["other offer"]
    (open_offer,) = judged("price", "The pass costs $9.", period="3 days")
    assert open_offer.verdict == "fits"
    assert open_offer.note


def test_a_charge_of_another_kind_is_not_the_price() -> None:
    assert verdicts("pass price", "The pass has a deposit of $50.") == ["no"]
    assert verdicts("pass deposit", "The pass has a deposit of $50.") == ["fits"]


def test_what_is_said_of_another_row_is_not_this_ones() -> None:
    assert verdicts("pass price", "The Hill Line pass costs $7.") == ["no"]
    assert verdicts("pass price", "The Harbour Line pass costs $7.") == ["fits"]


def test_the_telling_words_must_stand_beside_the_value() -> None:
    assert verdicts("lounge price", "The pass costs $7.") == ["no"]


def test_a_former_price_does_not_count() -> None:
    assert verdicts("pass price", "The pass now costs $20, up from $18.") == ["fits", "no"]


def test_the_year_asked_for_must_be_the_one_said() -> None:
    words = "In 2023 the pass sold 400 times, against 300 in 2022."
    assert verdicts("pass sold times", words, kind="count", period="2023")[0] != "no"
    assert verdicts("pass sold times", "In 2021 the pass sold 90 times.", kind="count", period="2023") == ["no"]
