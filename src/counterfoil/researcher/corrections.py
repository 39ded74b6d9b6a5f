"""Owns what a rejection teaches: which sentences go, and which gaps its findings offer to declare.

Never: judging a finding; what the checks say is taken as it is.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.text.marks import unescaped
from counterfoil.researcher.draft import Cell, Draft

Findings = list[dict[str, Any]]

_OFFER = re.compile(r'declare a gap with field "([^"\n]+)"')


def offered_gaps(rejections: list[Findings], calls: tuple[str, ...]) -> list[Gap]:
    """The gaps that satisfy findings which nothing else here can: an extractive answer is as long as its quotes."""
    found = ((offer[1], finding) for findings in rejections for finding in findings if (offer := _offer(finding)))
    wanted = {field: f"{finding.get('where') or field}: quoted passages do not make it" for field, finding in found}
    return [Gap(field=field, state="unresolved", why=why, search_calls=calls) for field, why in wanted.items()]


def without_offers(rejections: list[Findings]) -> list[Findings]:
    """The rejections with what a declared gap does not satisfy; those of nothing else are left out."""
    kept = ([finding for finding in findings if not _offer(finding)] for findings in rejections)
    return [findings for findings in kept if findings]


def _offer(finding: dict[str, Any]) -> re.Match[str] | None:
    return _OFFER.search(str(finding.get("needed") or ""))


def without_offence(draft: Draft, findings: Findings, fallback: Draft, cell: Cell) -> Draft:
    """Drop every block that a finding names and declare so; a bad first line becomes the next quotation, or a gap."""
    wheres = [bare(str(f.get("where") or "")) for f in findings]
    wheres = [where.partition(" in: ")[2] or where for where in wheres if where]
    blocks = [block for block in draft.body.split("\n\n") if block.strip()]
    kept = [block for block in blocks if not any(where in bare(block) or bare(block) in where for where in wheres)]
    if len(kept) == len(blocks) or not kept:
        return fallback
    if kept[0] != blocks[0]:
        if not draft.quotes or not kept[0].startswith("> "):
            return fallback
        kept[0] = kept[0].removeprefix("> ")
    codes = ", ".join(dict.fromkeys(str(f.get("code") or "") for f in findings))
    gap = Gap(
        cell.row, cell.field, "unresolved", f"a passage was left out, because it did not pass the checks: {codes}"
    )
    return Draft("\n\n".join(kept), draft.facts, draft.calculations, [*draft.gaps, gap])


def with_gaps(draft: Draft, gaps: list[Gap]) -> Draft:
    """The draft with further gaps declared, each once."""
    known = {(gap.row, gap.field) for gap in draft.gaps}
    fresh = [gap for gap in gaps if (gap.row, gap.field) not in known]
    return replace(draft, gaps=[*draft.gaps, *fresh]) if fresh else draft


def bare(line: str) -> str:
    """A line without marks, citations and repeated blanks."""
    return " ".join(re.sub(r"\[[A-Z]\d+\]|^>\s?|[*_`]", " ", unescaped(line)).split())
