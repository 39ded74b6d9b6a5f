"""Folds a few events into a state, for tests of ``evolve`` and ``decide``."""

from __future__ import annotations

from collections.abc import Mapping

from counterfoil.core.answer.contract import Contract, Field, Row, TimeAnchor
from counterfoil.core.evidence.passages import Document, Passage, Segment
from counterfoil.core.exchange import CallDraft, Completion, ProposedCall, ToolSpec
from counterfoil.core.law.policy import Number, effective
from counterfoil.core.record import events as e
from counterfoil.core.record.evolve import begin, evolve
from counterfoil.core.record.snapshot import Admitted, FallbackModel
from counterfoil.core.record.state import RunState
from counterfoil.wiring import catalogue

CONTRACT = Contract("What does it cost?", rows=(Row("North"),), fields=(Field("price", "money"),))
SEARCH = ToolSpec("search_public_sources", "", {}, "repeatable", ("research",), ("web/searches",), True)
READ = ToolSpec("read_public_source", "", {}, "repeatable", ("research",), ("reader/reads",), True)
PUBLISH = ToolSpec("publish_answer", "", {}, "pure", ("research", "finalize_only"))
DOCUMENT = Document("north.md", "memory://north.md", "North", "text/markdown", 1, "0" * 64)
SEGMENT = Segment("north.md", 0, 1, "It costs $18.", (Passage(0, 13, "It costs $18."),))


def begun(
    explicit: Mapping[str, Number] | None = None, *, entry: bool = False, fallbacks: tuple[str, ...] = ()
) -> RunState:
    """A Run right after its admission at time 0."""
    snapshot = Admitted(
        1, CONTRACT, TimeAnchor("2025-03-31"), tuple(effective(catalogue(), explicit or {}).values()), "played", "test",
        {}, (SEARCH, READ, PUBLISH), (), {}, entry, fallbacks=tuple(FallbackModel(spec, "test") for spec in fallbacks),
    )  # fmt: skip
    return begin("r1", e.RunAdmitted(snapshot), 0)


def researching(explicit: Mapping[str, Number] | None = None, fallbacks: tuple[str, ...] = ()) -> RunState:
    """A Run whose contract stands."""
    return after(begun(explicit, fallbacks=fallbacks), e.ContractConfirmed(CONTRACT, "unseen"))


def after(state: RunState, *events: e.Event) -> RunState:
    """The state after ``events``, all at time 0."""
    for event in events:
        state = evolve(state, event, 0)
    return state


def turn(number: int, *tools: str, purpose: str = "research", first_call: int = 1) -> tuple[e.Event, ...]:
    """A model request and its reply, which calls ``tools``."""
    request = f"m{number}"
    drafts = tuple(CallDraft(tool) for tool in tools)
    calls = [ProposedCall(f"c{first_call + place}", tool, {}) for place, tool in enumerate(tools)]
    return (
        e.ModelCallReserved(request, purpose, (), (), {}, ""),  # type: ignore[arg-type]  # tests name purposes freely
        e.ModelCallSettled(request, Completion(calls=drafts)),
        *(e.ToolCallProposed(request, call) for call in calls),
    )
