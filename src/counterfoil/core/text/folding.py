"""Owns the foldings under which two texts count as the same: white space, digits, quotation marks.

Never: a folding that changes what a text says; ``digits_folded`` keeps every position.
"""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_FULL_WIDTH = {0xFF01 + i: chr(0x21 + i) for i in range(94)} | {
    0x3000: " ",
    0x2212: "-",  # minus sign
    0xFE63: "-",  # small hyphen-minus
    0x2010: "-",
    0x2011: "-",
    0xFFE5: "¥",
    0xFFE1: "£",
}
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'"})


def space_folded(text: str) -> str:
    """``text`` with every run of white space as one blank, without invisible characters, trimmed."""
    return " ".join(_INVISIBLE.sub("", text).split())


def verbatim(quote: str, text: str) -> str | None:
    """The words of ``text``, white space folded, that ``quote`` repeats; None when they do not stand there.

    White space and the shape of quotation marks may differ, nothing else. An empty quote stands nowhere.
    """
    wanted, whole = space_folded(quote), space_folded(text)
    at = whole.translate(_QUOTES).find(wanted.translate(_QUOTES)) if wanted else -1
    return whole[at : at + len(wanted)] if at >= 0 else None


def stands_in(quote: str, text: str) -> bool:
    """Whether ``quote`` stands verbatim in ``text`` (see ``verbatim``)."""
    return verbatim(quote, text) is not None


def words_stand_in(words: str, text: str) -> bool:
    """Whether ``words`` stand in ``text`` as whole words, case ignored ("Series B" is not in "Series Beta")."""
    wanted, whole = loosely_folded(words), loosely_folded(text)
    if not wanted:
        return False
    head = r"(?<![A-Za-z0-9À-ɏ])" if wanted[0].isalnum() else ""
    tail = r"(?![A-Za-z0-9À-ɏ])" if wanted[-1].isalnum() else ""
    return re.search(head + re.escape(wanted) + tail, whole) is not None


_SHORT_NAME = re.compile(r"([a-zà-ÿ]{2,6})(\d{0,3})")


def spelled_out_in(name: str, text: str) -> bool:
    """Whether words of the folded ``text`` spell a short name out: "CET1" is "common equity tier 1"."""
    parts = _SHORT_NAME.fullmatch(name.casefold())
    if parts is None:
        return False
    words = r"[\s-]+".join(rf"{letter}[^\W\d_]+" for letter in parts[1])
    number = rf"[\s-]+{parts[2]}" if parts[2] else ""
    return re.search(rf"(?<!\w){words}{number}(?!\w)", text) is not None


def loosely_folded(text: str) -> str:
    """``text`` for comparing words: white space, case and the shape of quotation marks are ignored."""
    return space_folded(text).translate(_QUOTES).casefold()


def digits_folded(text: str) -> str:
    """``text`` with digits and full-width signs of any script in ASCII; one character for each, so spans hold."""
    folded = text.translate(_FULL_WIDTH)
    if folded.isascii():
        return folded
    return "".join(str(unicodedata.decimal(c)) if not c.isascii() and c.isdecimal() else c for c in folded)
