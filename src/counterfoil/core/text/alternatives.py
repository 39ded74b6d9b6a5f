"""Owns patterns of word lists, shaped so that ``re`` does not try a hundred words at every place of a text.

Never: what the words mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby


def one_of(words: Iterable[str], letters_end: str = "") -> str:
    """The pattern of any of ``words``, the longest that fits; ``letters_end`` goes behind those that end in a-z.

    Words with the same first letter stand in one branch, so that a place where none begins is left after a few looks.
    """
    ordered = sorted(dict.fromkeys(words), key=lambda word: (word[:1], -len(word)))
    branches = []
    for first, group in groupby(ordered, key=lambda word: word[:1]):
        rests = (re.escape(w[1:]) + (letters_end if w[-1].isascii() and w[-1].isalpha() else "") for w in group)
        branches.append(f"{re.escape(first)}(?:{'|'.join(rests)})")
    return "|".join(branches)
