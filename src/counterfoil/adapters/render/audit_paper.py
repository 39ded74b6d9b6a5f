"""Owns what the renderers of an audit are given, and the words they share.

Never: I/O, or a verdict of its own; the object that ``audit --json`` prints has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from counterfoil.adapters.render.paper import PageContext, Paper
from counterfoil.adapters.render.plain import one_line

Json = Mapping[str, Any]

_CODES = {
    "FIGURE_UNSOURCED": "No document supports this figure",
    "FIGURE_MISMATCH": "What is cited does not hold this figure",
    "QUOTE_NOT_FOUND": "These words stand in no document",
    "CITATION_UNKNOWN": "What is cited is not among the documents",
    "COUNT_NOT_MET": "Fewer or more than was asked for",
    "PLACEHOLDER_TEXT": "Text still to be written",
    "FORMAT_BAD": "This cannot be read in its own format",
    "LINK_BAD": "This link cannot be used",
}


class AuditPaper(msgspec.Struct, frozen=True):
    """Everything the report of an audit shows. ``report`` is the object that ``audit --json`` prints, unchanged."""

    report: dict[str, Any]
    draft: str
    name: str  # the draft's file name
    question: str = ""
    documents: int = 0
    contexts: dict[str, PageContext] = {}

    @property
    def findings(self) -> Sequence[Json]:
        """What is against the draft, in its order."""
        return tuple(self.report["findings"])

    def count(self, state: str) -> int:
        """How many figures have a state."""
        return sum(figure["state"] == state for figure in self.report["figures"])

    def sources(self) -> Paper:
        """The quotes that bind, or come nearest to, what the draft says, as a paper of their own."""
        cited: dict[str, Json] = {}
        rows: list[dict[str, Any]] = []
        for item in (*self.report["figures"], *self.report["quotes"]):
            for citation, binds in citations_in(item):
                cited.setdefault(citation["id"], citation)
                if binds:
                    rows.append({"row": item["text"], "field": f"line {item['line']}", "evidence": [citation["id"]]})
        ordered = sorted(cited.values(), key=lambda citation: int(citation["id"][1:]))
        report = {"publication": {"citations": ordered}, "evidence_table": rows}
        return Paper(report=report, contexts=self.contexts)


def citations_in(item: Json) -> list[tuple[Json, bool]]:
    """The citations that stand beside a figure or quotation, each with whether it binds."""
    binding = item.get("binding") or {}
    found = [(binding.get("citation"), True), (item.get("citation"), item["state"] == "bound")]
    found += [(operand.get("citation"), True) for operand in (binding.get("calculation") or {}).get("inputs") or ()]
    found.append(((item.get("nearest") or {}).get("citation"), False))
    return [(citation, binds) for citation, binds in found if citation]


def code_words(code: str) -> str:
    """A finding's code as a person reads it; an unknown one is shown as it is."""
    return _CODES.get(code, one_line(code).replace("_", " ").capitalize())


def verdict_words(paper: AuditPaper) -> str:
    """The outcome in one sentence."""
    figures = paper.report["figures"]
    if not paper.findings:
        return f"Nothing to object to: {counted(len(figures), 'figure')}, {paper.count('bound')} bound to a passage."
    flagged = paper.count("flagged")
    return (
        f"{counted(len(paper.findings), 'finding')}: {flagged} of {counted(len(figures), 'figure')} "
        f"{'has' if flagged == 1 else 'have'} no support in these documents."
    )


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 figure", "2 figures"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
