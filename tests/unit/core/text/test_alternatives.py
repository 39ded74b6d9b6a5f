from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.alternatives import one_of

WORDS = st.lists(st.text("abcé.", min_size=1, max_size=4), min_size=1, max_size=8)


@given(WORDS, st.text("abcé.", max_size=6))
def test_it_finds_what_trying_the_longest_first_finds(words: list[str], text: str) -> None:
    plain = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    assert [m.span() for m in re.finditer(one_of(words), text)] == [m.span() for m in re.finditer(plain, text)]


def test_what_ends_letters_is_asked_for_behind_letters_alone() -> None:
    pattern = re.compile(one_of(["m", "m²", "min"], letters_end=r"(?![^\W\d_])"))
    assert [pattern.match(text) is not None for text in ("m", "mi", "m²x", "min", "mine")] == [
        True, False, True, True, False,
    ]  # fmt: skip
