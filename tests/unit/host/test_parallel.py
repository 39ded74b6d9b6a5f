"""Helpers over memory: carved, side by side, brought back; nothing twice, however often somebody dies."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace
from tests.unit.host.fakes import Bench, PlayedModel, Reply, call

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.errors import LeaseLost, ModelError, RefusedError
from counterfoil.core.law import budget as ids
from counterfoil.core.record.events import Event, ModelCallSettled, ToolCallRefused
from counterfoil.core.record.helpers import BudgetCarved, BudgetReturned
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished, cancel_run, finished_run
from counterfoil.host.parallel import worked_until

CONTRACT = Contract(
    question="What do the passes of City North and City South cost?",
    rows=(Row("City North"), Row("City South")),
    fields=(Field("price", type="money"),),
)
NORTH = {"goal": "What does the visitor pass of City North cost?", "rows": ["City North"]}
SOUTH = {"goal": "What does the day pass of City South cost?", "rows": ["City South"]}
AGAIN = {"goal": "What does the day pass of City South cost today?", "rows": ["City South"]}
SPLIT = call("run_in_parallel", parts=[NORTH, SOUTH])
READ = call("read_public_source", handle="S1")
DIES = ModelError("HTTP 401", code="KEY_REFUSED", category="auth_refused", hint="")


def part(row: str, words: str, value: str, quote: str) -> list[Reply]:
    fact = {"row": row, "field": "price", "value": value, "unit": "USD", "evidence_id": "E2", "quote": quote}
    return [
        call("search_public_sources", query=words),
        READ,
        call("record_facts", facts=[fact]),
        call("publish_answer", body=f"{row}: ${value} [E2].", finish=True),
    ]


NORTH_PART = part("City North", "visitor pass price North", "18", "costs $18")
SOUTH_PART = part("City South", "day pass price South", "15", "costs $15")


class Family(Bench):
    """A Host whose helpers play replies of their own, and go on where their ledgers say."""

    def __init__(self, replies: Sequence[Reply], helpers: Mapping[int, Sequence[Reply]]) -> None:
        super().__init__(replies)
        self.played: dict[int, PlayedModel] = {}
        self.helpers = helpers
        self.host._helper_models = self.models_of

    def models_of(self, number: int, state: RunState | None) -> tuple[PlayedModel, ...]:
        so_far = sum(turn.status in ("settled", "failed") for turn in state.turns) if state else 0
        model = PlayedModel(list(self.helpers.get(number, ()))[so_far:])
        self.played[number] = model
        return (model,)

    def events(self, run_id: str = "run1") -> list[Event]:
        return [event for _, event in asyncio.run(self.ledger.events(run_id))]


def publish(finished: str) -> Reply:
    return call("publish_answer", body=finished, finish=True)


ANSWER = [
    call(
        "record_facts",
        facts=[
            {"row": "City North", "field": "price", "value": "18", "evidence_id": "E2", "quote": "costs $18"},
            {"row": "City South", "field": "price", "value": "15", "evidence_id": "E4", "quote": "costs $15"},
        ],
    ),
    publish("City North costs $18 [E2].\n\nCity South costs $15 [E4]."),
]


def family(**operator: int) -> tuple[Family, Finished]:
    bench = Family([SPLIT, *ANSWER], {1: NORTH_PART, 2: SOUTH_PART})
    return bench, asyncio.run(bench.ask(CONTRACT, **operator))


@pytest.mark.req("QC-07")
def test_what_helpers_read_is_cited_by_their_parent_under_its_own_ids() -> None:
    bench, finished = family()
    assert finished.report.status == "completed", finished.report.rejections
    told = finished.state.calls["c1"].content
    assert [one["status"] for one in told["parts"]] == ["completed", "completed"]
    assert [one["report"] for one in told["parts"]] == ["City North: $18 [E2].", "City South: $15 [E4]."]
    assert [one["facts"][0]["evidence"] for one in told["parts"]] == [["E2"], ["E4"]]
    assert finished.state.shown("E4")
    assert "run_in_parallel" in bench.model.offered[0]
    assert all("run_in_parallel" not in offered for helper in bench.played.values() for offered in helper.offered)


@pytest.mark.req("QC-07", "LED-02")
def test_a_helper_uses_no_more_than_its_carve_and_the_rest_comes_back() -> None:
    bench, finished = family()
    events = bench.events()
    carves = {event.helper: event.carve for event in events if isinstance(event, BudgetCarved)}
    returned = {event.helper: event.returned for event in events if isinstance(event, BudgetReturned)}
    for helper, carve in carves.items():
        used = asyncio.run(finished_run(bench.ledger, helper)).state.budget.used
        assert carve[ids.MODEL_REQUESTS] == 12
        assert all(0 <= used.get(policy, 0) <= units for policy, units in carve.items())
        assert returned[helper] == {policy: units - used.get(policy, 0) for policy, units in carve.items()}
    used = finished.state.budget.used
    assert (used[ids.MODEL_REQUESTS], used[ids.SEARCHES], used[ids.READS]) == (3 + 4 + 4, 2, 2)
    assert finished.report.usage[ids.MODEL_REQUESTS]["by_purpose"] == {"research": 3, "helpers": 8}


@pytest.mark.req("QC-07")
def test_a_part_that_fails_is_reported_beside_the_others() -> None:
    bench = Family([SPLIT, *ANSWER], {1: [DIES], 2: SOUTH_PART})
    finished = asyncio.run(bench.ask(CONTRACT))
    north, south = finished.state.calls["c1"].content["parts"]
    assert (north["status"], north["stop_reason"]) == ("failed", "provider_failed")
    assert north["error"]["code"] == "auth_refused"
    assert south["status"] == "completed"


@pytest.mark.req("QC-07", "GOV-12")
@pytest.mark.parametrize(
    ("parts", "code", "policy"),
    [
        ([NORTH], "PARTS_TOO_FEW", ids.HELPER_PARTS_MIN),
        ([NORTH, SOUTH, AGAIN, NORTH, SOUTH], "PARTS_TOO_MANY", ids.HELPER_PARTS_MAX),
        ([{**NORTH, "share": 0.7}, {**SOUTH, "share": 0.4}], "ARGUMENTS_INVALID", None),
        ([NORTH, {"goal": "East", "rows": ["City East"]}], "ARGUMENTS_INVALID", None),
        ([{**NORTH, "share": 0.1}, SOUTH], "PARTS_TOO_SMALL", ids.MODEL_REQUESTS),
    ],
)
def test_a_split_that_is_not_lawful_is_refused_and_costs_nothing(
    parts: list[object], code: str, policy: str | None
) -> None:
    bench = Family([call("run_in_parallel", parts=parts)], {})
    finished = asyncio.run(bench.ask(CONTRACT))
    (refused,) = [event for event in bench.events() if isinstance(event, ToolCallRefused)]
    assert (refused.code, refused.policy) == (code, policy), refused.why
    assert finished.state.helpers == ()
    assert set(finished.state.budget.used) <= {ids.MODEL_REQUESTS, ids.INPUT_TOKENS, ids.OUTPUT_TOKENS, ids.COST_USD}


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.req("QC-07", "LED-03", "LED-05")
@pytest.mark.parametrize("at", range(2, 18))
def test_wherever_the_process_dies_nothing_is_done_or_paid_twice(at: int) -> None:
    bench = Family([SPLIT, *ANSWER], {1: NORTH_PART, 2: SOUTH_PART})
    append, commits = bench.ledger.append, 0

    async def dying(*args: object, **more: object) -> object:
        nonlocal commits
        commits += 1
        if commits >= at:  # a dead process writes nothing more
            raise Killed
        return await append(*args, **more)  # type: ignore[arg-type]

    bench.ledger.append = dying  # type: ignore[method-assign,assignment]
    with pytest.raises(Killed):
        asyncio.run(bench.ask(CONTRACT))
    bench.ledger.append = append  # type: ignore[method-assign]
    bench.holders.name = "second"
    turns = asyncio.run(finished_run(bench.ledger, "run1")).state.turns
    bench.model._replies = [SPLIT, *ANSWER][sum(turn.status == "settled" for turn in turns) :]
    finished = asyncio.run(bench.host.resume("run1"))
    assert finished.report.status == "completed"
    unknown = Counter(type(event).__name__ for event in bench.events())["EffectOutcomeUnknown"]
    assert unknown <= 1
    for helper in ("run1/1", "run1/2"):
        types = Counter(type(event).__name__ for event in bench.events(helper))
        assert types["FactRecorded"] == types["EvidenceRead"] == types["RunSettled"] == 1
    for policy in (ids.MODEL_REQUESTS, ids.SEARCHES, ids.READS, ids.TOOL_CALLS):
        helpers = [asyncio.run(finished_run(bench.ledger, one)).state.budget.used for one in ("run1/1", "run1/2")]
        own = finished.state.budget.used[policy] - sum(used.get(policy, 0) for used in helpers)
        attempts = sum(turn.purpose == "research" for turn in finished.state.turns)
        assert own == (attempts if policy == ids.MODEL_REQUESTS else 0)
    assert len(finished.state.readings) == 2


@pytest.mark.req("QC-07")
def test_a_pause_rests_the_helpers_and_resuming_goes_on_with_them() -> None:
    pause = asyncio.Event()

    def stop(_view: object, _tools: object) -> object:
        pause.set()
        return NORTH_PART[1]

    bench = Family([SPLIT, *ANSWER], {1: [NORTH_PART[0], stop, *NORTH_PART[2:]], 2: SOUTH_PART})  # type: ignore[list-item]
    paused = asyncio.run(bench.host.ask(Task(CONTRACT, "2025-03-31"), pause=pause))
    assert paused.state.paused
    assert paused.state.calls["c1"].status == "reserved"
    assert asyncio.run(finished_run(bench.ledger, "run1/1")).state.paused
    finished = asyncio.run(bench.host.resume("run1"))
    assert finished.report.status == "completed"


@pytest.mark.req("QC-07", "LED-09")
def test_cancelling_the_parent_cancels_its_helpers_and_squares_the_budget() -> None:
    pause = asyncio.Event()

    def stop(_view: object, _tools: object) -> object:
        pause.set()
        return NORTH_PART[1]

    bench = Family([SPLIT, *ANSWER], {1: [NORTH_PART[0], stop], 2: SOUTH_PART})  # type: ignore[list-item]
    asyncio.run(bench.host.ask(Task(CONTRACT, "2025-03-31"), pause=pause))
    finished = asyncio.run(cancel_run(bench.ledger, bench.holders, bench.clock, "run1"))
    assert finished.report.status == "cancelled"
    helper = asyncio.run(finished_run(bench.ledger, "run1/1")).state
    assert helper.settled is not None
    assert helper.settled.status == "cancelled"
    used = sum(
        asyncio.run(finished_run(bench.ledger, one)).state.budget.used[ids.MODEL_REQUESTS]
        for one in ("run1/1", "run1/2")
    )
    assert finished.state.budget.used[ids.MODEL_REQUESTS] == 1 + used


@pytest.mark.req("QC-07")
def test_a_helper_is_resumed_through_its_parent_only() -> None:
    pause = asyncio.Event()

    def stop(_view: object, _tools: object) -> object:
        pause.set()
        return NORTH_PART[0]

    bench = Family([SPLIT], {1: [stop]})  # type: ignore[list-item]
    asyncio.run(bench.host.ask(Task(CONTRACT, "2025-03-31"), pause=pause))
    with pytest.raises(RefusedError) as refused:
        asyncio.run(bench.host.resume("run1/1"))
    assert refused.value.code == "RUN_IS_PART"
    assert "resume run1" in refused.value.hint


@pytest.mark.req("QC-07", "GOV-05")
def test_a_helper_has_its_parents_limits_within_its_carve_and_the_time_that_is_left_for_research() -> None:
    named = {ids.ACTIVE_SECONDS: 900, ids.ATTEMPT_SECONDS: 900, ids.FINAL_RESERVE: 7, ids.SAME_CALL_FAILURES: 3}
    bench = Family([SPLIT, *ANSWER], {1: NORTH_PART, 2: SOUTH_PART})
    finished = asyncio.run(bench.host.ask(Task(CONTRACT, "2025-03-31", operator=dict(named))))
    left = 900 - finished.state.budget.require(ids.FINALIZATION_SECONDS)
    assert left < 900 and len(finished.state.helpers) == 2
    for helper in finished.state.helpers:
        assert helper.limits[ids.ACTIVE_SECONDS] == helper.limits[ids.ATTEMPT_SECONDS] == left
        assert helper.limits[ids.SAME_CALL_FAILURES] == 3
        assert ids.FINAL_RESERVE not in helper.limits


@pytest.mark.req("QC-07")
def test_a_helper_that_is_not_over_tells_when_its_parent_was_worked_on_last() -> None:
    pause = asyncio.Event()

    def stop(_view: object, _tools: object) -> object:
        bench.clock.advance(5_000)
        pause.set()
        return NORTH_PART[1]

    bench = Family([SPLIT], {1: [NORTH_PART[0], stop], 2: SOUTH_PART})  # type: ignore[list-item]
    paused = asyncio.run(bench.host.ask(Task(CONTRACT, "2025-03-31"), pause=pause)).state
    began = paused.admitted_at
    assert asyncio.run(worked_until(bench.ledger, paused, began)) == began + 5_000
    assert asyncio.run(worked_until(bench.ledger, paused, began + 9_000)) == began + 9_000
    over = replace(paused, helpers=tuple(replace(helper, status="completed") for helper in paused.helpers))
    assert asyncio.run(worked_until(bench.ledger, over, began)) == began


@pytest.mark.req("QC-07", "LED-06", "LED-09")
def test_a_helper_that_begins_while_its_parent_is_cancelled_asks_for_nothing() -> None:
    bench = Family([SPLIT, *ANSWER], {1: NORTH_PART, 2: SOUTH_PART})
    append = bench.ledger.append
    beginning: list[str] = []

    async def cancelled_meanwhile(run_id: str, *args: object, **more: object) -> object:
        if run_id == "run1/1" and not beginning:
            beginning.append(run_id)
            await cancel_run(bench.ledger, bench.holders, bench.clock, "run1")
        return await append(run_id, *args, **more)  # type: ignore[arg-type]

    bench.ledger.append = cancelled_meanwhile  # type: ignore[method-assign,assignment]
    with pytest.raises(LeaseLost):
        asyncio.run(bench.ask(CONTRACT))
    assert not [event for event in bench.events("run1/1") if isinstance(event, ModelCallSettled)]
    assert asyncio.run(finished_run(bench.ledger, "run1")).report.status == "cancelled"
