"""Owns what can go wrong between finding and reading: the right source left closed, the right page not reached.

Never: judging what was made of what was read (``state`` and ``synthesis`` do).
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.diagnosis.account import Account, Cause, belongs
from counterfoil.core.evidence.sources import Source
from counterfoil.core.law.budget import READS
from counterfoil.core.record import events as e
from counterfoil.core.record.state import READ_TOOL, Call


def causes(run: Account) -> Iterator[Cause]:
    """Causes in reading."""
    for source in run.gold_sources():
        yield from _gold(run, source)
    if not run.gold:
        yield from _left_closed(run)
    unopened = [call for call in run.calls(READ_TOOL) if call.status in ("failed", "refused") and not _by_limit(call)]
    if unopened and run.unanswered():
        told = "; ".join(str(call.content.get("why", "")) for call in unopened[:3])
        yield Cause(
            "reading",
            "READ_FAILED",
            f"{len(unopened)} reads gave nothing: {told}",
            tuple(seq for call in unopened for seq in run.closing(call.call.id)),
            "see the reason of each; a handle opens only in its Run and for its lifetime",
            2,
        )


def _by_limit(call: Call) -> bool:
    """Whether a limit of our own refused a call: that says nothing of the source (``budget`` has it)."""
    return call.status == "refused" and "policy" in call.content


def _gold(run: Account, source: Source) -> Iterator[Cause]:
    found = run.registered(source.handle)
    if not run.read(source):
        yield Cause(
            "reading",
            "GOLD_UNREAD",
            f"{source.handle} ({source.document.title}) was found and never read",
            found,
            "the model chose other sources; a row bound to its documents leaves it no other",
            3,
        )
        return
    read = [reading.segment for reading in run.state.readings if reading.handle == source.handle]
    if run.expected and not any(run.says(segment.text) for segment in read):
        pages = ", ".join(str(segment.page or segment.index) for segment in read)
        yield Cause(
            "reading",
            "GOLD_PAGE_UNREAD",
            f"of {source.handle} ({source.document.title}) {len(read)} of {source.document.segments} parts were read "
            f"({pages}), and none holds {run.expected!r}",
            run.where(e.EvidenceRead, lambda event: event.handle == source.handle),
            "search within that document for the words beside the figure",
            3,
        )


def _left_closed(run: Account) -> Iterator[Cause]:
    """Sources of an unanswered row that were found, were its own, and stayed closed while reads were left."""
    left = run.state.budget.left(READS)
    if left is not None and left <= 0:
        return
    for cell in run.unanswered():
        closed = [s for s in run.state.sources.values() if not run.read(s) and belongs(run, s, cell.row)]
        if closed:
            named = ", ".join(f"{source.handle} ({source.document.title})" for source in closed)
            yield Cause(
                "reading",
                "SOURCE_UNREAD",
                f"{cell.row} / {cell.field} has no value, and {named} was never opened",
                run.registered(*(source.handle for source in closed)),
                "reads were left: open what belongs to the row before declaring a gap",
                2,
            )
