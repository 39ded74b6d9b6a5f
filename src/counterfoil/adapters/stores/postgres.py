"""Owns the ledger in a PostgreSQL database: how it is reached, kept safe, and what its errors mean.

Never: a password in a message, or a commit that is repeated before it was looked up (see ``writing``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, bindparam, create_engine, event, func, make_url, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import ArgumentError, DBAPIError

from counterfoil.adapters.stores.address import masked
from counterfoil.adapters.stores.migrate import ensure_schema
from counterfoil.adapters.stores.schema import runs
from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.core.errors import LedgerBroken, RefusedError, UsageError

RETRIES_S = (0.0, 0.5, 1.0, 2.0, 4.0)  # a server that restarts is back within seconds
CONNECT_S = 10
SILENCE_MS = 30_000  # how long what was sent may stay unacknowledged before the connection counts as lost
LOCK_WAIT = "10s"  # how long another process may hold a Run; an append takes milliseconds
_INTACT = "Everything recorded before stands; nothing of this step was written."

# The beginning of an SQLSTATE, the most exact first → (our code, what happened, what to do).
_MEANING: tuple[tuple[str, str, str, str], ...] = (
    ("53100", "STORE_FULL", "The server's disk is full", f"{_INTACT} Free some space there, then resume."),
    ("53300", "STORE_BUSY", "The server takes no more connections", f"{_INTACT} End others, then resume."),
    ("53", "STORE_BUSY", "The server is short of something", f"{_INTACT} Look into its log, then resume."),
    ("25006", "STORE_READ_ONLY", "It cannot be written", f"{_INTACT} Name the primary server with --store."),
    ("42501", "STORE_READ_ONLY", "Its user may not do that", f"{_INTACT} Grant the user its schema, then resume."),
    ("28", "STORE_AUTH", "The server refuses the user or the password", "Check both in the address of --store."),
    ("3D000", "STORE_MISSING", "The server has no such database", "Create it, or name another one with --store."),
    ("3F000", "STORE_MISSING", "The database has no such schema", "Create it, or name another one with --store."),
    ("42P01", "STORE_LOST", "Its tables were deleted while in use", f"{_INTACT} Restore a backup of the database."),
    ("40", "STORE_LOCKED", "Another process wrote the same Runs", f"{_INTACT} Resume."),
    ("55P03", "STORE_LOCKED", "Another process kept it locked for too long", f"{_INTACT} End the other, then resume."),
    ("57014", "STORE_LOCKED", "The server ended the statement", f"{_INTACT} Check its time limits, then resume."),
    ("57P", "STORE_UNREACHABLE", "The server is shutting down or starting", f"{_INTACT} Resume when it is back."),
    ("08", "STORE_UNREACHABLE", "The server cannot be reached", f"{_INTACT} Resume when the server is back."),
    ("XX00", "STORE_CORRUPT", "The server found it damaged", "Look into its log; restore a backup if it says so."),
    ("URL", "STORE_URL", "Its address cannot be used", "Check the options in the address of --store."),
    ("58", "STORE_IO_ERROR", "The server's disk did not do what was asked", f"{_INTACT} Check it, then resume."),
)
_OTHER = ["STORE_FAILED", "The server refuses", f"{_INTACT} Look into the server's log."]
# While a connection is being made the driver has no SQLSTATE, only words.
_WORDS = (
    ("password authentication failed", "28"),
    ("no password supplied", "28"),
    ("no pg_hba.conf entry", "28"),
    ("not currently accepting connections", "57P03"),
    ('role "', "28"),
    ('database "', "3D000"),
    ("invalid connection option", "URL"),
    ("invalid integer value", "URL"),
    ("too many", "53300"),
    ("remaining connection slots", "53300"),
)


def open_postgres(location: str, *, retries_s: Sequence[float] = RETRIES_S) -> SqlLedger:
    """Open the ledger in the database, and its first schema, that ``postgresql://user:password@host/name`` names.

    Raises:
        LedgerBroken: it cannot be used; the hint says what to do.
        RefusedError: the driver is not installed.
        UsageError: the location is not an address.
    """
    store = PostgresStore(_url(location), retries_s)
    try:
        return SqlLedger(store, ensure_schema(store))
    except DBAPIError as error:
        store.writer.dispose()
        raise store.explain(error) from error
    except LedgerBroken:
        store.writer.dispose()
        raise


class PostgresStore:
    """A dialect for one PostgreSQL database."""

    def __init__(self, url: URL, retries_s: Sequence[float]) -> None:
        self._shown = masked(url.render_as_string(hide_password=True))
        self.retries_s = retries_s
        # What an address says itself wins over these.
        defaults = {"connect_timeout": CONNECT_S, "tcp_user_timeout": SILENCE_MS, "application_name": "counterfoil"}
        arguments = {name: value for name, value in defaults.items() if name not in url.query}
        try:
            engine = create_engine(url, connect_args=arguments)
        except ModuleNotFoundError as error:
            raise RefusedError(
                "A store in PostgreSQL needs the driver psycopg, which is not installed.",
                code="EXTRA_MISSING",
                hint="Install the extra: pip install 'counterfoil[postgres]'",
            ) from error
        event.listen(engine, "connect", _prepare)
        self.writer: Engine = engine.execution_options(isolation_level="READ COMMITTED")
        # One snapshot for all queries of a reading, as SQLite gives it.
        self.reader: Engine = engine.execution_options(isolation_level="REPEATABLE READ")
        order = select(runs.c.run_id).where(runs.c.run_id.in_(bindparam("run_ids", expanding=True)))
        self._lock_runs = order.order_by(runs.c.run_id).with_for_update()

    def insert(self, table: Table) -> Any:
        """PostgreSQL's INSERT."""
        return insert(table)

    def lock_schema(self, connection: Connection) -> None:
        """Let one process at a time create or migrate the tables of a schema."""
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext("counterfoil"), _SCHEMA)))

    def lock_runs(self, connection: Connection, run_ids: Sequence[str]) -> None:
        """Lock the Runs, always in the same order; a new one has its primary keys to guard it."""
        connection.execute(self._lock_runs, {"run_ids": list(run_ids)})

    def lock_all(self, connection: Connection) -> None:
        """Wait for every append, and let others wait: ``lock_runs`` takes the weaker lock of the same table."""
        connection.execute(text(f"LOCK TABLE {runs.name} IN EXCLUSIVE MODE"))

    def forget_deleted(self) -> None:
        """Nothing: the server reuses the space when it vacuums, and archives of its log are its administrator's."""

    def guard(self, *, writing: bool) -> None:
        """Nothing: a server does not lose its files unnoticed."""

    def lost(self, error: DBAPIError) -> bool:
        """Whether the connection is gone or could not be made."""
        return error.connection_invalidated or self.explain(error).code == "STORE_UNREACHABLE"

    def explain(self, error: DBAPIError) -> LedgerBroken:
        """What an error of PostgreSQL means."""
        state = getattr(error.orig, "sqlstate", None)
        said = " ".join(str(error.orig).split())
        if state is None:
            state = next((known for words, known in _WORDS if words in said), "08")
        code, what, hint = next((meaning for beginning, *meaning in _MEANING if state.startswith(beginning)), _OTHER)
        return LedgerBroken(f"The store {self._shown} cannot be used. {what}: {said}.", code=code, hint=hint)


_SCHEMA = func.hashtext(func.current_schema())


def _url(location: str) -> URL:
    try:
        url = make_url(location)
    except (ArgumentError, ValueError):
        # Not chained: the cause may quote the password.
        raise UsageError(
            f"{masked(location)!r} cannot be read as the address of a store.",
            code="STORE_URL",
            hint="Write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with / @ : of a password as %2F %40 %3A.",
        ) from None
    return url.set(drivername="postgresql+psycopg")


def _prepare(raw: Any, record: object) -> None:
    """Never confirm what is not on the disk, and never wait for ever."""
    with raw.cursor() as cursor:
        cursor.execute("SELECT current_setting('synchronous_commit')")
        if cursor.fetchone() == ("off",):
            cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET lock_timeout = '{LOCK_WAIT}'")
    raw.commit()
