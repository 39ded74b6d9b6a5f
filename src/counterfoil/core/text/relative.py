"""Owns periods that are named from another one: "a year earlier", "in the same period last year", "Vorjahr".

Never: which period that is; they say when, so they name no number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPAN = r"(?:(?:fiscal|financial)\s+)?(?:years?|quarters?|halves|half|half[\s-]years?|months?|weeks?|periods?|seasons?)"
_RELATIVE = re.compile(
    rf"\b(?:(?:the\s+)?(?:same|corresponding|comparable)\s+{_SPAN}(?:\s+(?:of|in|a)(?:\s+the)?)?\s*)?"
    rf"(?:(?:last|previous|prior|preceding|same|corresponding)\s+{_SPAN}"
    rf"|{_SPAN}\s+(?:earlier|before|ago)|half[\s-]year|year[\s-](?:on|over)[\s-]year)\b"
    r"|\b(?:vorjahr\w*|vorquartal\w*|vorperiode|halbjahr|(?:l'|un\s+)?an(?:née)?\s+(?:précédente?|dernière?|plus tôt)"
    r"|(?:el\s+)?año\s+(?:anterior|pasado)|(?:l')?anno\s+(?:precedente|scorso))\b",
    re.IGNORECASE,
)

_BEFORE_IT = re.compile(r"\s*[)）]?\s*(?:in|for|during|im|en|dans)?\s*(?:the|a|der|dem)?\s*", re.IGNORECASE)
_BEHIND_IT = re.compile(r"\s*(?:[:：]|(?:was|were|war(?:en)?)(?:\s+(?:es|it|at|bei))?|:\s*[(])?\s*", re.IGNORECASE)
_SAME_YEAR = re.compile(r"half|halb|\b(?:on|over)\b", re.IGNORECASE)

_DATED_ASIDE = re.compile(r"[(（][^()（）]{0,24}\b(?:19|20)\d\d\s*[:：]\s*$")
_ASIDE_REACH = 40


def find_relative(text: str) -> tuple[tuple[int, int], ...]:
    """(start, end) of every such period in ``text``, in order."""
    return tuple(match.span() for match in _RELATIVE.finditer(text))


def is_earlier(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether one of ``spans`` right beside the number at ``text[start:end]`` says that it is of an earlier period."""
    if _DATED_ASIDE.search(text, max(0, start - _ASIDE_REACH), start):
        return True
    for low, high in spans:
        if _SAME_YEAR.search(text, low, high):
            continue
        behind = end <= low and _BEFORE_IT.fullmatch(text, end, low)
        if behind or (high <= start and _BEHIND_IT.fullmatch(text, high, start)):
            return True
    return False
