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
from counterfoil.core.text.marks import without_marks

WORDS_MIN = 5
CJK_MIN = 10  # characters; scripts without blanks have no word count
_QUOTED = re.compile(
    r"“([^“”]{8,})”|\"([^\"\n]{8,})\"|„([^„“”\"]{8,})[“”\"]|«([^«»]{8,})»|「([^「」]{6,})」|『([^『』]{6,})』"
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
        found: list[Finding] = []
        for scope in split_scopes(candidate.body):
            for quote in _quotations(scope, self.words_min):
                finding = _check(quote, scope, state)
                if finding:
                    found.append(finding)
        return tuple(found)


def _quotations(scope: Scope, words_min: int) -> Iterator[str]:
    text = without_marks(scope.text)
    if scope.kind == "quote":
        lines = [re.sub(r"^\s{0,3}(?:>\s?)+", "", line) for line in text.split("\n")]
        if len(lines) > 1 and _ATTRIBUTION.fullmatch(lines[-1]):
            lines.pop()
        whole = " ".join(lines).strip()
        yield from ([whole] if any(c.isalnum() for c in whole) else [])
        return
    for match in _QUOTED.finditer(text):
        quote = next(group for group in match.groups() if group)
        if len(quote.split()) >= words_min or len(_CJK.findall(quote)) >= CJK_MIN:
            yield quote


def _check(quote: str, scope: Scope, state: RunState) -> Finding | None:
    pieces = [p for piece in _ELLIPSIS.split(_MARKUP.sub("", quote)) if (p := piece.strip(" \"“”„«»,.;:!?'"))]
    passages = [e.passage.text for i in scope.cited if (e := state.evidence(i)) is not None]
    for fact in state.facts:
        if fact.id in scope.cited:
            passages += [e.passage.text for i in fact.evidence if (e := state.evidence(i)) is not None]
    joined = " ".join(passages)  # a quotation may run on into the next passage
    if _in_order(pieces, state.contract.question) or any(_in_order(pieces, text) for text in (*passages, joined)):
        return None
    where = space_folded(quote)
    if not passages:
        return Finding("QUOTE_NOT_FOUND", where, "a citation of the passage that is quoted")
    return Finding("QUOTE_NOT_FOUND", where, f"the passage's own words: {_nearest(quote, passages)}")


def _in_order(pieces: list[str], text: str) -> bool:
    rest = space_folded(text)
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
