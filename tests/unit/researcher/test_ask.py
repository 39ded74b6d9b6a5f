from __future__ import annotations

import pytest

from counterfoil.researcher.ask import interpret, without_instructions
from counterfoil.researcher.metrics import Lexicon

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Où se trouve le siège social de Moulin Vert ?", "Moulin Vert"),
        ("Quel était le bénéfice de Moulin Vert en 2023 ?", "Moulin Vert"),
        ("Wie viele Mitarbeiter hat die Niederlassung von Kranich Maschinenbau?", "Kranich Maschinenbau"),
        ("Which segments does Tandem report?", "Tandem"),
    ],
)
def test_the_opening_word_is_no_name(question: str, subject: str) -> None:
    assert interpret(question, LEXICON).subject == subject


@pytest.mark.parametrize(
    "question",
    [
        "Why did sales fall?",
        "Warum sank der Umsatz?",
        "Pourquoi les ventes ont-elles baissé ?",
        "売上高が増加した理由は？",
    ],
)
def test_a_cause_is_asked_for_in_any_language(question: str) -> None:
    ask = interpret(question, LEXICON)
    assert ask.cause
    assert ask.kind == "text"


def test_how_to_answer_is_no_part_of_what_is_asked() -> None:
    plain = without_instructions("What was capex? Answer in USD millions. If it cannot be found, state so.", LEXICON)
    assert plain.startswith("What was capex?")
    assert "state so" not in plain


def test_a_question_for_yes_or_no_is_polar() -> None:
    assert interpret("Does Tandem own its workshops?", LEXICON).polar
    assert not interpret("Which workshops does Tandem own?", LEXICON).polar


@pytest.mark.parametrize(
    ("question", "sign"), [("Is its margin improving?", 1), ("Did sales decline?", -1), ("Is it?", 0)]
)
def test_the_direction_asked_for(question: str, sign: int) -> None:
    assert interpret(question, LEXICON).direction == sign
