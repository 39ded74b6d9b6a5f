"""Owns what a diagnosis looks at: the events of a Run in order, what they fold into, and what a critic knows besides.

Never: guessing what the right answer is; only a critic can say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar

import msgspec

from counterfoil.core.answer.conflicts import CellView, cell_states
from counterfoil.core.evidence.domains import among_docs, on_domains
from counterfoil.core.evidence.passages import Document
from counterfoil.core.evidence.sources import Source
from counterfoil.core.record import events as e
from counterfoil.core.record.state import Call, RunState
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.quantities import amount_in, find_quantities, same_amount

Stage = Literal[
    "retrieval", "reading", "state", "orchestration", "calculation", "synthesis", "provider", "budget", "security"
]
_Event = TypeVar("_Event")


class Cause(msgspec.Struct, frozen=True):
    """One thing that went wrong. ``events``: the sequence numbers that show it, oldest first."""

    stage: Stage
    code: str
    why: str  # a sentence with the names and numbers of this Run
    events: tuple[int, ...]
    remedy: str
    weight: int  # how far it explains a bad answer by itself: 3 does, 2 contributes, 1 is worth knowing


class Account(msgspec.Struct, frozen=True):
    """A Run under diagnosis. ``expected``: the right answer, ``gold``: words of the source that has it, if known."""

    state: RunState
    events: Sequence[tuple[int, e.Event]]  # (sequence, event), oldest first
    expected: str | None = None
    gold: str | None = None

    def of(self, kind: type[_Event]) -> Iterator[tuple[int, _Event]]:
        """Events of one type with their sequence numbers."""
        return ((seq, event) for seq, event in self.events if isinstance(event, kind))

    def where(self, kind: type[_Event], holds: Callable[[_Event], bool]) -> tuple[int, ...]:
        """Sequence numbers of events of one type for which ``holds``."""
        return tuple(seq for seq, event in self.of(kind) if holds(event))

    def registered(self, *handles: str) -> tuple[int, ...]:
        """The events that gave these handles out."""
        return self.where(e.SourceRegistered, lambda event: event.handle in handles)

    def recorded(self, *facts: str) -> tuple[int, ...]:
        """The events that recorded these facts."""
        return self.where(e.FactRecorded, lambda event: event.fact.id in facts)

    def closing(self, call_id: str) -> tuple[int, ...]:
        """The events that ended a call."""
        kinds = (e.ToolCallSettled, e.ToolCallFailed, e.ToolCallRefused)
        return tuple(seq for seq, event in self.events if isinstance(event, kinds) and event.call_id == call_id)

    def ending(self) -> tuple[int, ...]:
        """The event that settled the Run."""
        return self.where(e.RunSettled, lambda _: True)

    def calls(self, tool: str) -> tuple[Call, ...]:
        """Calls of a tool, in order."""
        return tuple(call for call in self.state.calls.values() if call.call.tool == tool)

    def cells(self) -> tuple[CellView, ...]:
        """The contract's cells as they ended."""
        gaps = self.state.accepted.candidate.gaps if self.state.accepted else ()
        return tuple(cell_states(self.state.contract, self.state.facts, gaps))

    def unanswered(self) -> tuple[CellView, ...]:
        """Cells without a value."""
        return tuple(cell for cell in self.cells() if cell.state not in ("found", "conflict"))

    def complete(self) -> bool:
        """Whether every cell has a value and an answer was accepted."""
        return self.state.accepted is not None and not self.unanswered() and not self.state.accepted.candidate.gaps

    def answer(self) -> str:
        """The delivered answer's text."""
        accepted = self.state.accepted
        return accepted.candidate.body if accepted else self.state.host_report or ""

    def read(self, source: Source) -> bool:
        """Whether anything of a source was read."""
        return any(reading.handle == source.handle for reading in self.state.readings)

    def gold_sources(self) -> tuple[Source, ...]:
        """Registered sources that the critic's words name."""
        return tuple(
            source for source in self.state.sources.values() if self.gold and names(source.document, self.gold)
        )

    def says(self, text: str) -> bool:
        """Whether ``text`` holds the right answer: the same amount, else the same words."""
        return self.expected is not None and holds(text, self.expected)


def names(document: Document, words: str) -> bool:
    """Whether ``words`` occur in what a document is known by."""
    known = (document.id, document.url, document.title)
    return any(loosely_folded(words) in loosely_folded(name) for name in known)


def holds(text: str, value: str) -> bool:
    """Whether ``text`` holds ``value``: one of its amounts equals it, else its words stand there."""
    wanted = amount_in(value, None)
    if wanted is not None:
        return any(same_amount(found, wanted.value) for found in find_quantities(text))
    return loosely_folded(value) in loosely_folded(text)


def belongs(run: Account, source: Source, row: str) -> bool:
    """Whether a source is one of a row's own: bound to it, or called after it."""
    bound, document = run.state.contract.row(row), source.document
    if bound and bound.docs:
        return among_docs(document, bound.docs)
    if bound and bound.domains:
        return on_domains(document.url, bound.domains)
    said = loosely_folded(f"{document.title} {document.subject or ''} {document.url}")
    return bool(row) and loosely_folded(row) in said
