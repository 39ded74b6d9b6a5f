"""Owns PLACEHOLDER_TEXT: words that stand for an answer still to be written.

Never: words of a source; a placeholder that a cited passage holds is a quotation.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.answer.placeholders import find_placeholders
from counterfoil.core.answer.scopes import split_scopes
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import loosely_folded


class Placeholders(msgspec.Struct, frozen=True):
    """Placeholder words anywhere in the body, quotations of cited passages left out."""

    name: str = "placeholders@2"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each placeholder."""
        found: list[Finding] = []
        question = loosely_folded(state.contract.question)
        for scope in split_scopes(candidate.body):
            passages = [loosely_folded(e.passage.text) for i in scope.cited if (e := state.evidence(i)) is not None]
            for start, end in find_placeholders(scope.text):
                said = scope.text[start:end]
                words = loosely_folded(said)
                if words in question or any(words in passage for passage in passages):
                    continue
                where = " ".join(scope.text[max(0, start - 40) : end + 40].split())
                needed = f"the finished text in place of {said!r}, or a declared gap and no such words"
                line = line_of(candidate.body, scope.start + start)
                found.append(Finding("PLACEHOLDER_TEXT", where, needed, line=line))
        return tuple(found)
