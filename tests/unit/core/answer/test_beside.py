from __future__ import annotations

import pytest

from counterfoil.core.answer.beside import beside
from counterfoil.core.text.quantities import find_quantities


def periods(text: str) -> list[str | None]:
    found = find_quantities(text)
    said = beside(text, found)
    return [s.period.text if s.period else None for q, s in zip(found, said, strict=True) if q.kind == "money"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales rose from $5 in 2021 to $6 in 2022.", ["2021", "2022"]),
        ("In 2022 sales were $6, up from $5 in 2021.", ["2022", "2021"]),
        ("Sales were $6, $5 and $4 in 2022, 2021 and 2020.", ["2022", "2021", "2020"]),
        ("In 2022 sales were $6 and costs $5.", ["2022", "2022"]),
        ("Sales were $6 and costs $5 in 2022.", ["2022", "2022"]),
        ("Sales in 2021 were $6 (2020: $5).", ["2021", "2020"]),
        ("Sales grew to $6 compared to $5 in 2021.", [None, "2021"]),
        ("It costs $6.", [None]),
    ],
)
def test_each_number_has_its_own_period(text: str, expected: list[str | None]) -> None:
    assert periods(text) == expected


def test_what_a_number_is_compared_with_is_not_of_its_year() -> None:
    text = "Sales grew to $6 compared to $5 in 2021."
    assert beside(text, find_quantities(text))[0].not_years == {2021}


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("A visitor pass costs $18 and a single ride $3.", "visitor", "ride"),
        ("It charges $1 on classic bikes and $2 on electric bikes.", "classic", "electric"),
        ("Cars pay $36; vans pay $58.", "cars", "vans"),
        ("The fee is $79 a month with a deposit of $50.", "fee", "deposit"),
    ],
)
def test_the_words_between_two_numbers_part_at_a_conjunction(text: str, first: str, second: str) -> None:
    from counterfoil.core.text.stems import stem

    a, b = beside(text, find_quantities(text))
    assert stem(first) in a.words - b.words and stem(second) in b.words - a.words


def test_both_ends_of_a_range_have_the_same_words() -> None:
    text = "Between 10 and 15 trains run each day"
    a, b = beside(text, find_quantities(text))
    assert a.words == b.words


def test_directions_stay_in_their_clause() -> None:
    text = "Sales rose 5% while costs fell 3%."
    assert [s.direction for s in beside(text, find_quantities(text))] == [1, -1]


def test_a_loss_is_told_from_a_gain() -> None:
    text = "The net loss was $5; net income had been $6."
    assert [(s.loss, s.gain) for s in beside(text, find_quantities(text))] == [(True, False), (False, True)]
