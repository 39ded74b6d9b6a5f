from __future__ import annotations

import pytest

from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.counting import counts

pytestmark = pytest.mark.req("QC-05")

BODY = """# Report

Two words [E1]. A second sentence.

## Competitors

- Acme
- Beta
- Gamma

## Prices

| Tier | Price |
|---|---|
| A | 1 |
| B | 2 |

![chart](a.png)

## References
1. x
"""


@pytest.mark.parametrize(
    ("ask", "measured", "met"),
    [
        ("five competitors", 3, False),
        ("three competitors", 3, True),
        ("2 pricing tiers", 2, True),
        ("two sections", 2, True),
        ("exactly 4 bullets", 3, False),
        ("a table with 3 rows", 2, False),
        ("2 columns", 2, True),
        ("one chart", 1, True),
        ("10 sources", 4, False),
        ("four widgets", None, None),
        ("at least 500 words", 18, False),
        ("no more than 30 words", 18, True),
    ],
)
def test_what_was_asked_is_counted(ask: str, measured: int | None, met: bool | None) -> None:
    (count,) = counts(Contract("What?", done=(ask,)), BODY, sources=4)
    assert (count.measured, count.met) == (measured, met)


def test_characters_of_scripts_without_blanks_count_as_words() -> None:
    (count,) = counts(Contract("at least 5 words?"), "三日間パス pass", sources=0)
    assert count.measured == 6


def test_one_ask_said_twice_is_one() -> None:
    assert len(counts(Contract("Write two paragraphs", done=("two paragraphs",)), "a", 0)) == 1


@pytest.mark.parametrize(
    ("body", "measured"),
    [
        ("The competitors are Acme, Beta Works, Gamma and Delta.", 4),
        ("Its main competitors: Acme, Beta and Gamma.", 3),
        ("The competitors include Acme and Beta. Other competitors are Gamma and Delta.", 4),
        ("The competitors are growing, and prices fall.", None),
    ],
)
def test_names_that_a_sentence_lists_are_counted(body: str, measured: int | None) -> None:
    (count,) = counts(Contract("q", done=("four competitors",)), body, 0)
    assert count.measured == measured
