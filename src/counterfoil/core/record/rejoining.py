"""Owns what a parent takes over from its helpers: their reports, and what they read, under IDs of its own.

Never: a fact or a verdict. What helpers say is material for the parent's model, as untrusted as any page.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from counterfoil.core.evidence.sources import evidence_number
from counterfoil.core.exchange import Json
from counterfoil.core.law.carving import unused
from counterfoil.core.record.events import Event, EvidenceRead, InstructionFlagged, SourceRegistered
from counterfoil.core.record.helpers import BudgetReturned, Helper, HelperSettled
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import find_marks

FAILED_HINT = "this part has no answer: do it yourself with what budget is left, or declare it as a gap"


class HelperEnd(msgspec.Struct, frozen=True):
    """How a helper ended. ``state`` None: it never began, or (not ``readable``) its ledger does not tell.

    ``broke``: what went wrong outside its own ledger.
    """

    helper: Helper
    state: RunState | None = None
    head: str = ""
    broke: str = ""
    readable: bool = True


class _Names(msgspec.Struct):
    """What the parent calls what a helper read: handle → handle, evidence number → evidence number."""

    handles: dict[str, str] = {}
    evidence: dict[int, int] = {}


def rejoined(state: RunState, call_id: str, ends: tuple[HelperEnd, ...]) -> tuple[Json, tuple[Event, ...]]:
    """The receipt of a split, and the events that stand before it.

    A segment that the parent has read, or that two helpers read, is one reading. Helpers paid for their reads, so
    nothing is debited here; only what a helper that is over did not use comes back.
    """
    takeover = _Takeover(state, call_id)
    parts = [takeover.part(end) for end in ends]
    content = {"parts": parts, "evidence": takeover.blocks, "repeated": not takeover.blocks}
    return content, tuple(takeover.events)


class _Takeover:
    """One split on its way into the parent; IDs are given in the order of parts and of their reading."""

    def __init__(self, state: RunState, call_id: str) -> None:
        self._call_id = call_id
        self._handles = dict(state.handles.items())  # document id → handle
        self._firsts = {place: state.readings[index].first for place, index in state.read_index.items()}
        self._count = state.evidence_count
        self._flagged = {(flag.handle, flag.segment, flag.excerpt) for flag in state.flags}
        self.blocks: list[Json] = []
        self.events: list[Event] = []

    def part(self, end: HelperEnd) -> Json:
        """Take over one helper; what the parent's model is told of it."""
        helper, child = end.helper, end.state
        over = child.settled if child else None
        status, reason = (over.status, over.stop_reason) if over else ("failed", "internal")
        self.events.append(HelperSettled(self._call_id, helper.id, status, reason, end.head, end.broke))
        told: Json = {"part": helper.part, "goal": helper.contract.question, "status": status, "stop_reason": reason}
        if end.broke:
            told["why"] = end.broke
        if over or (
            child is None and end.readable
        ):  # of one that may still be under way, nobody knows what it will have used
            returned = unused(helper.carve, child.budget.used if child else {})
            self.events.append(BudgetReturned(self._call_id, helper.id, returned))
        if child is None:
            return {**told, "hint": FAILED_HINT}
        names = self._take_over(child)
        if over and over.error:
            told["error"] = over.error
        if status == "failed":
            told["hint"] = FAILED_HINT
        return {**told, **_report(child, names)}

    def _take_over(self, child: RunState) -> _Names:
        names = _Names()
        for reading in child.readings:
            source = child.sources[reading.handle]
            handle = self._handles.get(source.document.id)
            if handle is None:
                handle = f"S{len(self._handles) + 1}"
                self._handles[source.document.id] = handle
                self.events.append(SourceRegistered(handle, source.document, self._call_id))
            names.handles[reading.handle] = handle
            place, count = (handle, reading.segment.index), len(reading.segment.passages)
            if place not in self._firsts:
                self._firsts[place] = self._count + 1
                self._count += count
                self.events.append(EvidenceRead(handle, reading.segment, self._firsts[place], self._call_id))
                self.blocks.append({"handle": handle, "segment": reading.segment.index})
            first = self._firsts[place]
            names.evidence.update({reading.first + n: first + n for n in range(count)})
        self.events += self._flags(child, names)
        return names

    def _flags(self, child: RunState, names: _Names) -> Iterator[InstructionFlagged]:
        """What the helper flagged, unless the parent or a helper before it did."""
        for flag in child.flags:
            handle = names.handles.get(flag.handle or "")
            if handle and (found := (handle, flag.segment, flag.excerpt)) not in self._flagged:
                self._flagged.add(found)
                yield InstructionFlagged(*found)


def _report(child: RunState, names: _Names) -> Json:
    accepted = child.accepted
    body = accepted.candidate.body if accepted else child.host_report or ""
    facts = [
        {
            key: value
            for key, value in msgspec.to_builtins(fact).items()
            if value not in (None, "", [], ()) and key in _FACT_KEYS
        }
        | {"evidence": [_renamed(name, names) for name in fact.evidence]}
        for fact in child.facts
    ]
    return {
        "assembled_by": "model" if accepted else "host",
        "report": _with_marks(body, names),
        "facts": facts,
        "gaps": [
            {"row": gap.row, "field": gap.field, "state": gap.state, "why": gap.why}
            for gap in (accepted.candidate.gaps if accepted else ())
        ],
    }


_FACT_KEYS = frozenset({"row", "field", "kind", "value", "unit", "period", "conditions", "quote", "header", "formula"})


def _renamed(name: str, names: _Names) -> str:
    number = evidence_number(name)
    known = names.evidence.get(number) if number else None
    return f"E{known}" if known else ""


def _with_marks(body: str, names: _Names) -> str:
    """``body`` with the parent's names in its marks. Facts, results and calculations of a helper have none there."""
    for mark in reversed(find_marks(body)):
        ours = [named for name in mark.ids if (named := _renamed(name, names) or names.handles.get(name))]
        body = body[: mark.start] + (f"[{', '.join(dict.fromkeys(ours))}]" if ours else "") + body[mark.end :]
    return body
