"""Owns making text from outside safe to print: no escapes, no control characters, no reordering of a line.

Never: anything heavier than this; every command's error path imports it.
"""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?")
_KEPT = {"\n", "\t"}
_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def clean(text: object) -> str:
    """Text from outside without terminal escapes, control characters and direction overrides.

    Line breaks and tabs stay. What a page says cannot move a cursor, hide text or reorder a line.
    """
    bare = _CONTROL.sub("", str(text)).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in bare if c in _KEPT or (c not in _BIDI and unicodedata.category(c) not in ("Cc", "Cs")))


def one_line(text: object) -> str:
    """``clean`` text with white space folded into single spaces."""
    return " ".join(clean(text).split())
