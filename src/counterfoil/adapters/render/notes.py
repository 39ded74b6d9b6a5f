"""Owns the working notes of a report: the plan, and the needs with the status that the model gave them.

Never: a word that makes a note look like a result; the answer, the gaps and the status say what was established.
"""

from __future__ import annotations

import msgspec

from counterfoil.adapters.render.paper import Paper
from counterfoil.adapters.render.plain import one_line

TITLE = "Working notes"
MEANING = "What the model kept in mind while it worked. It decided nothing."


class NoteLine(msgspec.Struct, frozen=True):
    """One note: what it is, and what it says."""

    label: str
    text: str


def note_lines(paper: Paper) -> tuple[NoteLine, ...]:
    """The plan line by line, then the needs, in the order of the object."""
    plan = paper.report.get("plan") or {}
    lines = [NoteLine("kind of work", one_line(plan["kind"]))] if plan.get("kind") else []
    for label, key in (("criterion", "success_criteria"), ("deliverable", "deliverables")):
        lines += [NoteLine(label, one_line(text)) for text in plan.get(key) or []]
    for need in paper.report.get("needs") or []:
        status = one_line(need.get("status") or "").replace("_", " ")
        lines.append(NoteLine(f"need, {status}", one_line(need.get("need") or "")))
    return tuple(lines)
