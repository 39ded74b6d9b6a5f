from __future__ import annotations

from tests.unit.builders import make_evidence

from counterfoil.core.answer.held import of_evidence
from counterfoil.core.answer.order import follows, swapped

PASSAGE = "Options outstanding and exercisable had a value of $5 and $7, respectively."


def test_numbers_in_another_order_than_the_words_are_swapped() -> None:
    five, seven = of_evidence(make_evidence(PASSAGE))
    assert swapped(PASSAGE, [(0, seven), (9, five)]) == (0, 1)
    assert swapped(PASSAGE, [(0, five), (9, seven)]) == ()


def test_a_sentence_of_other_words_has_an_order_of_its_own() -> None:
    five, seven = of_evidence(make_evidence(PASSAGE))
    said = "Seven dollars is what could be exercised, five what was out"
    assert not follows(said, PASSAGE) and swapped(said, [(0, seven), (9, five)]) == ()
