from __future__ import annotations

from decimal import Decimal

import pytest

from counterfoil.core.answer.terms_of_sale import apart, cover_of, times


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("USD per day", "for 1 day"), ("$18 for three days", "for 3 days"), ("3 days", "for 3 days"),
        ("a month", "for 1 month"),
        ("the three-day pass", "for 3 days"), ("monthly", "for 1 month"), ("pro Tag", "for 1 tag"), ("", ""),
        ("each", ""),
    ],
)  # fmt: skip
def test_spans_as_people_write_them(text: str, words: str) -> None:
    assert cover_of(text).text == words


def test_the_first_text_that_says_a_span_decides() -> None:
    assert cover_of(None, "USD", "3 days", "per day").text == "for 3 days"


def test_how_often_one_goes_into_the_other() -> None:
    assert times(cover_of("per day"), cover_of("for 3 days")) == 3
    assert times(cover_of("per week"), cover_of("a day")) == Decimal(1) / 7
    assert times(cover_of("per day"), cover_of("a month")) is None, "a month is no fixed number of days"


def test_unlike_covers() -> None:
    assert apart(cover_of("per day"), cover_of("for 3 days")) and not apart(cover_of("per day"), cover_of("for 1 day"))
    assert not apart(cover_of(""), cover_of("per day")), "what is not said is no difference"
    assert apart(cover_of("including tax"), cover_of("excluding tax"))
