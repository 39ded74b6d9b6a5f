from __future__ import annotations

import pytest

from counterfoil.core.text.directions import find_directions, role_of


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("Sales rose 5% while costs fell", [1, -1]),
        ("Der Umsatz stieg, der Gewinn sank", [1, -1]),
        ("Le trafic a augmenté, puis a reculé", [1, -1]),
        ("营业收入增长12%，净利润下降5%", [1, -1]),
        ("売上高は増加し、利益は減少した", [1, -1]),
        ("Las ventas aumentaron y la plantilla bajó", [1, -1]),
        ("Sales did not rise", []),
        ("up to 45 minutes", []),
        ("a download", []),
    ],
)
def test_direction_words_of_six_languages(text: str, signs: list[int]) -> None:
    assert [d.sign for d in find_directions(text)] == signs


@pytest.mark.parametrize(
    ("text", "number", "role"),
    [
        ("It rose to 5", "5", "level"),
        ("from 5 to 6", "5", "base"),
        ("lower than 5", "5", "base"),
        ("rose by 5", "5", "change"),
        ("rose 5", "5", "plain"),
        ("stieg um 5 auf 6", "6", "level"),
        ("a augmenté de 5", "5", "change"),
        ("de 5 à 6", "5", "base"),
        ("241億円から234億円に", "241億円", "base"),
        ("241億円から234億円に", "234億円", "level"),
    ],
)
def test_the_word_beside_a_number_says_what_it_is(text: str, number: str, role: str) -> None:
    start = text.index(number)
    assert role_of(text, start, start + len(number)) == role


def test_words_that_judge_are_soft() -> None:
    assert [d.soft for d in find_directions("It improved and rose")] == [True, False]


def test_german_verbs_may_stand_apart() -> None:
    assert [d.sign for d in find_directions("Der Verlust nahm um 1,2 Mio. Euro zu.")] == [1]
    assert [d.sign for d in find_directions("Der Verlust nahm um 1,2 Mio. Euro ab.")] == [-1]
    assert not find_directions("Er nahm das Geld.")
