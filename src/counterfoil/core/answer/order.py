"""Owns the order of numbers in a sentence that follows its passage word for word: swapped, they are others' numbers.

Never: sentences of other words; there the words beside each number decide (see ``nouns``).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from counterfoil.core.answer.held import Held
from counterfoil.core.answer.nouns import unit_class
from counterfoil.core.text.stems import stem

_TOKEN = re.compile(r"[^\W\d_]+")
_ALIKE_MIN = 0.8
_WORDS_MIN = 4


def swapped(text: str, bound: Sequence[tuple[int, Held]]) -> tuple[int, ...]:
    """The positions in ``bound`` (start in ``text``, number held) that stand in another order than their passage has.

    Only where the words of the text stand in the passage in their own order; a range may never run backwards, and
    what counts another thing is not swapped.
    """
    out: list[int] = []
    for passage in dict.fromkeys(h.citation for _, h in bound if h.quantity is not None):
        own = [(i, start, held) for i, (start, held) in enumerate(bound) if held.citation == passage]
        places = [held.quantity.start if held.quantity else 0 for _, _, held in own]
        if len(own) < 2 or places == sorted(places) or len(set(places)) < len(places):
            continue
        if follows(text, own[0][2].label):
            pairs = itertools.combinations(range(len(own)), 2)
            units = [unit_class(held.amount.unit) for _, _, held in own]
            wrong = {k for a, b in pairs if places[a] > places[b] and units[a] == units[b] for k in (a, b)}
            out.extend(own[k][0] for k in sorted(wrong))
    return tuple(out)


def follows(text: str, passage: str) -> bool:
    """Whether nearly all words of ``text`` stand in ``passage``, and in the same order."""
    said = [stem(word) for word in _TOKEN.findall(text)]
    have = [stem(word) for word in _TOKEN.findall(passage)]
    at, found = 0, 0
    for word in said:
        try:
            at = have.index(word, at) + 1
        except ValueError:
            continue
        found += 1
    return len(said) >= _WORDS_MIN and found >= _ALIKE_MIN * len(said)
