from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from counterfoil.adapters.corpus.phrases import PhraseFinder

_TEXTS = st.text("ab -_$é税", max_size=30).map(lambda text: " ".join(text.split()))


def _pattern(phrases: set[str]) -> re.Pattern[str]:
    ordered = sorted(phrases, key=lambda p: (-len(p), p))
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, ordered)) + r")(?!\w)")


@given(st.sets(_TEXTS.filter(bool), min_size=1, max_size=8), _TEXTS)
@example({"a b", "a b a"}, "a b ab a b a")
@example({"a", "ab"}, "ab a")
def test_it_finds_what_an_alternation_of_the_phrases_finds(phrases: set[str], text: str) -> None:
    finder, pattern = PhraseFinder(phrases), _pattern(phrases)
    assert finder.found(text) == tuple(dict.fromkeys(pattern.findall(text)))
    assert finder.without(text) == pattern.sub(" ", text)


@pytest.mark.parametrize("phrases", [(), ("", " ")])
def test_without_phrases_nothing_is_found(phrases: tuple[str, ...]) -> None:
    finder = PhraseFinder(phrases)
    assert finder.found("net sales") == () and finder.without("net sales") == "net sales"
