"""Owns how well a row's label names a term: exact, listed, contained, or something else.

Never: which of two rows is right (``binding`` decides).
"""

from __future__ import annotations

import re
from functools import lru_cache

from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.words import contains, fold, stem

_ASIDE = re.compile(r"\([^()]*\)")
_TAIL = re.compile(r",?\s+net of\b.*$", re.DOTALL)
_NOTE = re.compile(r"\bnotes?\s+\d+[a-z]?\b|[*†‡¹²³]+|\.{2,}")
_TOKEN = re.compile(r"[^\W\d_]+(?:[&'][^\W\d_]+)*|&|%")
_TAIL_WORDS_MAX = 12
_EXTRA_WORDS_MAX = 4
_FILLER = frozenset(
    ["and", "of", "the", "in", "on", "for", "to", "a", "an", "at", "by", "company", "inc", "plc", "corporation"]
)


@lru_cache(maxsize=8192)
def label_words(text: str) -> tuple[str, ...]:
    """Return the words of a label without asides, notes, figures, "and", "of" and plural endings."""
    bare = _NOTE.sub(" ", _TAIL.sub(" ", _ASIDE.sub(" ", fold(text))))
    found = [stem(word) for word in _TOKEN.findall(bare.replace("'s", "")) if word != "&"]
    return tuple(word for word in found if word not in _FILLER)


def _with_asides(text: str) -> list[str]:
    return [stem(word) for word in _TOKEN.findall(fold(text))]


class Match(tuple[int, int, int]):
    """How a label fits, worst to best comparable: (grade, -rank, -extra)."""

    __slots__ = ()

    @property
    def grade(self) -> int:
        """3 is word for word, 2 the same words in another order, 1 all words among a few others."""
        return self[0]


def match(label: str, term: Term, subject: tuple[str, ...] = (), section: str = "") -> Match | None:
    """Return how well ``label`` names ``term``, or None when it names something else.

    ``subject`` are the words of the company's own name: "net income attributable to 3M" is the company's.
    ``section`` is what stands above the row; a listed label "liabilities > debt" fits only below it.
    """
    have = tuple(word for word in label_words(label) if word not in subject)
    if not have:
        return None
    best: Match | None = None
    for rank, listed in enumerate(term.labels):
        above, _, own = listed.rpartition(">")
        want = label_words(own)
        if not want or (not contains(list(label_words(section)), list(label_words(above))) and above):
            continue
        found = _fit(have, want, rank)
        if above and found is not None and found.grade < 3:
            continue
        if found is not None and (best is None or found > best):
            best = found
    if best is None or (best.grade < 3 and _forbidden(label, term, have)):
        return None
    return best


def _fit(have: tuple[str, ...], want: tuple[str, ...], rank: int) -> Match | None:
    if have == want:
        return Match((3, -rank, 0))
    if len(want) > 1 and sorted(have) == sorted(want):
        return Match((2, -rank, 0))
    extra = len(have) - len(want)
    if len(want) < 2 or extra < 1:
        return None
    if have[: len(want)] == want and extra <= _TAIL_WORDS_MAX:
        return Match((1, -rank, -extra))
    if extra <= _EXTRA_WORDS_MAX and (contains(list(have), list(want)) or (len(want) > 2 and _in_order(have, want))):
        return Match((1, -rank, -extra - 1))
    return None


def _in_order(have: tuple[str, ...], want: tuple[str, ...]) -> bool:
    rest = iter(have)
    return all(word in rest for word in want)


def _forbidden(label: str, term: Term, have: tuple[str, ...]) -> bool:
    loose = _with_asides(label)
    for phrase in term.not_labels:
        words = list(label_words(phrase)) or _with_asides(phrase)
        if words and (contains(loose, words) or contains(list(have), words)):
            return True
    return False
