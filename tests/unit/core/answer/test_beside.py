from __future__ import annotations

import pytest

from counterfoil.core.answer.beside import beside, beside_spelled
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


@pytest.mark.parametrize(
    ("text", "place", "has", "has_not"),
    [
        ("It is $10 cheaper than Plus ($9 against $19)", 1, (), ("cheaper", "plus")),
        ("They lost only 5 of their 34 matches", 1, ("match",), ("lost",)),
        ("Of 84 starters 5 did not finish: only 79 did", 2, (), ("starters", "finish")),
        ("We gave 104 adults velit (n = 63) or placebo (n = 41)", 2, ("placebo",), ("velit",)),
        ("The rate was 0.8 with velit and 1.4 with placebo", 0, ("velit",), ("placebo",)),
        ("Lessons of 45 minutes cost $12", 1, ("lessons",), ()),
        ("A refund of 25% of the fare is due; from May on, 50%", 1, ("fare",), ()),
        ("It was 0.6 chicks per pair on Orrin and 0.4 on Varn", 1, ("varn",), ("orrin",)),
    ],
)
def test_words_go_to_the_number_that_they_name(
    text: str, place: int, has: tuple[str, ...], has_not: tuple[str, ...]
) -> None:
    from counterfoil.core.text.stems import stem

    said = beside(text, find_quantities(text))[place]
    words = said.words - said.lent if has_not else said.words
    assert all(stem(word) in words for word in has) and not any(stem(word) in words for word in has_not), words


def test_words_of_another_number_are_told_as_lent() -> None:
    text = "Deaths were fewer with velit, at 7% against 12%"
    first, second = beside(text, find_quantities(text))
    assert not first.lent and second.words and second.words == second.lent


def test_lengths_of_time_in_words_part_no_other_words() -> None:
    text = "A three-day pass costs $18"
    ((spelled, said),) = beside_spelled(text, find_quantities(text))
    assert spelled.text == "three-day" and "pass" in said.words
    assert {"threeda", "pass"} <= beside(text, find_quantities(text))[0].words


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


def test_words_behind_a_number_stand_in_the_place_of_those_of_the_number_before() -> None:
    text = "626 received velparin 40 mg daily and 622 placebo"
    found = beside(text, find_quantities(text))
    assert "placebo" in found[2].words and not found[2].words & found[0].words
