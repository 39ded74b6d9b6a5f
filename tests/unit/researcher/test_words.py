from __future__ import annotations

import pytest

from counterfoil.researcher.words import contains, content, find_run, fold, has_cjk, is_stop, kin, stem, words


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [("policies", "policy"), ("passes", "pass"), ("stopped", "stop"), ("gas", "gas"), ("日本", "日本")],
)
def test_stems(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


def test_folding_joins_what_only_looks_different() -> None:
    assert fold("Ｆｕｌｌ–Width’s") == "full-width's"


def test_scripts_without_blanks_become_pairs() -> None:
    assert words("売上高 2023") == ["売上", "上高", "2023"]
    assert has_cjk("営業") and not has_cjk("Umsatz")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What is the length of a pass?", ["length", "pass"]),
        ("Wie hoch waren die Umsatzerlöse?", ["umsatzerlöse"]),
        ("Combien de salariés emploie la société ?", ["salariés", "société"]),
        ("Où se trouve le siège ?", ["siège"]),
    ],
)
def test_words_that_only_hold_a_question_together_are_left_out(text: str, left: list[str]) -> None:
    assert content(text) == left


def test_other_forms_of_a_verb_are_kin() -> None:
    assert stem("payment") in kin(stem("paid"))
    assert kin("lighthouse") == {"lighthouse"}


def test_runs_of_words() -> None:
    assert find_run(["a", "b", "c"], ["b", "c"]) == 1
    assert find_run(["a"], []) == -1
    assert not contains(["a", "b"], ["b", "a"])
    assert is_stop("the")
