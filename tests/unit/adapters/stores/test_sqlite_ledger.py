"""What is special about the ledger in a SQLite file: opening and losing it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import tracemalloc
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from tests.unit.adapters.stores.sqlite_bench import append, broken, child, go

from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.adapters.stores.sqlite import (
    SWITCH_ATTEMPTS,
    SqliteStore,
    _switch_to_wal,
    open_sqlite,
    read_only,
    store_path,
)
from counterfoil.core.errors import InternalError, UsageError
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.events import CancelRequested, PhaseChanged, RunSettled, ToolCallSettled
from counterfoil.ports.ledger import RunListing

# --- opening


def test_file_and_folder_are_made_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "ledger.db"
    before = os.umask(0o022)
    try:
        ledger = open_sqlite(path)
        append(ledger, 0)
        modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in path.parent.iterdir()}
        go(ledger.close())
    finally:
        os.umask(before)
    assert modes == {"ledger.db": 0o600, "ledger.db-wal": 0o600, "ledger.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_closing_leaves_one_file(path: Path) -> None:
    ledger = open_sqlite(path)
    append(ledger, 0)
    go(ledger.close())
    assert [entry.name for entry in path.parent.iterdir()] == ["ledger.db"]


def test_a_commit_is_on_the_disk_when_it_returns(path: Path) -> None:
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 0, "secure_delete": 1}
    store = SqliteStore(open_and_close(path), 0)
    with store.writer.begin() as connection:
        settings = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in expected}
    store.writer.dispose()
    assert settings == expected


def open_and_close(path: Path) -> Path:
    go(open_sqlite(path).close())
    return path


def test_a_store_that_may_only_be_read_can_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = open_sqlite(path)
    append(ledger, 0)
    go(ledger.close())
    monkeypatch.setattr("counterfoil.adapters.stores.sqlite.os.access", lambda _, mode: mode != os.W_OK)
    assert read_only(path)
    before = path.read_bytes()
    ledger = open_sqlite(path)
    run = go(ledger.runs())[0].run_id
    assert go(ledger.verify(run)).first_bad is None
    assert not Path(f"{path}-shm").exists()  # nothing is made beside it
    assert broken(append, ledger, 1).code == "STORE_READ_ONLY"
    go(ledger.close())
    assert path.read_bytes() == before


@pytest.mark.parametrize("location", ["~/kept.db", "sqlite:///~/kept.db"])
def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, location: str) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store_path(location) == tmp_path / "kept.db"
    go(open_sqlite(location).close())
    assert (tmp_path / "kept.db").exists()


def test_a_store_can_be_named_by_address_or_path(tmp_path: Path) -> None:
    path = tmp_path / "my ledger %41?.db"
    for location in (path, str(path), f"sqlite:///{tmp_path}/other.db"):
        go(open_sqlite(location).close())
    assert {entry.name for entry in tmp_path.iterdir()} == {"my ledger %41?.db", "other.db"}


@pytest.mark.parametrize(
    "location", ["postgresql://host/db", "sqlite://", "sqlite:///:memory:", ":memory:", "", "x://"]
)
def test_an_address_that_is_not_a_file_is_a_usage_error(location: str) -> None:
    with pytest.raises(UsageError) as refused:
        open_sqlite(location)
    assert refused.value.code == "STORE_URL"


def test_a_missing_store_is_not_made_by_who_only_reads(path: Path) -> None:
    assert broken(open_sqlite, path, create=False).code == "STORE_MISSING"
    assert not path.exists()
    path.touch()
    assert broken(open_sqlite, path, create=False).code == "STORE_MISSING"
    go(open_sqlite(path).close())
    go(open_sqlite(path, create=False).close())


def test_a_file_that_is_not_a_database_is_left_alone(path: Path) -> None:
    path.write_bytes(b"just some notes\n" * 99)
    assert broken(open_sqlite, path).code == "STORE_NOT_A_DATABASE"
    assert path.read_bytes() == b"just some notes\n" * 99


def test_a_folder_or_a_path_through_a_file_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = broken(open_sqlite, tmp_path)
    assert folder.code == "STORE_NOT_OPENED" and "is a folder" in folder.message
    assert broken(open_sqlite, tmp_path / "file" / "ledger.db").code == "STORE_NOT_OPENED"


def test_the_migration_machinery_is_not_loaded_for_a_current_store(path: Path) -> None:
    script = """
for _ in range(2):
    asyncio.run(open_sqlite(sys.argv[1]).close())
print(sorted(name for name in sys.modules if name.split(".")[0] in ("alembic", "mako")))
"""
    out, _ = child(script, path).communicate()
    assert out.strip() == "[]"


class BusyCursor:
    """Switches to the log mode only after another has been waited for, as a racing SQLite does."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.mode = "delete"

    def execute(self, statement: str) -> None:
        if statement == "BEGIN IMMEDIATE":
            self.turns -= 1
        elif statement.endswith("WAL"):
            if self.turns > 0:
                busy = sqlite3.OperationalError("database is locked")
                busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise busy
            self.mode = "wal"

    def fetchone(self) -> tuple[str]:
        return (self.mode,)


def test_opening_a_new_store_waits_for_whoever_opens_it_at_the_same_time() -> None:
    patient: Any = BusyCursor(2)
    _switch_to_wal(patient)
    assert patient.mode == "wal"
    hopeless: Any = BusyCursor(SWITCH_ATTEMPTS + 1)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        _switch_to_wal(hopeless)


# --- losing it


def test_a_full_disk_keeps_what_was_written(path: Path, ledger: SqlLedger) -> None:
    append(ledger, 0)
    pages = path.stat().st_size // 4096 + 4

    def limit(connection: Any, *rest: Any) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    event.listen(ledger._store.writer, "begin", limit)
    error = broken(append, ledger, 1, ToolCallSettled("c1", {"noise": os.urandom(200_000).hex()}))
    assert error.code == "STORE_FULL" and "Everything recorded before stands" in error.hint
    assert len(go(ledger.stored("r1"))) == 1
    assert len(append(ledger, 1)) == 1  # a small one still fits
    assert go(ledger.verify("r1")).first_bad is None


def test_a_store_locked_by_another_says_so_and_works_again_afterwards(path: Path, ledger: SqlLedger) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert broken(append, ledger, 0).code == "STORE_LOCKED"
        assert go(ledger.stored("r1")) == ()  # reading goes on
        other.execute("ROLLBACK")
    assert len(append(ledger, 0)) == 1


@pytest.mark.parametrize("loss", ["deleted", "replaced", "cut short"])
def test_a_file_lost_while_in_use_is_not_written_into_the_void(path: Path, ledger: SqlLedger, loss: str) -> None:
    append(ledger, 0)
    if loss == "cut short":
        os.truncate(path, 100)
    else:
        path.rename(path.with_suffix(".away"))
        if loss == "replaced":
            path.touch()
    for work in (lambda: append(ledger, 1), lambda: go(ledger.stored("r1")), lambda: go(ledger.verify("r1"))):
        error = broken(work)
        assert error.code == "STORE_LOST" and loss in error.message


def test_a_commit_without_its_log_file_does_not_count(path: Path, ledger: SqlLedger) -> None:
    append(ledger, 0)
    Path(f"{path}-wal").unlink()
    error = broken(append, ledger, 1)
    assert error.code == "STORE_LOST" and "-wal" in error.message


def test_a_damaged_page_is_named_by_verify(path: Path) -> None:
    ledger = open_sqlite(path)
    for seq in range(1, 41):
        append(ledger, seq - 1, PhaseChanged(Phase.FINALIZE_ONLY, f"<{seq}>" * 250))
    go(ledger.close())
    content = bytearray(path.read_bytes())
    page = content.index(b"<20>" * 250) // 4096 * 4096
    on_page = [seq for seq in range(1, 41) if b"<%d>" % seq in content[page : page + 4096]]
    content[page : page + 64] = b"\xff" * 64
    path.write_bytes(content)
    ledger = open_sqlite(path)
    verdict = go(ledger.verify("r1"))
    assert verdict.first_bad == on_page[0] and "cannot be read there" in verdict.why
    assert broken(lambda: go(ledger.events("r1"))).code == "STORE_CORRUPT"
    go(ledger.close())


@pytest.mark.parametrize("column", ["payload", "at", "seq"])
def test_a_value_of_the_wrong_type_is_named(path: Path, ledger: SqlLedger, column: str) -> None:
    for seq in range(3):
        append(ledger, seq)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(f"UPDATE events SET {column} = 'words' WHERE seq = 2")
    assert go(ledger.verify("r1")).first_bad == 2
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE runs SET seq = 'words'")
    assert go(ledger.verify("r1")).first_bad is not None


@pytest.mark.parametrize(("column", "value"), [("size", 10**15), ("size", -5), ("size", "words"), ("body", "words")])
def test_a_blob_is_never_unpacked_to_more_than_it_was(
    path: Path, ledger: SqlLedger, column: str, value: object
) -> None:
    append(ledger, 0, PhaseChanged(Phase.FINALIZE_ONLY, "x"), ToolCallSettled("c1", {"text": "y" * 9_000}))
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(f"UPDATE blobs SET {column} = ?", (value,))
    assert go(ledger.verify("r1")).first_bad == 2
    assert broken(lambda: go(ledger.events("r1"))).code in ("BLOB_CHANGED", "STORE_CORRUPT")


@pytest.mark.parametrize(("text", "shorter"), [("short", False), ("y" * 9_000, True)])
def test_a_body_is_packed_only_where_that_makes_it_shorter(
    path: Path, ledger: SqlLedger, text: str, shorter: bool
) -> None:
    append(ledger, 0, ToolCallSettled("c1", {"text": text}))
    with closing(sqlite3.connect(path)) as raw:
        [(size, body)] = raw.execute("SELECT size, body FROM blobs").fetchall()
    assert (len(body) < size) == shorter
    assert (text.encode() in body) != shorter
    [(_, event)] = go(ledger.events("r1"))
    assert isinstance(event, ToolCallSettled) and event.content == {"text": text}


def test_a_blob_that_would_fill_the_memory_is_not_unpacked(path: Path, ledger: SqlLedger) -> None:
    append(ledger, 0, ToolCallSettled("c1", {"text": "y" * 9_000}))
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE blobs SET body = ?", (zlib.compress(bytes(50_000_000)),))
    tracemalloc.start()
    try:
        assert go(ledger.verify("r1")).first_bad == 1
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.req("LED-10", "TRC-03")
def test_purged_content_is_gone_from_every_file(path: Path, ledger: SqlLedger) -> None:
    settled = RunSettled("partial", "model_stopped", None, True, False, "not_run")
    append(ledger, 0, ToolCallSettled("c1", {"text": os.urandom(20_000).hex()}), settled)
    with closing(sqlite3.connect(path)) as raw:
        [(body,)] = raw.execute("SELECT body FROM blobs").fetchall()
    pieces = [body[start : start + 64] for start in range(0, len(body) - 64, 500)]
    assert any(piece in content for piece in pieces for content in files(path))
    assert go(ledger.purge("r1", at=1, why="x")).deleted == 1
    assert not any(piece in content for piece in pieces for content in files(path))


def files(path: Path) -> list[bytes]:
    return [entry.read_bytes() for entry in path.parent.iterdir()]


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (sqlite3.SQLITE_READONLY, "STORE_READ_ONLY"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "STORE_READ_ONLY"),
        (sqlite3.SQLITE_IOERR_FSYNC, "STORE_IO_ERROR"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "STORE_CORRUPT"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "STORE_LOCKED"),
        (sqlite3.SQLITE_MISUSE, "STORE_FAILED"),
    ],
)
def test_every_error_of_sqlite_gets_a_code_and_a_hint(path: Path, number: int, code: str) -> None:
    store = SqliteStore(open_and_close(path), 0)
    cause = sqlite3.OperationalError("something")
    cause.sqlite_errorcode = number
    error = store.explain(OperationalError("SELECT", None, cause))
    store.writer.dispose()
    assert error.code == code and str(path) in error.message and error.hint


def test_a_number_too_large_for_the_database_fails_alone(ledger: SqlLedger) -> None:
    async def both() -> list[Any]:
        appends = [ledger.append(f"r{at}", 0, [CancelRequested("x")], at=at, epoch=1,
                                 listing=RunListing("", "q", "running", "searching", 1))
                   for at in (1, 2**70, 2)]  # fmt: skip
        return await asyncio.gather(*appends, return_exceptions=True)

    first, second, third = go(both())
    assert isinstance(first, tuple) and isinstance(third, tuple)
    assert isinstance(second, InternalError) and second.code == "EVENT_NOT_STORABLE"


def test_a_cancelled_append_that_had_not_begun_writes_nothing(ledger: SqlLedger) -> None:
    async def cancelled() -> None:
        gate = ledger._write_thread.submit(asyncio.run, asyncio.sleep(0))
        tasks = [asyncio.create_task(ledger.append(f"r{n}", 0, [CancelRequested("x")], at=1, epoch=1,
                                                   listing=RunListing("", "q", "running", "searching", 1)))
                 for n in range(3)]  # fmt: skip
        tasks[1].cancel()
        gate.result()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [tuple, asyncio.CancelledError, tuple]

    go(cancelled())
    assert {run.run_id for run in go(ledger.runs())} == {"r0", "r2"}
