"""The ledger contract: content can be deleted, and what is left stays provable."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.contract.ledger.stores import STORES, Store, append, five_events, go, verdict_of, whole_run

from counterfoil.adapters.stores.crash import CrashingLedger
from counterfoil.core.errors import NotFoundError, RefusedError
from counterfoil.core.record.codec import names_like
from counterfoil.ports.ledger import Purged, Verification

DAY_MS = 86_400_000


def settled(store: Store, run_id: str, text: str, question: str = "What does Ann Example earn?") -> None:
    events, listing = whole_run(question, text, run_id)
    append(store, run_id, 0, events, listing=listing)


def purge(store: Store, run_id: str = "r1") -> Purged:
    return go(store.ledger.purge(run_id, at=20 * DAY_MS, why="older than 30 days"))


def verdict(store: Store, run_id: str = "r1") -> Verification:
    return go(store.ledger.verify(run_id))


def refused(work: Any) -> RefusedError:
    with pytest.raises(RefusedError) as refusal:
        go(work)
    return refusal.value


@pytest.mark.req("LED-10", "TRC-03")
def test_a_purged_run_says_nothing_any_more_and_is_still_proven(store: Store) -> None:
    settled(store, "r1", "an annual salary")
    before = go(store.ledger.stored("r1"))
    done = purge(store)
    store.reopen()
    after = go(store.ledger.stored("r1"))
    assert done == Purged("r1", 5, 5)  # the contract stands in two events, once in the snapshot
    assert after[:-1] == before and [after[-1].type, after[-1].actor] == ["BlobPurged", "caller"]
    assert store.blobs() == {}
    left = b"".join(event.payload for event in after)
    assert not any(word in left for word in (b"Ann", b"salary", b"annual"))
    assert [run.question for run in go(store.ledger.runs())] == ["(purged)"]
    found = verdict(store)
    assert (found.first_bad, found.purged, found.listing, found.events) == (None, 5, "", 8)
    assert found.head == after[-1].hash


@pytest.mark.req("TRC-03", "QC-07")
def test_a_helper_is_purged_when_its_parent_is_over_however_it_ended_itself(store: Store) -> None:
    events, listing = whole_run("Which part?", "a part's text", "r1/1")
    append(store, "r1/1", 0, events[:-1], listing=listing)  # it broke and never settled
    events, listing = whole_run("Which whole?", "a text", "r1")
    append(store, "r1", 0, events[:-1], listing=listing)
    assert refused(store.ledger.purge("r1/1", at=DAY_MS, why="asked for")).code == "RUN_NOT_SETTLED"
    append(store, "r1", len(events) - 1, events[-1:], listing=listing)
    assert purge(store, "r1/1").deleted > 0
    assert verdict(store, "r1/1").first_bad is None
    assert go(store.ledger.events("r1"))


@pytest.mark.req("LED-10")
def test_reading_a_purged_run_says_when_and_what_still_works(store: Store) -> None:
    settled(store, "r1", "text")
    purge(store)
    error = refused(store.ledger.events("r1"))
    assert error.code == "CONTENT_PURGED" and "1970-01-21" in error.message
    assert "verify" in error.hint and "trace" in error.hint


def test_only_a_settled_run_can_be_purged(store: Store) -> None:
    append(store, "r1", 0, five_events())
    blobs = store.blobs()
    assert refused(store.ledger.purge("r1", at=1, why="x")).code == "RUN_NOT_SETTLED"
    assert (store.blobs(), verdict(store).events) == (blobs, 5)
    with pytest.raises(NotFoundError):
        go(store.ledger.purge("r9", at=1, why="x"))


def test_a_second_purge_does_nothing(store: Store) -> None:
    settled(store, "r1", "text")
    purge(store)
    assert purge(store) == Purged("r1", 0, 0) and verdict(store).events == 8


@pytest.mark.req("LED-10")
def test_what_another_run_refers_to_stays_until_that_is_purged_too(store: Store) -> None:
    settled(store, "r1", "shared")
    settled(store, "r2", "shared", question="Another one?")
    shared = purge(store)
    assert shared.blobs == 5 and 0 < shared.deleted < 5
    assert go(store.ledger.events("r2")) and verdict(store, "r2").first_bad is None
    assert refused(store.ledger.events("r1")).code == "CONTENT_PURGED"
    assert purge(store, "r2").deleted == 5 and store.blobs() == {}
    assert [verdict(store, run_id).purged for run_id in ("r1", "r2")] == [5, 5]


@pytest.mark.req("LED-01", "LED-10")
def test_a_blob_that_no_purge_names_is_still_a_broken_chain(store: Store) -> None:
    for run_id in ("r1", "r2"):
        settled(store, run_id, f"text of {run_id}", question=f"{run_id}?")
    purge(store)
    append(store, "r3", 0, five_events())
    gone = names_like([bytes(store.read("r2", 4, "payload"))])[0]
    store.write_blob(gone, None)
    assert [verdict_of(store, run_id) for run_id in ("r1", "r2", "r3")] == [None, 4, None]


def test_the_record_of_a_purge_cannot_be_changed_to_hide_more(store: Store) -> None:
    settled(store, "r1", "text")
    purge(store)
    payload = bytes(store.read("r1", 8, "payload"))
    store.write("r1", 8, "payload", payload.replace(b"older", b"newer"))
    assert verdict_of(store) == 8


def test_a_purge_with_very_many_blobs_keeps_its_own_list(store: Store) -> None:
    events, listing = whole_run("Q?", "text")
    many = [events[0], *(whole_run("Q?", f"text {number}")[0][3] for number in range(60)), *events[1:]]
    append(store, "r1", 0, many, listing=listing)
    assert purge(store).blobs == 65
    assert len(store.blobs()) == 1 and verdict(store).purged == 65
    assert go(store.ledger.sweep()) == 0 and verdict(store).first_bad is None
    store.write_blob(next(iter(store.blobs())), None)
    found = verdict(store)
    assert found.first_bad == 67 + 1 and "missing" in found.why


@pytest.mark.req("LED-10")
def test_a_sweep_deletes_what_no_event_refers_to_and_nothing_else(store: Store) -> None:
    for run_id in ("r1", "r2"):
        settled(store, run_id, f"text of {run_id}")
    append(store, "r3", 0, five_events())
    purge(store)
    before = store.blobs()
    store.add_blob("0" * 64, b"left over")
    store.add_blob("not even a name", b"left over")
    assert go(store.ledger.sweep()) == 2
    assert store.blobs() == before and go(store.ledger.sweep()) == 0


def test_a_sweep_keeps_what_an_unreadable_event_refers_to(store: Store) -> None:
    append(store, "r1", 0, five_events())
    before = store.blobs()
    store.write("r1", 3, "payload", bytes(store.read("r1", 3, "payload"))[:-1] + b"?")
    assert go(store.ledger.sweep()) == 0 and store.blobs() == before


def test_the_crash_switch_counts_a_purge(store: Store) -> None:
    class Killed(Exception):
        pass

    def die() -> None:
        raise Killed

    settled(store, "r1", "text")
    crashing = CrashingLedger(store.ledger, 1, die)
    assert go(crashing.sweep()) == 0
    with pytest.raises(Killed):
        go(crashing.purge("r1", at=1, why="x"))
    assert go(CrashingLedger(store.ledger, 0, die).purge("r1", at=1, why="x")).blobs == 5


# --- the listing


@pytest.mark.req("LED-01")
@pytest.mark.parametrize(
    ("column", "value"), [("question", "Something else?"), ("status", "completed"), ("phase", "research"), ("at", 7)]
)
def test_a_listing_that_was_changed_is_told_beside_an_intact_chain(store: Store, column: str, value: str | int) -> None:
    settled(store, "r1", "text")
    assert verdict(store).listing == ""
    store.change_listing("r1", column, value)
    found = verdict(store)
    assert found.first_bad is None and column in found.listing and repr(value) in found.listing
    settled(store, "r2", "other")
    assert verdict(store, "r2").listing == ""


def test_the_listing_of_a_run_under_way_and_of_a_purged_one_are_compared_too(store: Store) -> None:
    events, listing = whole_run("Q?", "text")
    running = {"status": "running", "phase": "research"}
    append(store, "r1", 0, events[:2], listing=type(listing)(**{**_fields(listing), **running}))
    assert verdict(store).listing == ""
    append(store, "r1", 2, events[2:], listing=listing)
    purge(store)
    assert verdict(store).listing == ""
    store.change_listing("r1", "question", "Q?")
    assert "'(purged)'" in verdict(store).listing


def _fields(listing: Any) -> dict[str, Any]:
    return {name: getattr(listing, name) for name in listing.__struct_fields__}


# --- any sequence of Runs, purges and sweeps


class PurgeMachine(RuleBasedStateMachine):
    """Runs that share bodies, purged in any order."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.model: dict[str, list[Any]] = {}
        self.purged: set[str] = set()

    @rule(run_id=st.sampled_from("abcd"), text=st.sampled_from(["one", "two"]))
    def run(self, run_id: str, text: str) -> None:
        if run_id not in self.model:
            self.model[run_id], listing = whole_run(f"{text}?", text, run_id)
            append(self.store, run_id, 0, self.model[run_id], listing=listing)

    @rule(run_id=st.sampled_from("abcd"))
    def purge(self, run_id: str) -> None:
        if run_id in self.model:
            purge(self.store, run_id)
            self.purged.add(run_id)

    @rule()
    def sweep(self) -> None:
        assert go(self.store.ledger.sweep()) == 0

    @invariant()
    def every_run_is_proven_and_says_what_it_may(self) -> None:
        for run_id, events in self.model.items():
            assert verdict_of(self.store, run_id) is None
            if run_id not in self.purged:
                assert [event for _, event in go(self.store.ledger.events(run_id))] == events
        if self.purged == set(self.model):
            assert self.store.blobs() == {}

    def teardown(self) -> None:
        go(self.store.ledger.close())


@pytest.mark.req("LED-10")
@pytest.mark.parametrize("name", STORES)
def test_runs_can_be_purged_in_any_order(name: str, tmp_path: Any) -> None:
    numbers = iter(range(10_000))

    class Machine(PurgeMachine):
        def __init__(self) -> None:
            super().__init__(STORES[name](tmp_path / str(next(numbers))))

    limits = settings(max_examples=10, stateful_step_count=10, deadline=None, database=None)
    run_state_machine_as_test(Machine, settings=limits)
