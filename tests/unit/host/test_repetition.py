"""No third attempt: what is refused, what it costs, and what ends the rule."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.host.fakes import Bench, call, calls, contract

from counterfoil.core.errors import SourceInvalid
from counterfoil.core.exchange import Completion, Json, ProposedCall
from counterfoil.core.record import events as e
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished
from counterfoil.host.repetition import unrepeated
from counterfoil.ports.tool import Effect, Failed, Judged, Refused, Settled

SEARCH = call("search_public_sources", query="visitor pass price")
DONE = call("finish_research", limitations=["enough"])
GONE = ("read_public_source", {"handle": "S1", "find": "no such words"})
TURNED = ("read_public_source", {"find": "no such words", "handle": "S1"})


def ran(*replies: Completion, bench: Bench | None = None) -> tuple[Finished, list[e.Event]]:
    bench = bench or Bench([SEARCH, *replies, DONE])
    finished = asyncio.run(bench.ask())
    return finished, [event for _, event in asyncio.run(bench.ledger.events("run1"))]


def reserved(events: list[e.Event], tool: str = "read_public_source") -> int:
    asked = [ev.call.id for ev in events if isinstance(ev, e.ToolCallProposed) and ev.call.tool == tool]
    return sum(isinstance(event, e.ToolCallReserved) and event.call_id in asked for event in events)


@pytest.mark.req("QC-02")
def test_a_call_that_failed_twice_is_not_made_a_third_time() -> None:
    finished, events = ran(calls(GONE), calls(TURNED), calls(GONE))
    assert reserved(events) == finished.state.budget.used["reader/reads"] == 2
    (refused,) = [event for event in events if isinstance(event, e.ToolCallRefused)]
    assert (refused.code, refused.policy) == ("SAME_CALL_FAILED", "quality/same-call-failures")
    assert "S2" in refused.hint and "S1" not in refused.hint
    assert "search_public_sources" in refused.hint and "read_public_source" not in refused.hint
    assert "cost nothing" in refused.why


@pytest.mark.req("QC-02")
def test_three_of_one_reply_are_made_one_after_the_other() -> None:
    _, events = ran(calls(GONE, TURNED, GONE))
    assert reserved(events) == 2
    assert [type(ev).__name__ for ev in events if isinstance(ev, e.ToolCallFailed | e.ToolCallRefused)] == [
        "ToolCallFailed", "ToolCallFailed", "ToolCallRefused",
    ]  # fmt: skip


@pytest.mark.req("QC-02")
def test_one_that_succeeds_is_answered_to_its_twin_in_the_same_reply_for_one_debit() -> None:
    finished, _ = ran(calls(("read_public_source", {"handle": "S1"}), ("read_public_source", {"handle": "S1"})))
    assert finished.state.budget.used["reader/reads"] == 1
    assert [finished.state.calls[name].status for name in ("c2", "c3")] == ["settled", "settled"]


@pytest.mark.req("QC-02")
def test_success_begins_a_new_streak() -> None:
    outcomes = iter([True, False, True, True, True])
    bench = Bench([*(SEARCH for _ in range(5)), DONE])
    search = bench.host._tools[0]
    right = search.perform  # type: ignore[attr-defined]  # a tool whose effect fails when a test wants it

    async def moody(request: Json) -> object:
        if next(outcomes):
            raise SourceInvalid("gone", code="GONE")
        return await right(request)

    search.perform = moody  # type: ignore[attr-defined]
    finished, events = ran(bench=bench)
    assert [one.status for one in finished.state.calls.values()] == [
        "failed", "settled", "failed", "failed", "refused", "settled",
    ]  # fmt: skip
    assert reserved(events, "search_public_sources") == 4


@pytest.mark.req("QC-02")
def test_an_invalid_handle_is_a_failed_call_until_it_exists() -> None:
    bad = call("read_public_source", handle="S1")
    bench = Bench([bad, bad, bad, SEARCH, bad, DONE])
    finished, events = ran(bench=bench)
    codes = [event.code for event in events if isinstance(event, e.ToolCallRefused)]
    assert codes == ["HANDLE_NEVER_ISSUED", "HANDLE_NEVER_ISSUED", "SAME_CALL_FAILED"]
    assert finished.state.calls["c5"].status == "settled"  # it never ran before, and now it can


@pytest.mark.req("QC-02", "QC-01")
def test_a_spent_budget_stays_the_reason_with_its_own_hint() -> None:
    bench = Bench([*(call("search_public_sources", query=f"pass {n}") for n in range(2)), *([SEARCH] * 3), DONE])
    asyncio.run(bench.ask(web__searches=2))
    events = [event for _, event in asyncio.run(bench.ledger.events("run1"))]
    refused = [event for event in events if isinstance(event, e.ToolCallRefused)]
    assert [event.code for event in refused] == ["SEARCHES_EXHAUSTED"] * 3
    assert {event.category for event in refused} == {"local_budget_exhausted"}
    assert all("use what you have" in event.hint for event in refused)


@pytest.mark.req("QC-02")
def test_publications_have_their_own_allowance() -> None:
    wrong = call("publish_answer", body="It costs $77.")
    _, events = ran(wrong, wrong, wrong)
    assert sum(isinstance(event, e.PublicationRejected) for event in events) == 3


@pytest.mark.req("QC-02")
def test_a_resumed_run_knows_what_failed_before() -> None:
    bench = Bench([SEARCH, calls(GONE), calls(TURNED)])

    async def play() -> Finished:
        pause = asyncio.Event()

        def stop(_view: object, _tools: object) -> Completion:
            pause.set()
            return calls(TURNED)

        bench.model._replies[2] = stop
        await bench.host.ask(Task(contract(), "2025-03-31"), pause=pause)
        bench.model._replies += [calls(GONE), DONE]
        return await bench.host.resume("run1")

    finished = asyncio.run(play())
    assert finished.state.calls["c4"].content["refused"] == "SAME_CALL_FAILED"


@pytest.mark.req("QC-02")
@pytest.mark.parametrize("made", [Settled({}), Judged(()), Refused("X", "x"), Failed("X", "internal", "x")])
def test_a_call_without_a_streak_is_what_its_tool_made_of_it(made: Settled | Judged | Refused | Failed) -> None:
    finished, _ = ran(calls(GONE), calls(TURNED))
    fresh = ProposedCall("c9", "read_public_source", {"handle": "S2"})
    assert unrepeated(fresh, finished.state, made, 0) is made
    again = ProposedCall("c9", *GONE)
    assert (unrepeated(again, finished.state, made, 0) is made) == isinstance(made, Settled | Judged)
    assert isinstance(unrepeated(again, finished.state, Effect({}, {}), 0), Refused)
