"""Owns the objective facts that a view lists after a finding, a failure or a conflict, and the three questions.

Never: a judgement on what is missing, a route, or a word of a model or document; names come from the contract and the
Host.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from counterfoil.core.exchange import TableCell
from counterfoil.core.record.review_steps import spoken
from counterfoil.core.record.state import FACTS_TOOL, Call, RunState, Turn

NAMED_MAX = 5  # names in one line; of more, their number is told
QUESTIONS = (
    "Is something still to be retrieved? To be compared or computed? To be interpreted? That is for you to judge; the "
    "question as it was asked stands."
)


def situation(state: RunState, table: Sequence[TableCell]) -> str | None:
    """What is so after the latest reply, counted; None when it found nothing, failed nowhere and no cell conflicts.

    ``table``: the cells as the same view shows them.
    """
    turn = latest(state)
    calls = [state.calls[call_id] for call_id in turn.calls] if turn else []
    failed = [call for call in calls if call.status in ("refused", "failed", "unknown")]
    mismatches = [call for call in calls if _unregistered(call)]
    if not failed and not mismatches and not any(_found(state, call) for call in calls):
        return None
    lines = ["What is so now:", *standing(state, table)]
    if failed:
        lines.append(f"- calls that gave no result: {_named([_failure(call) for call in failed])}")
    if mismatches:
        lines.append(f"- searches with fewer readable results than found: {_named([_gap(c) for c in mismatches])}")
    return "\n".join([*lines, QUESTIONS])


def latest(state: RunState) -> Turn | None:
    """The latest turn of research that was answered."""
    return next((turn for turn in reversed(state.turns) if spoken(turn)), None)


def standing(state: RunState, table: Sequence[TableCell]) -> Iterator[str]:
    """What is open, contradictory and unpublished, one line each."""
    for name, wanted in (("open cells", "open"), ("cells in conflict", "conflict")):
        cells = [f"{cell.row} / {cell.field}" for cell in table if cell.state == wanted]
        if cells:
            yield f"- {name}: {_named(cells)}, of {len(table)}"
    if state.accepted is None:
        proposed = len(state.publications)
        yield "- no answer is published" + (f"; {proposed} proposed, none accepted" if proposed else "")


def _found(state: RunState, call: Call) -> bool:
    """Whether a call brought something new: a fact, or passages that were not read before."""
    if call.call.tool == FACTS_TOOL:
        return bool(call.content.get("recorded"))
    return call.status == "settled" and call.content.get("repeated") is False


def _failure(call: Call) -> str:
    code = call.content.get("refused") or call.content.get("failed")
    return f"{call.call.id} ({code})"


def _unregistered(call: Call) -> int:
    """How many results of a search got no handle."""
    coverage = call.content.get("coverage")
    failed = coverage.get("failed") if isinstance(coverage, dict) else 0
    return failed if isinstance(failed, int) else 0


def _gap(call: Call) -> str:
    return f"{call.call.id} ({_unregistered(call)} fewer)"


def _named(names: Sequence[str]) -> str:
    more = len(names) - NAMED_MAX
    return ", ".join(names[:NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
