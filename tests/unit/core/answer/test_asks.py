from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.answer.asks import find_asks

pytestmark = pytest.mark.req("QC-05")


@pytest.mark.parametrize(
    ("text", "unit", "low", "high"),
    [
        ("at least 500 words", "words", 500, None),
        ("no more than 1,000 words", "words", None, 1000),
        ("in under 100 words", "words", None, 99),
        ("about 500 words", "words", 450, 550),
        ("a 200-word summary", "words", 180, 220),
        ("between 100 and 150 words", "words", 100, 150),
        ("5-10 bullet points", "bullets", 5, 10),
        ("exactly 3 bullets", "bullets", 3, 3),
        ("five competitors", "things", 5, None),
        ("3 pricing tiers", "things", 3, None),
        ("10 sources", "sources", 10, None),
        ("two sections", "sections", 2, None),
        ("a table with 5 rows", "rows", 5, None),
        ("at least 2 charts", "charts", 2, None),
        ("mindestens 300 Wörter", "words", 300, None),
        ("genau drei Stichpunkte", "bullets", 3, 3),
        ("höchstens zwei Absätze", "paragraphs", None, 2),
        ("Nenne drei Beispiele", "things", 3, None),
        ("au moins trois sources", "sources", 3, None),
        ("Answer in one sentence", "sentences", 1, 1),
        ("in at least two sentences", "sentences", 2, None),
        ("Write two paragraphs", "paragraphs", 2, None),
    ],
)
def test_asks_are_read(text: str, unit: str, low: int | None, high: int | None) -> None:
    assert [(a.unit, a.low, a.high) for a in find_asks(text)] == [(unit, low, high)]


@pytest.mark.parametrize(
    "text",
    [
        "a final comparison that names conflicts",
        "What is the price of a pass for 3 days?",
        "What did the five directors earn in 2018?",
        "Which 10-K sections matter?",
        "more than 40 sources of funding were used",
        "round to two decimal places",
        "all 12 months",
        "revenue of 500 million",
        "name five of them",
    ],
)
def test_other_numbers_are_no_asks(text: str) -> None:
    assert find_asks(text, question=True) == ()


@given(st.text(max_size=80))
def test_bounds_are_in_order(text: str) -> None:
    assert all(a.low is None or a.high is None or a.low <= a.high for a in find_asks(text))
