from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.folding import (
    digits_folded,
    loosely_folded,
    space_folded,
    spelled_out_in,
    stands_in,
    verbatim,
    words_stand_in,
)


def test_quotes_stand_whatever_the_white_space() -> None:
    assert stands_in("costs  $18 a\nday", "It costs $18\u00a0a day.")
    assert not stands_in("costs $19", "It costs $18 a day.")
    assert not stands_in("Costs $18", "It costs $18"), "case is part of the wording"
    assert not stands_in("  ", "anything")


def test_the_passages_own_wording_is_given_back() -> None:
    assert verbatim("the city's pass", "See the city’s\n pass here") == "the city’s pass"


def test_words_are_whole() -> None:
    assert words_stand_in("series b", "The Series B round")
    assert not words_stand_in("Series B", "Series Beta")
    assert words_stand_in("東京", "本社は東京にある")


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_every_part_of_a_text_stands_in_it(text: str, a: int, b: int) -> None:
    part = text[min(a, b) : max(a, b)]
    assert stands_in(part, text) or not space_folded(part)


@given(st.text(max_size=60))
def test_folding_digits_keeps_positions(text: str) -> None:
    assert len(digits_folded(text)) == len(text)
    assert space_folded(space_folded(text)) == space_folded(text)
    assert loosely_folded(loosely_folded(text)) == loosely_folded(text) or not text.isascii()


def test_a_short_name_may_be_spelled_out() -> None:
    assert spelled_out_in("CET1", "the common equity tier 1 ratio")
    assert not spelled_out_in("CET2", "the common equity tier 1 ratio")
    assert not spelled_out_in("A100", "an accelerator")
