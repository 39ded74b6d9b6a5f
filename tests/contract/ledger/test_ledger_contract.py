"""The ledger contract: what every store promises, checked against every store.

A new store joins with a class that opens it and reaches behind its back, and one line in ``STORES``.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from counterfoil.adapters.stores.crash import CrashingLedger
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.adapters.stores.sqlite import open_sqlite
from counterfoil.core.errors import InternalError, LedgerBroken, LedgerConflict, NotFoundError
from counterfoil.core.evidence.passages import Passage, Segment
from counterfoil.core.record.chain import GENESIS, check_chain
from counterfoil.core.record.events import (
    CancelRequested,
    EvidenceRead,
    PhaseChanged,
    ToolCallReserved,
    ToolCallSettled,
)
from counterfoil.ports.ledger import Ledger, RunListing, StoredEvent

T = TypeVar("T")
TEXT_COLUMNS = ("actor", "type", "payload", "prev_hash", "hash")
NUMBER_COLUMNS = ("at", "epoch")


class Store(Protocol):
    """A ledger, and a way to change what it holds that the ledger does not know of."""

    ledger: Ledger

    def reopen(self) -> None: ...
    def read(self, run_id: str, seq: int, column: str) -> bytes | int: ...
    def write(self, run_id: str, seq: int, column: str, value: bytes | int) -> None: ...
    def drop(self, run_id: str, seq: int) -> None: ...
    def blobs(self) -> dict[str, bytes]: ...
    def write_blob(self, name: str, body: bytes | None) -> None: ...
    def drop_listing(self, run_id: str) -> None: ...


class InMemory:
    def __init__(self, folder: Path) -> None:
        self.inner = MemoryLedger()
        self.ledger: Ledger = self.inner

    def reopen(self) -> None:
        """It lives as long as the process."""

    def _index(self, run_id: str, seq: int) -> int:
        return next(i for i, event in enumerate(self.inner.rows[run_id]) if event.seq == seq)

    def read(self, run_id: str, seq: int, column: str) -> bytes | int:
        value: bytes | str | int = getattr(self.inner.rows[run_id][self._index(run_id, seq)], column)
        return value.encode() if isinstance(value, str) else value

    def write(self, run_id: str, seq: int, column: str, value: bytes | int) -> None:
        rows, index = self.inner.rows[run_id], self._index(run_id, seq)
        stored: Any = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
        rows[index] = msgspec.structs.replace(rows[index], **{column: value if column == "payload" else stored})
        rows.sort(key=lambda event: event.seq)

    def drop(self, run_id: str, seq: int) -> None:
        del self.inner.rows[run_id][self._index(run_id, seq)]

    def blobs(self) -> dict[str, bytes]:
        return dict(self.inner.blobs)

    def write_blob(self, name: str, body: bytes | None) -> None:
        if body is None:
            del self.inner.blobs[name]
        else:
            self.inner.blobs[name] = body

    def drop_listing(self, run_id: str) -> None:
        del self.inner.anchors[run_id]


class InSqlite:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "ledger.db"
        self.ledger: Ledger = open_sqlite(self.path)

    def reopen(self) -> None:
        go(self.ledger.close())
        self.ledger = open_sqlite(self.path)

    def _sql(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path)) as raw, raw:
            return raw.execute(statement, values).fetchall()

    def read(self, run_id: str, seq: int, column: str) -> bytes | int:
        form = column if column in NUMBER_COLUMNS else f"CAST({column} AS BLOB)"
        value: bytes | int = self._sql(f"SELECT {form} FROM events WHERE run_id = ? AND seq = ?", run_id, seq)[0][0]
        return value

    def write(self, run_id: str, seq: int, column: str, value: bytes | int) -> None:
        form = "CAST(? AS TEXT)" if isinstance(value, bytes) and column != "payload" else "?"
        self._sql(f"UPDATE events SET {column} = {form} WHERE run_id = ? AND seq = ?", value, run_id, seq)

    def drop(self, run_id: str, seq: int) -> None:
        self._sql("DELETE FROM events WHERE run_id = ? AND seq = ?", run_id, seq)

    def blobs(self) -> dict[str, bytes]:
        return dict(self._sql("SELECT name, body FROM blobs"))

    def write_blob(self, name: str, body: bytes | None) -> None:
        if body is None:
            self._sql("DELETE FROM blobs WHERE name = ?", name)
        else:
            self._sql("UPDATE blobs SET body = ? WHERE name = ?", body, name)

    def drop_listing(self, run_id: str) -> None:
        self._sql("DELETE FROM runs WHERE run_id = ?", run_id)


STORES: dict[str, Callable[[Path], Store]] = {
    "memory": InMemory,
    "sqlite": InSqlite,
}


def go(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = STORES[request.param](tmp_path)
    yield opened
    go(opened.ledger.close())


def listing(run_id: str = "r1", status: str = "running", at: int = 1_000) -> RunListing:
    return RunListing(run_id, f"What about {run_id}?", status, "searching", at)


def append(store: Store, run_id: str, expected: int, events: Sequence[Any], **extra: Any) -> tuple[StoredEvent, ...]:
    values: dict[str, Any] = {"at": 5_000 + expected, "epoch": 1, "listing": listing(run_id), **extra}
    return go(store.ledger.append(run_id, expected, events, **values))


def segment(text: str) -> Segment:
    return Segment("d1", 0, 1, text, (Passage(0, len(text), text),), page=3)


def five_events(word: str = "page ") -> list[Any]:
    return [
        ToolCallReserved("c1", {"run/tool-calls": 1}),
        EvidenceRead("S1", segment(word * 900), 1, "c1"),
        ToolCallSettled("c1", {"passages": [word * 700]}),
        PhaseChanged("finalize_only", "the limit was reached", "run/tool-calls"),
        CancelRequested("enough"),
    ]


# --- appending and reading


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
    assert store.blobs() == once and len(once) == 2
    assert [go(store.ledger.verify(run_id)).first_bad for run_id in ("r1", "r2")] == [None, None]


@pytest.mark.req("LED-10")
def test_blob_names_differ_between_stores(store: Store, tmp_path: Path) -> None:
    other = type(store)(tmp_path / "other")  # type: ignore[call-arg]  # every store opens in a folder
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


# --- damage


@pytest.fixture
def written(store: Store) -> Store:
    append(store, "r1", 0, five_events())
    append(store, "r2", 0, five_events("different "))
    return store


def flipped(value: bytes | int, where: int, mask: int) -> bytes | int:
    if isinstance(value, int):
        return value ^ mask
    at = where % len(value)
    return value[:at] + bytes([value[at] ^ mask]) + value[at + 1 :]


def verdict_of(store: Store, run_id: str = "r1") -> int | None:
    verdict = go(store.ledger.verify(run_id))
    assert (verdict.first_bad is None) == (verdict.why == "")
    return verdict.first_bad


@pytest.mark.req("LED-01")
@pytest.mark.req("LED-12")
@settings(max_examples=120, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seq=st.integers(1, 5),
    column=st.sampled_from(TEXT_COLUMNS + NUMBER_COLUMNS),
    where=st.integers(0, 1_000),
    mask=st.integers(1, 255),
)
def test_one_changed_byte_names_its_event(written: Store, seq: int, column: str, where: int, mask: int) -> None:
    before = written.read("r1", seq, column)
    written.write("r1", seq, column, flipped(before, where, mask))
    try:
        assert verdict_of(written) == seq
        assert verdict_of(written, "r2") is None
    finally:
        written.write("r1", seq, column, before)
    assert verdict_of(written) is None


@pytest.mark.req("LED-10")
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(which=st.integers(0, 1), where=st.integers(0, 20_000), mask=st.integers(1, 255))
def test_one_changed_byte_of_a_blob_names_the_first_event_that_needs_it(
    written: Store, which: int, where: int, mask: int
) -> None:
    seq = 2 + which
    payload = written.read("r1", seq, "payload")
    name, before = next((name, body) for name, body in written.blobs().items() if name.encode() in bytes(payload))
    written.write_blob(name, bytes(flipped(before, where, mask)))
    try:
        verdict = go(written.ledger.verify("r1"))
        if verdict.first_bad is None:  # bits that pad a compressed stream carry nothing: the text is what it was
            assert go(written.ledger.events("r1"))[seq - 1][1] == five_events()[seq - 1]
        else:
            assert verdict.first_bad == seq and "changed" in verdict.why
            with pytest.raises(LedgerBroken):
                go(written.ledger.events("r1"))
        assert verdict_of(written, "r2") is None
    finally:
        written.write_blob(name, before)


def test_a_missing_blob_is_named_and_the_chain_stays_provable(written: Store) -> None:
    payload = bytes(written.read("r1", 3, "payload"))
    name = next(name for name in written.blobs() if name.encode() in payload)
    written.write_blob(name, None)
    verdict = go(written.ledger.verify("r1"))
    assert verdict.first_bad == 3 and "missing" in verdict.why
    assert check_chain("r1", go(written.ledger.stored("r1"))) is None
    with pytest.raises(LedgerBroken) as refused:
        go(written.ledger.events("r1"))
    assert refused.value.code == "BLOB_PURGED" and "Event 3" in refused.value.message


@pytest.mark.req("LED-01")
@pytest.mark.parametrize("seq", [1, 2, 3, 4, 5])
def test_a_dropped_event_is_named(written: Store, seq: int) -> None:
    written.drop("r1", seq)
    assert verdict_of(written) == seq


def test_a_run_whose_events_are_all_gone_is_not_an_unknown_run(written: Store) -> None:
    for seq in range(1, 6):
        written.drop("r1", seq)
    assert verdict_of(written) == 1


def test_without_its_listing_a_run_cannot_prove_its_end(written: Store) -> None:
    written.drop_listing("r1")
    assert verdict_of(written) == 6


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 4), (4, 5)])
def test_swapped_events_are_named(written: Store, one: int, other: int) -> None:
    held = {seq: {name: written.read("r1", seq, name) for name in TEXT_COLUMNS + NUMBER_COLUMNS} for seq in (one, other)}
    for seq, source in ((one, other), (other, one)):
        for column, value in held[source].items():
            written.write("r1", seq, column, value)
    assert verdict_of(written) == one


def test_an_event_of_another_run_does_not_fit(written: Store) -> None:
    for column in TEXT_COLUMNS + NUMBER_COLUMNS:
        written.write("r1", 1, column, written.read("r2", 1, column))
    assert verdict_of(written) == 1


def test_unreadable_events_are_refused_with_their_number(written: Store) -> None:
    written.write("r1", 4, "payload", b"{")
    with pytest.raises(LedgerBroken) as refused:
        go(written.ledger.events("r1"))
    assert refused.value.code == "EVENT_UNREADABLE" and "Event 4 of Run r1" in refused.value.message


# --- crashes


class Killed(Exception):
    pass


def die() -> None:
    raise Killed


@pytest.mark.req("LED-05")
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
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        lambda: LedgerMachine(STORES[name](tmp_path / str(next(numbers)))),
        settings=settings(max_examples=12, stateful_step_count=12, deadline=None, database=None),
    )
