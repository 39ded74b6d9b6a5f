"""Owns citation marks in Markdown: [E7] passages, [C1] calculations, [F2] facts, [R3] results.

Never: whether what a mark names exists, or what it covers (see ``core.answer.scopes``).
"""

from __future__ import annotations

import re

import msgspec

RANGE_MAX = 50  # "[E1-E9000]" is no citation of nine thousand passages

_ONE = r"[ECFRS]\d{1,8}"
_MARK = re.compile(rf"(?<!\\)(?:\[|【)\s*({_ONE}(?:\s*(?:[,;、，]|[-–])\s*{_ONE})*)\s*(?:\]|】)")
_RANGE = re.compile(r"([ECFRS])(\d{1,8})\s*[-–]\s*([ECFRS])(\d{1,8})")
_SPECIAL = re.compile(r"[\\`*_\[\]<>|【】]|^[#+-]|(?<=\n)[#+-]")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~$【】])")


class Mark(msgspec.Struct, frozen=True):
    """One mark as written: ``body[start:end]`` is the bracket, ``ids`` what it names, in order."""

    start: int
    end: int
    ids: tuple[str, ...]


def find_marks(body: str) -> tuple[Mark, ...]:
    """Every mark in ``body``. "[E7, E9]" names two, "[E7-E9]" three; "[S2]" (a handle) is returned too."""
    return tuple(Mark(m.start(), m.end(), _ids(m[1])) for m in _MARK.finditer(body))


def _ids(inner: str) -> tuple[str, ...]:
    out: list[str] = []
    for part in re.split(r"[,;、，]", inner):
        span = _RANGE.fullmatch(part.strip())
        if span and span[1] == span[3] and 0 <= int(span[4]) - int(span[2]) <= RANGE_MAX:
            out.extend(f"{span[1]}{n}" for n in range(int(span[2]), int(span[4]) + 1))
        else:
            out.extend(re.findall(_ONE, part))
    return tuple(dict.fromkeys(out))


def escaped(text: str) -> str:
    """``text`` of a document for quoting in Markdown: it cannot become a mark, a link, an image or markup."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def unescaped(markdown: str) -> str:
    """The text that ``escaped`` was given."""
    return _ESCAPE.sub(r"\1", markdown)


def without_marks(body: str) -> str:
    """``body`` with every mark blanked out; all positions hold."""
    return _MARK.sub(lambda m: " " * len(m[0]), body)
