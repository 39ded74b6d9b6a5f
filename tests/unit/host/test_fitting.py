"""A Run whose evidence is far larger than what its model holds: requests fit, and the ledger says what is left out."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from tests.unit.host.fakes import Bench, PricedModel, call, contract

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.exchange import (
    AssistantTurn,
    Completion,
    HostNote,
    Message,
    ModelLimits,
    ToolResult,
    ToolSpec,
    View,
)
from counterfoil.core.record.events import InputRefused, ModelCallReserved
from counterfoil.core.view.size import tool_bytes, view_bytes
from counterfoil.wiring import tool_specs

SENTENCE = "The pass of City North costs $18 and holds for a day. "
PAGES = [("notes.md", "\f".join(SENTENCE * 74 for _ in range(280)))]  # 280 segments of 4,000 characters


class Small(PricedModel):
    """A model of 32,000 tokens, three bytes each."""

    window_tokens = 32_000


def reading(segments: int) -> list[Completion]:
    search = call("search_public_sources", query="pass of City North")
    return [search, *(call("read_public_source", handle="S1", segment=n) for n in range(segments))]


def whole_pairs(view: View) -> bool:
    called = [c.id for message in view.messages if isinstance(message, AssistantTurn) for c in message.calls]
    return called == [message.call_id for message in view.messages if isinstance(message, ToolResult)]


def without_notes(view: View) -> tuple[Message, ...]:
    """The past turns of a view: what the Host adds behind them holds for one request."""
    messages = list(view.messages)
    while messages and isinstance(messages[-1], HostNote):
        messages.pop()
    return tuple(messages)


@pytest.mark.req("MOD-04", "GOV-07", "LED-11", "QC-09")
def test_a_megabyte_of_evidence_fits_a_window_of_32_kilobytes_by_the_rules() -> None:
    bench = Bench([*reading(280)], PAGES)
    asked = bench.ask(
        context__input_bytes=32_768,
        reader__reads=300,
        run__model_requests=300,
        run__tool_calls=320,
    )
    finished = asyncio.run(asked)
    views = bench.model.views
    read = sum(len(reading.segment.text) for reading in finished.state.readings)
    assert read > 1_000_000 and len(views) > 250
    tools = tool_bytes(tool_specs())
    assert tools > 10_000
    assert all(view_bytes(view) + tools <= 32_768 and whole_pairs(view) for view in views)
    assert {view.contract.question for view in views} == {contract().question}
    events = [event for _, event in asyncio.run(bench.ledger.events("run1"))]
    reserved = [event for event in events if isinstance(event, ModelCallReserved)]
    named = [call_id for event in reserved for call_id in event.dropped]
    assert len(named) == len(set(named))  # each is told once: the ledger grows with what is new
    assert all(finished.state.shown(f"E{n}") for n in range(1, finished.state.evidence_count + 1))
    steps = [event for event in reserved if event.dropped]
    assert len(steps) < len(reserved) / 2  # between steps a view begins as the one before


@pytest.mark.req("MOD-04")
def test_between_steps_each_view_begins_with_the_one_before() -> None:
    bench = Bench(reading(60), PAGES)
    asyncio.run(bench.ask(context__input_bytes=60_000, reader__segment_chars=4000, reader__reads=70))
    views = bench.model.views[:50]
    past = [without_notes(view) for view in views]
    alike = [new[: len(old)] == old for old, new in itertools.pairwise(past)]
    assert alike.count(False) < len(alike) / 3


@pytest.mark.req("MOD-04", "GOV-07")
def test_a_models_own_window_is_held_where_it_is_smaller_than_the_policy_and_leaves_room_for_a_reply() -> None:
    seen: list[tuple[int, int]] = []

    class Watched(Small):
        async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
            seen.append((self.worst("research", view_bytes(view), 0).input, limits.output_tokens_max))
            return await super().complete(view, tools, limits)

    bench = Bench(reading(40), PAGES, model=Watched)
    asyncio.run(bench.ask())
    assert len(seen) > 20 and max(tokens for tokens, _ in seen) > 16_000
    assert all(tokens + reply <= 32_000 and reply >= 512 for tokens, reply in seen)


@pytest.mark.req("MOD-04")
def test_what_cannot_fit_is_refused_before_it_is_sent_and_nothing_is_debited() -> None:
    wordy = Completion(text="x" * 50_000)
    bench = Bench([wordy], PAGES)
    report = asyncio.run(bench.ask(context__input_bytes=41_000)).report
    assert len(bench.model.views) == 1 and report.usage["run/model-requests"]["used"] == 1
    assert (report.stop_reason, report.policy) == ("provider_failed", "context/input-bytes")
    (refused,) = [event for _, event in asyncio.run(bench.ledger.events("run1")) if isinstance(event, InputRefused)]
    assert refused.size_bytes > 41_000 and refused.window_tokens is None


@pytest.mark.req("MOD-04")
def test_a_view_that_the_models_window_cannot_hold_names_the_window() -> None:
    bench = Bench([Completion(text="x" * 150_000)], PAGES, model=Small)
    report = asyncio.run(bench.ask()).report
    assert len(bench.model.views) == 1
    assert report.error is not None and "the window of the model, which is 32000 tokens" in report.error["message"]


@pytest.mark.req("GOV-03")
def test_a_window_that_does_not_hold_one_segment_is_refused_at_admission() -> None:
    class Tiny(PricedModel):
        window_tokens = 8_000

    with pytest.raises(PolicyRefused, match="the window of played leaves for input") as refused:
        asyncio.run(Bench([], model=Tiny).ask())
    assert refused.value.hint.startswith("narrow reader/segment-chars")
