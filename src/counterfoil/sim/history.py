"""Owns what is known of a simulated Run: its committed records, counted twice, and the effects the world saw.

Never: a judgement on any of it (see ``invariants``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from counterfoil.core.exchange import Json, ModelLimits, View
from counterfoil.core.law.policy import Number
from counterfoil.core.record.events import Event, RunAdmitted
from counterfoil.core.record.evolve import begin, evolve
from counterfoil.core.record.state import RunState
from counterfoil.ports.ledger import Lease, StoredEvent
from counterfoil.sim.counting import count
from counterfoil.sim.tally import Tally

E = TypeVar("E")


class Record(msgspec.Struct, frozen=True):
    """A committed event between the tally before it and the one after it."""

    stored: StoredEvent
    event: Event
    before: Tally
    after: Tally


class Effect(msgspec.Struct, frozen=True):
    """Something outside that happened: a model was asked, or a tool performed. ``records``: committed by then."""

    kind: str  # "model", or the tool's name
    epoch: int  # of the process that did it
    records: int
    request: Json = {}
    offered: tuple[str, ...] = ()
    view: View | None = None
    limits: ModelLimits | None = None
    model: str = ""  # of a request: who was asked
    worst: dict[str, Number] = {}  # of a request: what the model says that it may spend
    at: int = 0  # as the clock showed it
    left_ms: int | None = None  # what the timeout around it left, None without one
    lease_until: int = 0  # as far as the process knew


class History:
    """A Run as the world saw it. Invariants look at ``fresh``, the records of the latest commit."""

    def __init__(self, planted: Sequence[str] = ()) -> None:
        self.planted = tuple(planted)  # sentences in pages that address an assistant
        self.prompts: dict[str, str] = {}  # of the deployment that commits
        self.configured: dict[str, Number] = {}  # its limits
        self.lease: Lease | None = None  # as the store acknowledged it last
        self.proven = 0  # how many events of the chain were recomputed from the store
        self.records: list[Record] = []
        self.effects: list[Effect] = []
        self.fresh: list[Record] = []
        self.looked: dict[tuple[int, str], int] = {}  # by epoch and the event due: for how long a person had looked, ms
        self.states: list[RunState] = []  # before each fresh record; for the first of all, after it
        self.state: RunState | None = None
        self.parent: History | None = None  # whose helper this Run is
        self.helpers: dict[str, History] = {}  # by Run id, those that began or were about to

    def helper(self, run_id: str) -> History:
        """The history of a helper of this Run."""
        if run_id not in self.helpers:
            helper = History(self.planted)
            helper.parent = self
            self.helpers[run_id] = helper
        return self.helpers[run_id]

    @property
    def tally(self) -> Tally:
        """The second opinion on the Run as committed."""
        return self.records[-1].after if self.records else Tally()

    def commit(self, stored: Sequence[StoredEvent], events: Sequence[Event]) -> None:
        """Note what a ledger has made durable."""
        self.fresh, self.states = [], []
        for row, event in zip(stored, events, strict=True):
            before = self.tally
            if isinstance(event, RunAdmitted):
                state = begin(row.run_id, event, row.at)
                self.states.append(state)
            else:
                self.states.append(self.known)
                state = evolve(self.known, event, row.at)
            record = Record(row, event, before, count(before, event, row.at))
            self.records.append(record)
            self.fresh.append(record)
            self.state = state

    @property
    def known(self) -> RunState:
        """The Host's own fold of what is committed.

        Raises:
            LookupError: nothing is.
        """
        if self.state is None:
            raise LookupError("the Run has no events")
        return self.state

    def of(self, *kinds: type[E]) -> list[tuple[Record, E]]:
        """Fresh records of a type, each with its event."""
        return [(record, record.event) for record in self.fresh if isinstance(record.event, kinds)]
