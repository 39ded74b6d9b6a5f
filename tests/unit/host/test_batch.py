"""A batch: one Run a question, one budget, and nothing answered twice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.host.fakes import Bench, call, contract

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law.policy import Number, effective
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import Task
from counterfoil.host.batch import Batch, Outcome, batch_id, carved, run_id_of
from counterfoil.host.host import Host
from counterfoil.wiring import catalogue

pytestmark = pytest.mark.req("TSK-16")

VALUES = effective(catalogue(), {})
FACT = {"row": "City North", "field": "price", "value": "18", "unit": "USD", "evidence_id": "E2", "quote": "costs $18"}
ANSWER = (
    call("search_public_sources", query="visitor pass price"),
    call("read_public_source", handle="S1"),
    call("record_facts", facts=[FACT]),
    call("publish_answer", body="The visitor pass costs $18 [E2].", finish=True),
)


def task(question: str) -> Task:
    return Task(replace(contract(), question=question), "2026-11-30")


class Batched:
    """A batch over memory; each Run has a model of its own that answers in four requests."""

    def __init__(self, budget: Mapping[str, Number] | None = None, questions: int = 3) -> None:
        self.bench = Bench([])
        self.opened = 0
        self.told: list[tuple[int, str, bool]] = []
        self.pause = asyncio.Event()
        self.pause_after: int | None = None
        self._args = ("b1", tuple(task(f"What does pass {n} cost?") for n in range(questions)), budget or {}, VALUES)

    def open_host(self, state: RunState | None) -> Host:
        self.opened += 1
        return Bench(list(ANSWER), ledger=self.bench.ledger).host

    def tell(self, outcome: Outcome, before: bool) -> None:
        self.told.append((outcome.place, outcome.status, before))
        if outcome.place == self.pause_after:
            self.pause.set()

    def drive(self) -> tuple[Outcome, ...]:
        self.batch = Batch(*self._args)
        return asyncio.run(self.batch.drive(self.bench.ledger, self.open_host, self.pause, self.tell))


def test_each_question_is_a_run_and_the_same_again_asks_nothing() -> None:
    batched = Batched()
    first = batched.drive()
    assert [outcome.status for outcome in first] == ["completed"] * 3
    assert [outcome.run_id for outcome in first] == [run_id_of("b1", place) for place in (1, 2, 3)]
    opened, used = batched.opened, dict(batched.batch.used)
    again = batched.drive()
    assert batched.opened == opened
    assert batched.batch.used == used
    assert batched.told[3:] == [(1, "completed", True), (2, "completed", True), (3, "completed", True)]
    assert [outcome.finished for outcome in again] == [outcome.finished for outcome in first]


def test_a_pause_ends_it_and_the_same_again_goes_on() -> None:
    batched = Batched()
    batched.pause_after = 2
    assert len(batched.drive()) == 2
    batched.pause, batched.pause_after = asyncio.Event(), None
    assert [(outcome.place, outcome.status) for outcome in batched.drive()][2] == (3, "completed")
    assert batched.told[2:] == [(1, "completed", True), (2, "completed", True), (3, "completed", False)]


def test_a_question_that_the_budget_no_longer_pays_is_refused_and_named() -> None:
    batched = Batched({"run/tool-calls": 4, "web/searches": 1})
    outcomes = batched.drive()
    assert outcomes[0].status == "completed"
    assert [outcome.status for outcome in outcomes[1:]] == ["refused", "refused"]
    assert outcomes[1].error is not None and outcomes[1].error.policy == "web/searches"
    assert batched.batch.used["web/searches"] == 1


@given(
    total=st.integers(1, 500), used=st.integers(0, 600), policy=st.sampled_from(["web/searches", "run/model-requests"])
)
def test_no_run_is_given_more_than_the_batch_has_left(total: int, used: int, policy: str) -> None:
    own = VALUES[policy].value or 0
    if used >= total:
        with pytest.raises(PolicyRefused, match=policy):
            carved({policy: total}, {policy: used}, VALUES)
        return
    given_to_it = carved({policy: total}, {policy: used}, VALUES).get(policy, own)
    assert given_to_it == min(own, total - used)


def test_the_name_follows_from_what_is_asked() -> None:
    assert batch_id({"a": 1, "b": [2]}) == batch_id({"b": [2], "a": 1})
    assert batch_id({"a": 1}) != batch_id({"a": 2})
