"""Owns the evidence report that the Host assembles when no Publication was accepted.

Never: a sentence of a rejected candidate; only facts with their sources, conflicts, gaps and what was tried.
"""

from __future__ import annotations

from counterfoil.core.answer.conflicts import Conflict, cell_states, conflicts
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.record.state import RunState


def assemble_report(state: RunState) -> str:
    """Markdown with ``[E7]`` marks. Whoever shows it says that the Host assembled it."""
    lines: list[str] = []
    cells = cell_states(state.contract, state.facts, ())
    known = [cell for cell in cells if cell.facts]
    loose = [fact for fact in state.facts if not any(fact in cell.facts for cell in cells)]
    if known or loose:
        lines += ["## What was found", ""]
        lines += [_fact(fact) for cell in known for fact in cell.facts]
        lines += [_fact(fact) for fact in loose]
    lines += _section("Conflicts", [_conflict(found) for found in conflicts(state.contract, state.facts)])
    missing = [f"- {cell.row}, {cell.field}: not answered" for cell in cells if cell.state not in ("found", "conflict")]
    lines += _section("What is missing", missing or ([] if known or loose else ["- an answer to the question"]))
    tried = [f"- searched: {call.call.args.get('query', '')}" for call in state.searches()]
    tried += [
        f"- read: {state.sources[reading.handle].document.title}"
        + (f", page {reading.segment.page}" if reading.segment.page else "")
        for reading in state.readings
    ]
    lines += _section("What was tried", tried or ["- nothing was searched or read"])
    return "\n".join(lines).strip() + "\n"


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _fact(fact: Fact) -> str:
    if fact.kind == "not_found":
        return f"- {fact.row}, {fact.field}: looked for and not found"
    marks = " ".join(f"[{evidence}]" for evidence in fact.evidence)
    unit = f" {fact.unit}" if fact.unit else ""
    period = f" ({fact.period})" if fact.period else ""
    kind = "" if fact.kind == "stated" else f", {fact.kind}"
    return f"- {fact.row}, {fact.field}: {fact.value}{unit}{period}{kind} {marks}".rstrip()


def _conflict(found: Conflict) -> str:
    values = " against ".join(_cited(group) for group in found.groups)
    return f"- {found.row}, {found.field}: {values}"


def _cited(group: tuple[Fact, ...]) -> str:
    return f"{group[0].value} [{', '.join(dict.fromkeys(e for fact in group for e in fact.evidence))}]"
