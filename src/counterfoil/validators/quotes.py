"""Owns QUOTE_NOT_FOUND: what an answer puts in quotation marks stands verbatim in a passage it cites.

Never: paraphrase, or short quoted names and terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.record.state import RunState
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


class Quotes(msgspec.Struct, frozen=True):
    """Block quotations and quoted runs of five words or more."""

    name: str = "quotes@1"
    words_min: int = WORDS_MIN

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each quotation that no cited passage holds; one without citation needs one."""
        scopes = split_scopes(candidate.body)
        found: list[Finding] = []
        for quote, cited in (*_blocks(scopes), *_inline(candidate.body, scopes, self.words_min)):
            finding = _check(quote, cited, state)
            if finding:
                found.append(finding)
        return tuple(found)


def _blocks(scopes: tuple[Scope, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Block quotations, an attribution in the last line left out, with what covers them."""
    for scope in scopes:
        if scope.kind != "quote":
            continue
        lines = [re.sub(r"^\s{0,3}(?:>\s?)+", "", line) for line in without_marks(scope.text).split("\n")]
        if len(lines) > 1 and _ATTRIBUTION.fullmatch(lines[-1]):
            lines.pop()
        whole = " ".join(lines).strip()
        if any(c.isalnum() for c in whole):
            yield whole, scope.cited


def _inline(body: str, scopes: tuple[Scope, ...], words_min: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Quotations in running text. One may hold several sentences; what covers any of them covers it."""
    for match in _QUOTED.finditer(without_marks(body)):
        quote = next(group for group in match.groups() if group)
        touched = [s for s in scopes if s.start < match.end() and match.start() < s.end]
        long = len(quote.split()) >= words_min or len(_CJK.findall(quote)) >= CJK_MIN
        if long and all(scope.kind != "quote" for scope in touched):
            yield quote, tuple(dict.fromkeys(i for scope in touched for i in scope.cited))


def _check(quote: str, cited: tuple[str, ...], state: RunState) -> Finding | None:
    pieces = [p for piece in _ELLIPSIS.split(_plain(quote)) if (p := piece.strip(" \"“”„«»,.;:!?'"))]
    passages = [e.passage.text for i in cited if (e := state.evidence(i)) is not None]
    for fact in state.facts:
        if fact.id in cited:
            passages += [e.passage.text for i in fact.evidence if (e := state.evidence(i)) is not None]
    joined = " ".join(passages)  # a quotation may run on into the next passage
    if _in_order(pieces, state.contract.question) or any(_in_order(pieces, text) for text in (*passages, joined)):
        return None
    where = space_folded(quote)
    if not passages:
        return Finding("QUOTE_NOT_FOUND", where, "a citation of the passage that is quoted")
    return Finding("QUOTE_NOT_FOUND", where, f"the passage's own words: {_nearest(quote, passages)}")


def _plain(text: str) -> str:
    """Without Markdown emphasis and escapes. Applied to both sides: a page may hold ``three_day_pass``."""
    return _MARKUP.sub("", unescaped(text))


def _in_order(pieces: list[str], text: str) -> bool:
    rest = space_folded(_plain(text))
    for piece in pieces:
        held = verbatim(piece, rest)
        if held is None:
            return False
        rest = rest[rest.find(held) + len(held) :]
    return True


def _nearest(quote: str, passages: list[str]) -> str:
    words = space_folded(quote).split()
    best = max(passages, key=lambda text: SequenceMatcher(None, words, text.split(), autojunk=False).ratio())
    return space_folded(best)[:300]
