"""Owns PLACEHOLDER_TEXT: words that stand for an answer still to be written.

Never: words of a source; a placeholder that a cited passage holds is a quotation.
"""

from __future__ import annotations

import re

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.answer.scopes import split_scopes
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import loosely_folded

_PATTERNS = re.compile(
    r"(?-i:\b(?:TODO|TBD|TBA|FIXME|XXX+|TK)\b)|\blorem ipsum\b"
    r"|\bto be (?:determined|added|filled in|completed|inserted)\b"
    r"|\[(?:insert|add|your|fill|enter|placeholder|name|company|date|source|citation|link|value|amount"
    r"|number|tbc|xx+)\b[^\]\n]{0,60}\](?!\()"
    r"|<(?:insert|placeholder|your|fill in)\b[^>\n]{0,60}>|\{\{[^}\n]{1,60}\}\}|\bplaceholder (?:text|value)\b"
    r"|\[(?:\.{3}|…|_{2,}|\?{1,3}|x{2,})\]|[$€£]\s?[XY]{1,3}(?:[.,][XY]{1,3})*\b|\b(?-i:X{1,3}\.?X{1,3})\s?(?:%|percent|million|billion)"
    r"|\b(?:www\.)?example\.(?:com|org|net)\b|\bcitation needed\b"
    r"|\bplatzhalter(?:text)?\b|\[(?:einfügen|bitte ergänzen)[^\]\n]{0,60}\]"
    r"|待补充|待定|占位符|プレースホルダー",
    re.IGNORECASE,
)


class Placeholders(msgspec.Struct, frozen=True):
    """Placeholder words anywhere in the body, quotations of cited passages left out."""

    name: str = "placeholders@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each placeholder."""
        found: list[Finding] = []
        for scope in split_scopes(candidate.body):
            passages = [loosely_folded(e.passage.text) for i in scope.cited if (e := state.evidence(i)) is not None]
            question = loosely_folded(state.contract.question)
            for match in _PATTERNS.finditer(scope.text):
                words = loosely_folded(match[0])
                if words in question or any(words in passage for passage in passages):
                    continue
                low, high = max(0, match.start() - 40), match.end() + 40
                where = " ".join(scope.text[low:high].split())
                found.append(Finding("PLACEHOLDER_TEXT", where, f"the finished text in place of {match[0]!r}"))
        return tuple(found)
