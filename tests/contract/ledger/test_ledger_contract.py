"""The ledger contract: what every store promises about appending and reading."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.contract.ledger.stores import STORES, Store, append, five_events, go, listing, segment, verdict_of

from counterfoil.adapters.stores.crash import CrashingLedger
from counterfoil.core.errors import InternalError, LedgerBroken, LedgerConflict, NotFoundError
from counterfoil.core.record.chain import GENESIS, check_chain
from counterfoil.core.record.events import CancelRequested, EvidenceRead, ToolCallSettled


@pytest.mark.req("LED-01")
def test_what_was_appended_is_read_back_with_its_blobs(store: Store) -> None:
    events = five_events()
    written = append(store, "r1", 0, events[:2]) + append(store, "r1", 2, events[2:])
    store.reopen()
    assert go(store.ledger.stored("r1")) == written
    assert go(store.ledger.events("r1")) == tuple(zip(written, events, strict=True))
    assert [event.seq for event in written] == [1, 2, 3, 4, 5]
    assert [event.actor for event in written] == ["host", "host", "host", "host", "caller"]
    assert [event.at for event in written] == [5_000, 5_000, 5_002, 5_002, 5_002]
    assert written[0].prev_hash == GENESIS
    assert check_chain("r1", written) is None
    verdict = go(store.ledger.verify("r1"))
    assert (verdict.first_bad, verdict.events, verdict.head) == (None, 5, written[-1].hash)


def test_an_unknown_run_has_no_events_and_cannot_be_verified(store: Store) -> None:
    assert go(store.ledger.stored("r9")) == ()
    for question in (store.ledger.events("r9"), store.ledger.verify("r9")):
        with pytest.raises(NotFoundError, match="no Run r9"):
            go(question)


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_an_append_that_does_not_continue_the_run_changes_nothing(store: Store, expected: int) -> None:
    append(store, "r1", 0, five_events()[:2])
    before = go(store.ledger.stored("r1"))
    blobs = store.blobs()
    with pytest.raises(LedgerConflict) as refused:
        append(store, "r1", expected, five_events("other "), listing=listing("r1", "completed"))
    assert refused.value.code == "LEDGER_CONFLICT" and "2 events" in refused.value.message
    assert go(store.ledger.stored("r1")) == before
    assert store.blobs() == blobs
    assert [run.status for run in go(store.ledger.runs())] == ["running"]


def test_an_append_is_all_or_nothing(store: Store) -> None:
    with pytest.raises(InternalError) as refused:
        append(store, "r1", 0, [*five_events(), CancelRequested("half of a pair: \ud800")])
    assert refused.value.code == "EVENT_NOT_ENCODABLE"
    assert go(store.ledger.stored("r1")) == () and go(store.ledger.runs()) == () and store.blobs() == {}


def test_appending_nothing_writes_nothing(store: Store) -> None:
    assert append(store, "r1", 0, []) == ()
    assert go(store.ledger.runs()) == ()


def test_runs_are_listed_newest_first_with_their_last_state(store: Store) -> None:
    for run_id, at in (("ra", 10), ("rb", 30), ("rc", 20), ("rd", 20)):
        append(store, run_id, 0, [CancelRequested("x")], listing=listing(run_id, at=at))
    append(store, "ra", 1, [CancelRequested("y")], listing=listing("ra", "cancelled", at=10))
    found = go(store.ledger.runs())
    assert [(run.run_id, run.status) for run in found] == [
        ("rb", "running"),
        ("rd", "running"),
        ("rc", "running"),
        ("ra", "cancelled"),
    ]


@pytest.mark.req("LED-10")
def test_equal_bodies_are_stored_once_whatever_the_run(store: Store) -> None:
    append(store, "r1", 0, five_events())
    once = store.blobs()
    append(store, "r2", 0, five_events())
    append(store, "r1", 5, five_events())
    assert store.blobs() == once and len(once) == 3
    assert [go(store.ledger.verify(run_id)).first_bad for run_id in ("r1", "r2")] == [None, None]


@pytest.mark.req("LED-10")
def test_blob_names_differ_between_stores(store: Store, tmp_path: Path) -> None:
    other = store.another(tmp_path / "other")
    append(store, "r1", 0, five_events())
    append(other, "r1", 0, five_events())
    assert not set(store.blobs()) & set(other.blobs())
    go(other.ledger.close())


@pytest.mark.req("LED-10")
def test_a_large_body_is_stored_whole(store: Store) -> None:
    text = "".join(chr(0x4E00 + number % 20_000) for number in range(1_000_000))
    written = append(store, "r1", 0, [EvidenceRead("S1", segment(text), 1, "c1")])
    assert len(written[0].payload) < 300
    [(_, event)] = go(store.ledger.events("r1"))
    assert isinstance(event, EvidenceRead) and event.segment.text == text


def test_appends_of_many_runs_at_once_do_not_mix(store: Store) -> None:
    async def one(run_id: str) -> None:
        for seq in range(0, 9, 3):
            events = [CancelRequested(f"{run_id}.{seq + step}") for step in range(3)]
            await store.ledger.append(run_id, seq, events, at=seq, epoch=1, listing=listing(run_id))

    async def all_of_them() -> None:
        await asyncio.gather(*(one(f"r{number}") for number in range(20)))

    go(all_of_them())
    for number in range(20):
        events = [event for _, event in go(store.ledger.events(f"r{number}"))]
        assert events == [CancelRequested(f"r{number}.{step}") for step in range(9)]
        assert go(store.ledger.verify(f"r{number}")).first_bad is None


def test_one_bad_append_among_many_fails_alone(store: Store) -> None:
    async def all_of_them() -> list[Any]:
        right = [store.ledger.append(f"r{n}", 0, [CancelRequested("x")], at=1, epoch=1, listing=listing(f"r{n}"))
                 for n in range(4)]  # fmt: skip
        stale = store.ledger.append("r9", 7, [CancelRequested("x")], at=1, epoch=1, listing=listing("r9"))
        broken = store.ledger.append("r8", 0, [CancelRequested("\udfff")], at=1, epoch=1, listing=listing("r8"))
        return await asyncio.gather(*right[:2], stale, broken, *right[2:], return_exceptions=True)

    outcomes = go(all_of_them())
    assert [type(outcome) for outcome in outcomes] == [tuple, tuple, LedgerConflict, InternalError, tuple, tuple]
    assert [run.run_id for run in go(store.ledger.runs())] == ["r3", "r2", "r1", "r0"]


def test_two_appends_of_one_run_in_flight_keep_their_order(store: Store) -> None:
    async def both() -> list[Any]:
        appends = [store.ledger.append("r1", seq, [CancelRequested(str(seq))], at=1, epoch=1, listing=listing())
                   for seq in (0, 1, 1)]  # fmt: skip
        return await asyncio.gather(*appends, return_exceptions=True)

    outcomes = go(both())
    assert [type(outcome) for outcome in outcomes] == [tuple, tuple, LedgerConflict]
    assert go(store.ledger.verify("r1")).first_bad is None


def test_a_closed_ledger_says_so(store: Store) -> None:
    go(store.ledger.close())
    go(store.ledger.close())
    with pytest.raises(LedgerBroken) as refused:
        go(store.ledger.runs())
    assert refused.value.code == "STORE_CLOSED"


# --- crashes


class Killed(Exception):
    pass


def die() -> None:
    raise Killed


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_crash_before_an_append_keeps_exactly_what_was_appended(store: Store, at: int) -> None:
    crashing = CrashingLedger(store.ledger, at, die)

    async def work() -> None:
        for seq in range(3):
            await crashing.append("r1", seq, [CancelRequested(str(seq))], at=1, epoch=1, listing=listing())

    with pytest.raises(Killed):
        go(work())
    store.reopen()
    assert len(go(store.ledger.stored("r1"))) == at - 1
    if at > 1:
        assert verdict_of(store) is None


# --- any sequence of appends


class LedgerMachine(RuleBasedStateMachine):
    """Compares a store with a dictionary of lists."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.model: dict[str, list[Any]] = {}

    @rule(
        run_id=st.sampled_from(["ra", "rb"]),
        texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), max_size=3),
        times=st.sampled_from([1, 500]),
    )
    def append(self, run_id: str, texts: list[str], times: int) -> None:
        events = [ToolCallSettled("c1", {"text": text * times}) for text in texts]
        known = self.model.setdefault(run_id, [])
        append(self.store, run_id, len(known), events)
        known.extend(events)

    @rule(run_id=st.sampled_from(["ra", "rb"]), off=st.sampled_from([-1, 1, 2]))
    def conflict(self, run_id: str, off: int) -> None:
        with pytest.raises(LedgerConflict):
            append(self.store, run_id, len(self.model.get(run_id, [])) + off, [CancelRequested("late")])

    @rule()
    def reopen(self) -> None:
        self.store.reopen()

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        filled = {run_id: events for run_id, events in self.model.items() if events}
        assert {run.run_id for run in go(self.store.ledger.runs())} == set(filled)
        for run_id, events in filled.items():
            assert [event for _, event in go(self.store.ledger.events(run_id))] == events
            assert verdict_of(self.store, run_id) is None

    def teardown(self) -> None:
        go(self.store.ledger.close())


@pytest.mark.req("LED-01")
@pytest.mark.parametrize("name", STORES)
def test_any_sequence_of_appends_is_kept(name: str, tmp_path: Path) -> None:
    numbers = iter(range(10_000))

    class Machine(LedgerMachine):
        def __init__(self) -> None:
            super().__init__(STORES[name](tmp_path / str(next(numbers))))

    limits = settings(max_examples=12, stateful_step_count=12, deadline=None, database=None)
    run_state_machine_as_test(Machine, settings=limits)
