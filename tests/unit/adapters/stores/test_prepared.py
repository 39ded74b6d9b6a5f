"""Prepared statements do what Core's do, on both databases, and fail as Core's do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, bindparam, delete, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from tests.postgres import server
from tests.unit.adapters.stores.sqlite_bench import go

from counterfoil.adapters.stores.postgres import open_postgres
from counterfoil.adapters.stores.prepared import Prepared, PreparedAmong
from counterfoil.adapters.stores.schema import blobs, leases
from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.adapters.stores.sqlite import open_sqlite

ADD = Prepared(leases.insert())
ROWS = [{"run_id": name, "holder": "h", "epoch": number, "until": 2**40} for number, name in enumerate("abc")]


@pytest.fixture(params=["sqlite", "postgres"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlLedger]:
    opened = open_sqlite(tmp_path / "l.db") if request.param == "sqlite" else open_postgres(server().new_schema())
    yield opened
    go(opened.close())


@pytest.fixture
def connection(ledger: SqlLedger) -> Iterator[Connection]:
    with ledger._store.writer.connect() as opened:
        yield opened


def test_rows_are_those_of_core(connection: Connection) -> None:
    ADD.each(connection, ROWS)
    Prepared(blobs.insert()).each(connection, [{"name": "n", "size": 2, "body": b"\0\xff"}])
    for query in (select(leases).order_by(leases.c.epoch), select(blobs)):
        assert [tuple(row) for row in Prepared(query).rows(connection)] == [tuple(r) for r in connection.execute(query)]


def test_parameters_are_taken_by_their_names(connection: Connection) -> None:
    ADD.each(connection, ROWS)
    of_run = Prepared(select(leases.c.epoch).where(leases.c.run_id == bindparam("run_id")))
    assert [of_run.rows(connection, run_id=name) for name in "bx"] == [[(1,)], []]
    Prepared(delete(leases).where(leases.c.run_id == bindparam("gone"))).each(connection, [{"gone": "b"}])
    assert of_run.rows(connection, run_id="b") == []


@pytest.mark.parametrize("wanted", ["", "b", "ca", "abc", "xby"])
def test_among_gives_the_rows_of_the_values_that_are_there(connection: Connection, wanted: str) -> None:
    ADD.each(connection, ROWS)
    among = PreparedAmong(select(leases.c.run_id), leases.c.run_id)
    for _ in range(2):
        assert sorted(name for (name,) in among.rows(connection, list(wanted))) == sorted(set(wanted) & set("abc"))


def test_what_is_read_together_is_of_one_state(ledger: SqlLedger) -> None:
    query = Prepared(select(leases.c.run_id))
    with ledger._store.reader.connect() as reading:
        assert query.rows(reading) == []
        with ledger._store.writer.begin() as writing:
            ADD.each(writing, ROWS)
        assert query.rows(reading) == []
        reading.rollback()
        assert len(query.rows(reading)) == 3


def test_an_error_of_the_driver_is_the_one_of_core_and_leaves_the_connection(connection: Connection) -> None:
    ADD.each(connection, ROWS[:1])
    connection.commit()
    with pytest.raises(IntegrityError) as refused:
        ADD.each(connection, ROWS[:1])
    assert refused.value.orig is refused.value.__cause__ and not refused.value.connection_invalidated
    connection.rollback()
    assert not connection.invalidated and len(connection.execute(select(leases)).all()) == 1


def test_a_statement_that_the_database_does_not_know_says_which(connection: Connection) -> None:
    with pytest.raises(Exception, match="nowhere") as refused:
        Prepared(text("SELECT 1 FROM nowhere")).rows(connection)
    assert "SELECT 1 FROM nowhere" in str(refused.value)


def test_a_lost_connection_is_not_handed_out_again() -> None:
    ledger = open_postgres(server().new_schema())
    with ledger._store.writer.connect() as lost:
        pid = lost.execute(text("SELECT pg_backend_pid()")).scalar_one()
        server().execute(f"SELECT pg_terminate_backend({pid}, 5000)")
        with pytest.raises(OperationalError) as refused:
            ADD.each(lost, ROWS)
        assert refused.value.connection_invalidated and lost.invalidated
    with ledger._store.writer.begin() as another:
        ADD.each(another, ROWS)
        assert another.execute(text("SELECT pg_backend_pid()")).scalar_one() != pid
    go(ledger.close())
