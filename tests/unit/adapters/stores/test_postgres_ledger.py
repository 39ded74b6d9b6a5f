"""What is special about the ledger in PostgreSQL: reaching the server, losing it, and what its errors say."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from tests.postgres import PASSWORD, server
from tests.unit.adapters.stores.sqlite_bench import append, broken, go

from counterfoil.adapters.stores.migrate import upgrade
from counterfoil.adapters.stores.postgres import PostgresStore, _url, open_postgres
from counterfoil.adapters.stores.schema import VERSION_TABLE, metadata
from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.core.errors import CounterfoilError, InternalError, LedgerBroken, RefusedError, UsageError
from counterfoil.core.record.events import CancelRequested, RunSettled, ToolCallSettled
from counterfoil.ports.ledger import RunListing

AT_ONCE = (0.0, 0.0)


@pytest.fixture
def url() -> str:
    return server().new_schema()


@pytest.fixture
def ledger(url: str) -> Iterator[SqlLedger]:
    opened = open_postgres(url, retries_s=AT_ONCE)
    yield opened
    go(opened.close())


def shows_no_password(error: CounterfoilError) -> None:
    for part in ("s3cret", "pass:word", "pass%3Aword"):
        assert part not in error.message and part not in error.hint


def schema_of(url: str) -> str:
    return url.rpartition("%3D")[2]


def database() -> str:
    """A database of its own, for tests that close one."""
    name = f"d{time.monotonic_ns()}"
    server().execute(f"CREATE DATABASE {name}")
    return name


# --- opening


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda: server().url(password=PASSWORD + "!"), "STORE_AUTH"),
        (lambda: server().url(user="nobody"), "STORE_AUTH"),
        (lambda: server().url(database="nowhere"), "STORE_MISSING"),
        (lambda: server().url() + "&options=-csearch_path%3Dnowhere", "STORE_MISSING"),
        (lambda: server().url() + "&port=1", "STORE_UNREACHABLE"),
        (lambda: f"postgresql://ann:{PASSWORD.replace('/', '%2F')}@127.0.0.1:1/db", "STORE_UNREACHABLE"),
        (lambda: server().url() + "&colour=blue", "STORE_URL"),
        (lambda: server().new_schema() + "%20-cdefault_transaction_read_only%3Don", "STORE_READ_ONLY"),
    ],
)
def test_a_store_that_cannot_be_opened_says_why_without_its_password(change: Callable[[], str], code: str) -> None:
    error = broken(open_postgres, change())
    assert error.code == code, error.message
    shows_no_password(error)


def test_an_address_that_cannot_be_read_is_refused_without_its_password() -> None:
    with pytest.raises(UsageError) as refused:
        open_postgres(f"postgresql://ann:{PASSWORD}@host:port/db")
    assert refused.value.code == "STORE_URL" and refused.value.__cause__ is None
    shows_no_password(refused.value)


def test_without_the_driver_the_extra_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(RefusedError, match="psycopg") as refused:
        open_postgres(url)
    assert "counterfoil[postgres]" in refused.value.hint


def test_a_migrated_store_is_like_a_new_one(url: str) -> None:
    store = PostgresStore(_url(url), ())
    with store.writer.begin() as connection:
        upgrade(connection)
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    store.writer.dispose()


def test_the_tables_of_another_program_are_left_alone(url: str) -> None:
    server().execute(f"CREATE TABLE {schema_of(url)}.photos (name TEXT)")
    assert broken(open_postgres, url).code == "STORE_FOREIGN"


def test_a_commit_is_on_the_disk_when_it_returns(url: str) -> None:
    for given, kept in (("off", "on"), ("remote_write", "remote_write")):
        store = PostgresStore(_url(f"{url}%20-csynchronous_commit%3D{given}"), ())
        with store.writer.begin() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == kept
        store.writer.dispose()


# --- losing the server


def end_connections() -> None:
    """As when the server restarts or a switch forgets the connection."""
    with psycopg.connect(server().url(), autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE application_name = 'counterfoil' AND pid <> pg_backend_pid()"
        )


def test_a_lost_connection_is_made_again(ledger: SqlLedger) -> None:
    append(ledger, 0)
    end_connections()
    append(ledger, 1)
    end_connections()
    assert go(ledger.verify("r1")).events == 2


@pytest.mark.req("LED-05")
@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("first", [False, True])
def test_a_commit_that_got_no_answer_is_looked_up_and_not_repeated(
    ledger: SqlLedger, stored: bool, first: bool
) -> None:
    """``stored``: the server had committed before the connection was lost; ``first``: the Run was new."""
    if not first:
        append(ledger, 0)
    losses = iter([True])

    def lose(connection: Any) -> None:
        if next(losses, False):
            raw = connection.connection.dbapi_connection
            if stored:
                raw.commit()
                raw.close()  # an idle connection would not notice that its other end is gone
            end_connections()

    event.listen(ledger._store.writer, "commit", lose)
    start = 0 if first else 1

    async def both() -> list[Any]:
        appends = [
            ledger.append(run_id, seq, [CancelRequested(f"{run_id} {seq}")], at=1, epoch=1,
                          listing=RunListing(run_id, "q", "running", "research", 1))
            for run_id, seq in (("r1", start), ("r1", start + 1), ("r2", 0))
        ]  # fmt: skip
        return await asyncio.gather(*appends)

    written = go(both())
    assert next(losses, None) is None
    assert go(ledger.stored("r1"))[start:] == (*written[0], *written[1])
    assert go(ledger.stored("r2")) == written[2]
    assert go(ledger.verify("r1")).first_bad is None


def test_a_commit_whose_outcome_cannot_be_learned_says_so() -> None:
    name = database()
    ledger = open_postgres(server().url(database=name), retries_s=AT_ONCE)
    append(ledger, 0)

    def lose(connection: Any) -> None:
        server().execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        end_connections()

    event.listen(ledger._store.writer, "commit", lose, once=True)
    error = broken(append, ledger, 1)
    assert error.code == "STORE_OUTCOME_UNKNOWN" and "may be stored or not" in error.message
    shows_no_password(error)
    assert broken(append, ledger, 1).code == "STORE_UNREACHABLE"
    server().execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    append(ledger, 1)
    go(ledger.close())


@pytest.mark.req("LED-10")
def test_a_purge_that_got_no_answer_says_so_and_can_be_asked_for_again(ledger: SqlLedger) -> None:
    append(ledger, 0, CancelRequested("x"), RunSettled("cancelled", "cancelled", None, True, False, "not_run"))

    def lose(connection: Any) -> None:
        raw = connection.connection.dbapi_connection
        raw.commit()
        raw.close()

    event.listen(ledger._store.writer, "commit", lose, once=True)
    assert broken(lambda: go(ledger.purge("r1", at=1, why="x"))).code == "STORE_OUTCOME_UNKNOWN"
    assert go(ledger.purge("r1", at=1, why="x")).blobs == 0  # it had been done
    assert go(ledger.verify("r1")).purged == 1


# --- what the server refuses


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("53100", "STORE_FULL"),
        ("53200", "STORE_BUSY"),
        ("25006", "STORE_READ_ONLY"),
        ("42501", "STORE_READ_ONLY"),
        ("40P01", "STORE_LOCKED"),
        ("57014", "STORE_LOCKED"),
        ("58030", "STORE_IO_ERROR"),
        ("XX001", "STORE_CORRUPT"),
        ("22012", "EVENT_NOT_STORABLE"),
        ("0A000", "STORE_FAILED"),
    ],
)
def test_what_the_server_refuses_is_explained_and_nothing_of_it_is_stored(
    url: str, ledger: SqlLedger, state: str, code: str
) -> None:
    append(ledger, 0)
    schema = schema_of(url)
    server().execute(
        f"CREATE FUNCTION {schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION 'as on a bad day' USING ERRCODE = '{state}'; END $$"
    )
    server().execute(
        f"CREATE TRIGGER refuse BEFORE INSERT ON {schema}.events FOR EACH ROW EXECUTE FUNCTION {schema}.refuse()"
    )
    with pytest.raises(CounterfoilError) as refused:
        append(ledger, 1, ToolCallSettled("c1", {"text": "y" * 9_000}))
    error = refused.value
    assert error.code == code and "as on a bad day" in error.message and error.hint
    shows_no_password(error)
    server().execute(f"DROP TRIGGER refuse ON {schema}.events")
    assert len(go(ledger.stored("r1"))) == 1
    append(ledger, 1)
    assert go(ledger.verify("r1")).first_bad is None


def test_tables_deleted_while_in_use_are_named(url: str, ledger: SqlLedger) -> None:
    append(ledger, 0)
    server().execute(f"DROP TABLE {schema_of(url)}.events")
    assert broken(append, ledger, 1).code == "STORE_LOST"
    assert broken(lambda: go(ledger.stored("r1"))).code == "STORE_LOST"


def test_a_run_locked_by_another_for_too_long_says_so(url: str) -> None:
    ledger = open_postgres(f"{url}", retries_s=())
    append(ledger, 0)
    event.listen(
        ledger._store.writer, "begin", lambda connection: connection.exec_driver_sql("SET LOCAL lock_timeout = '1ms'")
    )
    with psycopg.connect(url) as other:
        other.execute("SELECT * FROM runs FOR UPDATE")
        assert broken(append, ledger, 1).code == "STORE_LOCKED"
        assert len(go(ledger.stored("r1"))) == 1  # reading goes on
    append(ledger, 1)
    go(ledger.close())


@pytest.mark.parametrize("listing", [RunListing("r2", "a\0b", "running", "research", 1),
                                     RunListing("r2", "q", "running", "research", 2**70)])  # fmt: skip
def test_a_value_that_the_database_does_not_take_fails_alone(ledger: SqlLedger, listing: RunListing) -> None:
    async def both() -> list[Any]:
        right = RunListing("r1", "q", "running", "research", 1)
        appends = [ledger.append(one.run_id, 0, [CancelRequested("x")], at=1, epoch=1, listing=one)
                   for one in (right, listing)]  # fmt: skip
        return await asyncio.gather(*appends, return_exceptions=True)

    first, second = go(both())
    assert isinstance(first, tuple)
    assert isinstance(second, InternalError) and second.code == "EVENT_NOT_STORABLE"


def test_a_driver_error_without_a_code_is_a_server_that_cannot_be_reached(url: str) -> None:
    store = PostgresStore(_url(url), ())
    error = OperationalError("SELECT", None, psycopg.OperationalError("the connection is lost"))
    assert isinstance(store.explain(error), LedgerBroken) and store.explain(error).code == "STORE_UNREACHABLE"


# --- the server of the tests


def test_the_test_server_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    script = "import os\nfrom tests.postgres import server\nprint(server().folder, flush=True)\nos.kill(os.getpid(), 9)"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=Path.cwd(),
                             env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)  # fmt: skip
    folder = Path(process.stdout.strip())
    assert process.returncode == -9 and folder.name.startswith("cf-pg-")
    deadline = time.monotonic() + 30
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not folder.exists()
