"""Resuming: wherever the process dies, the Run goes on from its receipts and pays nothing twice."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from tests.unit.host.fakes import Bench, Reply, call

from counterfoil.adapters.stores.crash import CrashingLedger
from counterfoil.core.errors import LedgerBroken, ModelError, RefusedError
from counterfoil.core.record.events import EffectOutcomeUnknown, Event, LeaseTaken
from counterfoil.host.folding import fold
from counterfoil.host.host import Finished, finished_run
from counterfoil.wiring import played

FACT = {"row": "City North", "field": "price", "value": "18", "unit": "USD", "evidence_id": "E2", "quote": "costs $18"}
SCRIPT: list[Reply] = [
    call("search_public_sources", query="visitor pass price"),
    call("read_public_source", handle="S1"),
    call("record_facts", facts=[FACT]),
    call("publish_answer", body="The visitor pass costs $18 [E2].", finish=True),
]


class Killed(BaseException):
    """The process is gone."""


def _kill() -> None:
    raise Killed


def crash_and_resume(at: int) -> tuple[Finished, list[Event]]:
    """Die right before the ``at``-th commit, then go on with another Host over the same ledger."""
    first = Bench(SCRIPT)
    ledger = first.ledger
    first.host.ledger = CrashingLedger(ledger, at, _kill)
    with pytest.raises(Killed):
        asyncio.run(first.ask())
    second = Bench([])
    second.host.ledger = ledger
    second.holders.name = "second"
    runs = asyncio.run(ledger.runs())
    if not runs:
        raise LookupError
    before, _ = asyncio.run(fold(ledger, runs[0].run_id))
    second.model._replies = SCRIPT[played(before).get("played", {}).get("research", 0) :]
    finished = asyncio.run(second.host.resume(runs[0].run_id))
    events = asyncio.run(ledger.events(runs[0].run_id))
    return finished, [event for _, event in events]


@pytest.mark.req("LED-03", "LED-05")
@pytest.mark.parametrize("at", range(2, 8))
def test_a_run_killed_before_any_commit_ends_as_it_would_have(at: int) -> None:
    whole = asyncio.run(Bench(SCRIPT).ask())
    finished, events = crash_and_resume(at)
    report = finished.report
    assert (report.status, report.stop_reason) == ("completed", "finish_accepted")
    assert report.publication is not None
    assert whole.report.publication is not None
    assert report.publication.body == whole.report.publication.body
    unknown = [event for event in events if isinstance(event, EffectOutcomeUnknown)]
    for policy, usage in whole.report.usage.items():
        more = report.usage[policy]["used"] - usage["used"]
        assert 0 <= more <= len(unknown), policy
    assert [event.epoch for event in events if isinstance(event, LeaseTaken)] == [1, 2]


def test_a_run_that_died_before_its_first_commit_never_was() -> None:
    with pytest.raises(LookupError):
        crash_and_resume(1)


@pytest.mark.req("LED-03")
def test_a_settled_run_is_reported_and_nothing_is_requested() -> None:
    bench = Bench(SCRIPT)
    asked = asyncio.run(bench.ask())
    views = len(bench.model.views)
    again = asyncio.run(bench.host.resume("run1"))
    assert again.report == asked.report
    assert len(bench.model.views) == views


@pytest.mark.req("LED-06")
def test_a_run_that_another_process_drives_is_refused_naming_it() -> None:
    bench = Bench(SCRIPT)
    bench.host.ledger = CrashingLedger(bench.ledger, 3, _kill)
    with pytest.raises(Killed):
        asyncio.run(bench.ask())
    bench.holders.living = {"first"}
    with pytest.raises(RefusedError, match="first"):
        asyncio.run(bench.host.resume("run1"))


@pytest.mark.req("GOV-14")
def test_time_in_which_nobody_worked_does_not_count() -> None:
    bench = Bench([*SCRIPT[:2]])
    bench.host.ledger = CrashingLedger(bench.ledger, 4, _kill)
    with pytest.raises(Killed):
        asyncio.run(bench.ask())
    bench.host.ledger = bench.ledger
    bench.clock.advance(3_600_000)
    bench.model._replies = SCRIPT[2:]
    finished = asyncio.run(bench.host.resume("run1"))
    assert finished.report.stop_reason != "hard_deadline"
    assert finished.state.paused_ms >= 3_600_000 - 120_000


@pytest.mark.req("MOD-01")
def test_each_attempt_is_a_debit_and_the_last_failure_settles_the_run() -> None:
    limited = ModelError("slow down", code="RATE_LIMITED", category="upstream_rate_limited", retry_after_ms=2000)
    bench = Bench([limited, *SCRIPT])
    start = bench.clock.now_ms()
    assert asyncio.run(bench.ask()).report.status == "completed"
    assert bench.clock.now_ms() - start == 2000
    bench = Bench([*[limited] * 3, *SCRIPT])
    report = asyncio.run(bench.ask()).report
    assert (report.stop_reason, report.policy) == ("provider_failed", "model/attempts")
    assert report.usage["run/model-requests"]["used"] == 3
    assert len(bench.model.views) == 3


@pytest.mark.req("MOD-02")
def test_a_wait_that_is_too_long_or_a_refused_key_is_not_tried_again() -> None:
    patient = ModelError("later", code="RATE_LIMITED", category="upstream_rate_limited", retry_after_ms=61_000)
    refused = ModelError("no", code="KEY_REFUSED", category="auth_refused")
    for failure in (patient, refused):
        bench = Bench([failure, *SCRIPT])
        assert asyncio.run(bench.ask()).report.stop_reason == "provider_failed"
        assert len(bench.model.views) == 1


@pytest.mark.req("LED-01")
def test_a_ledger_that_does_not_verify_is_neither_shown_nor_continued() -> None:
    bench = Bench(SCRIPT)
    asyncio.run(bench.ask())
    rows = bench.ledger.rows["run1"]
    rows[2] = msgspec.structs.replace(rows[2], at=rows[2].at + 1)  # a chain that somebody changed
    for attempt in (bench.host.resume("run1"), finished_run(bench.ledger, "run1")):
        with pytest.raises(LedgerBroken, match="event 3"):
            asyncio.run(attempt)
