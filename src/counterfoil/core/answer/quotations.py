"""Owns what an answer puts in quotation marks, and whether a text holds it word for word.

Never: paraphrase, or short quoted names and terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.text.folding import space_folded, verbatim
from counterfoil.core.text.marks import unescaped, without_marks

WORDS_MIN = 5
CJK_MIN = 10  # characters; scripts without blanks have no word count
_INSIDE = r"(?:[^{0}\n]|\n(?!\s*\n)){{6,}}?"  # a quotation may wrap, but ends with its paragraph
_PAIRS = ("“”", "„“”", "«»", "「」", "『』")
_QUOTED = re.compile(
    rf"(?<!\w)\"(?=\S)({_INSIDE.format(chr(34))})(?<=\S)\"(?!\w)"
    + "".join(rf"|{pair[0]}({_INSIDE.format(pair)})[{pair[1:]}]" for pair in _PAIRS)
)
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3}|…)\s*")
_MARKUP = re.compile(r"[*_`]{1,3}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ATTRIBUTION = re.compile(r"\s*(?:—|–|--)\s*\S.*$")


class Quotation(msgspec.Struct, frozen=True):
    """Quoted words: ``body[start:end]`` with their marks, what they say, and the ids that cover them."""

    text: str
    start: int
    end: int
    cited: tuple[str, ...] = ()


def find_quotations(body: str, words_min: int = WORDS_MIN) -> tuple[Quotation, ...]:
    """Block quotations, and quoted runs of at least ``words_min`` words."""
    scopes = split_scopes(body)
    return (*_blocks(scopes), *_inline(body, scopes, words_min))


def _blocks(scopes: tuple[Scope, ...]) -> Iterator[Quotation]:
    """Block quotations, an attribution in the last line left out, with what covers them."""
    for scope in scopes:
        if scope.kind != "quote":
            continue
        lines = [re.sub(r"^\s{0,3}(?:>\s?)+", "", line) for line in without_marks(scope.text).split("\n")]
        if len(lines) > 1 and _ATTRIBUTION.fullmatch(lines[-1]):
            lines.pop()
        whole = " ".join(lines).strip()
        if any(c.isalnum() for c in whole):
            yield Quotation(whole, scope.start, scope.end, scope.cited)


def _inline(body: str, scopes: tuple[Scope, ...], words_min: int) -> Iterator[Quotation]:
    """Quotations in running text. One may hold several sentences; what covers any of them covers it."""
    first = 0
    for match in _QUOTED.finditer(without_marks(body)):
        quote = next(group for group in match.groups() if group)
        while first < len(scopes) and scopes[first].end <= match.start():
            first += 1  # scopes are in order, and so are quotations
        touched: list[Scope] = []
        for scope in scopes[first:]:
            if scope.start >= match.end():
                break
            touched.append(scope)
        long = len(quote.split()) >= words_min or len(_CJK.findall(quote)) >= CJK_MIN
        if long and all(scope.kind != "quote" for scope in touched):
            cited = tuple(dict.fromkeys(i for scope in touched for i in scope.cited))
            yield Quotation(quote, match.start(), match.end(), cited)


def stands(quote: str, text: str) -> bool:
    """Whether ``text`` holds the words of ``quote``, the pieces between its ellipses in that order."""
    rest = space_folded(_plain(text))
    for piece in pieces(quote):
        held = verbatim(piece, rest)
        if held is None:
            return False
        rest = rest[rest.find(held) + len(held) :]
    return True


def pieces(quote: str) -> tuple[str, ...]:
    """What stands between the ellipses of ``quote``, without outer punctuation."""
    parted = _ELLIPSIS.split(_plain(quote))
    return tuple(piece for part in parted if (piece := part.strip(" \"“”„«»,.;:!?'")))


def _plain(text: str) -> str:
    """Without Markdown emphasis and escapes. Applied to both sides: a page may hold ``three_day_pass``."""
    return _MARKUP.sub("", unescaped(text))


def closest(quote: str, passages: Sequence[str]) -> int:
    """The place of the passage that comes nearest to ``quote`` word by word. ``passages`` is not empty."""
    words = space_folded(quote).split()
    alike = [SequenceMatcher(None, words, text.split(), autojunk=False).ratio() for text in passages]
    return alike.index(max(alike))
