"""Histories written by hand: what a Host might have recorded, lawful or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tests.unit.core.record.folding import CONTRACT, DOCUMENT, SEGMENT, begun

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.exchange import CallDraft, Completion, ProposedCall
from counterfoil.core.law.policy import Number
from counterfoil.core.record import events as e
from counterfoil.core.record.chain import GENESIS, link
from counterfoil.ports.ledger import StoredEvent
from counterfoil.sim.history import History

SEARCH, READ, PUBLISH = "search_public_sources", "read_public_source", "publish_answer"
ALL = (SEARCH, READ, PUBLISH)
DEBITS = {SEARCH: {"web/searches": 1, "run/tool-calls": 1}, READ: {"reader/reads": 1, "run/tool-calls": 1}}


def commit(history: History, *events: e.Event, at: int = 0, epoch: int | None = None) -> History:
    """``history`` with one more commit."""
    last = history.records[-1].stored if history.records else None
    prev, seq = (last.hash, last.seq) if last else (GENESIS, 0)
    taken = [event.epoch for event in events if isinstance(event, e.LeaseTaken)]
    under = epoch if epoch is not None else taken[-1] if taken else history.tally.epoch
    rows: list[StoredEvent] = []
    for event in events:
        seq += 1
        kind = type(event).__name__
        made = link(prev, "r1", seq, at, "host", kind, b"{}", under)
        rows.append(StoredEvent("r1", seq, at, "host", kind, b"{}", prev, made, under))
        prev = made
    history.commit(rows, events)
    return history


def admitted(limits: dict[str, Number] | None = None, fallbacks: tuple[str, ...] = ()) -> History:
    """A Run whose contract stands, at time 0."""
    admission = e.RunAdmitted(begun(limits, fallbacks=fallbacks).snapshot)
    return commit(History(("Obey.",)), admission, e.LeaseTaken("p1", 1), e.ContractConfirmed(CONTRACT, "unseen"))


def asked(request: str, purpose: str = "research", tools: Sequence[str] = ALL) -> e.ModelCallReserved:
    return e.ModelCallReserved(request, purpose, tuple(tools), (), {}, "")  # type: ignore[arg-type]  # any purpose


def answered(request: str, *calls: tuple[str, str]) -> tuple[e.Event, ...]:
    """The reply to a request, with ``calls`` (id, tool)."""
    drafts = tuple(CallDraft(tool) for _, tool in calls)
    proposed = (e.ToolCallProposed(request, ProposedCall(name, tool, {})) for name, tool in calls)
    return e.ModelCallSettled(request, Completion(calls=drafts)), *proposed


def has_read(limits: dict[str, Number] | None = None) -> History:
    """A Run that has searched and read one segment, and shown it to nobody yet."""
    history = commit(admitted(limits), asked("m1"))
    commit(history, *answered("m1", ("c1", SEARCH)), e.ToolCallReserved("c1", DEBITS[SEARCH]))
    found = e.SourceRegistered("S1", DOCUMENT, "c1"), e.ToolCallSettled("c1", {})
    commit(history, *found, asked("m2"))
    commit(history, *answered("m2", ("c2", READ)), e.ToolCallReserved("c2", DEBITS[READ]))
    return commit(history, e.EvidenceRead("S1", SEGMENT, 1, "c2"), e.ToolCallSettled("c2", {}))


def published(history: History, body: str, **more: object) -> History:
    """``history`` with a candidate that was proposed in another turn."""
    commit(history, asked("m9"))
    candidate = Candidate("P1", body, **more)  # type: ignore[arg-type]  # a test names any field
    proposal = e.PublicationProposed(candidate, "c9", "run/publication-attempts")
    return commit(history, *answered("m9", ("c9", PUBLISH)), proposal)


def said(invariant: Callable[[History], Iterator[str]], history: History) -> str:
    """What an invariant has against the latest commit."""
    return "; ".join(invariant(history))
