from __future__ import annotations

import re

import pytest

from counterfoil.researcher.clauses import clauses, sentence_ranges


def said(text: str) -> list[str]:
    return [c.text for c in clauses(text, [m.span() for m in re.finditer(r"\$\d+", text)])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A day pass costs $9 and a week pass costs $20.", ["A day pass costs $9", "and a week pass costs $20."]),
        ("$9 for a day, $20 for a week", ["$9 for a day", ", $20 for a week"]),
        ("Day: $9 Week: $20", ["Day: $9", "Week: $20"]),
        ("$9 per day $20 per week", ["$9 per day", "$20 per week"]),
        ("It costs $9. A lock costs $60.", ["It costs $9.", "A lock costs $60."]),
    ],
)
def test_a_figure_has_the_words_said_of_it_and_not_of_the_next(text: str, expected: list[str]) -> None:
    got = said(text)
    assert got[0].startswith(expected[0][:8])
    for clause, other in zip(got, reversed(expected), strict=True):
        assert other.split("$")[1].split()[0] not in clause  # never the other figure


def test_the_sentence_and_what_stands_before_it_are_kept() -> None:
    text = "The Rover is for visitors. It costs $15."
    (clause,) = clauses(text, [(text.index("$"), text.index("$") + 3)])
    assert clause.sentence == "It costs $15."
    assert clause.before == "The Rover is for visitors."


def test_text_without_a_stop_is_one_sentence() -> None:
    assert sentence_ranges("Day pass $9") == [(0, 11)]
