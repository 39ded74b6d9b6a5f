"""Owns the ledger in one SQLite file: how it is opened, kept safe, and what its errors mean.

Never: opening the file other than through SQLite once it exists (closing such a handle would drop SQLite's locks).
"""

from __future__ import annotations

import contextlib
import operator
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError

from counterfoil.adapters.stores.address import masked
from counterfoil.adapters.stores.migrate import ensure_schema
from counterfoil.adapters.stores.prepared import through_driver
from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.core.errors import LedgerBroken, UsageError

BUSY_MS = 10_000  # how long another process may hold the write lock; an append takes milliseconds
SWITCH_ATTEMPTS = 20  # each waits for its turn, so two or three are enough
_INTACT = "Everything recorded before stands; nothing of this step was written."
_WRITES = "counterfoil_writes"

# SQLite's primary result code → (our code, what happened, what to do).
_MEANING: dict[int, tuple[str, str, str]] = {
    sqlite3.SQLITE_FULL: ("STORE_FULL", "There is no space left", f"{_INTACT} Free some space, then resume."),
    sqlite3.SQLITE_BUSY: (
        "STORE_LOCKED",
        "Another process kept it locked for too long",
        f"{_INTACT} End the other process, then resume.",
    ),
    sqlite3.SQLITE_READONLY: (
        "STORE_READ_ONLY",
        "It cannot be written",
        f"{_INTACT} Check the permissions of the file and its folder, or name another file with --store.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "STORE_NOT_OPENED",
        "It cannot be opened",
        "Check that it is a file and that its folder can be written, or name another file with --store.",
    ),
    sqlite3.SQLITE_NOTADB: ("STORE_NOT_A_DATABASE", "It is not a database", "Name another file with --store."),
    sqlite3.SQLITE_CORRUPT: (
        "STORE_CORRUPT",
        "The file is damaged",
        "Nothing more is written to it. Copy it before anything else; `counterfoil verify` tells which Runs are whole.",
    ),
    sqlite3.SQLITE_IOERR: (
        "STORE_IO_ERROR",
        "The disk did not do what was asked",
        f"{_INTACT} Check the disk, then resume.",
    ),
}


def open_sqlite(
    location: str | Path, *, create: bool = True, busy_ms: int = BUSY_MS, inline: bool = False
) -> SqlLedger:
    """Open the ledger in a file (a path or ``sqlite:///path``), making file and folder when ``create``.

    ``inline``: without threads of its own, for simulations.

    Raises:
        LedgerBroken: it cannot be used; the hint says what to do.
        UsageError: the location is not one of a file.
    """
    path = store_path(location)
    _require_file(path, create=create)
    closed = read_only(path)
    store = SqliteStore(path, busy_ms, _address(path) if closed else None)
    try:
        if not closed:
            store.use_wal()
        return SqlLedger(store, ensure_schema(store), inline=inline)
    except DBAPIError as error:
        store.writer.dispose()
        raise store.explain(error) from error
    except LedgerBroken:
        store.writer.dispose()
        raise


def read_only(path: Path) -> bool:
    """Whether a store is there that can be looked at and not added to: SQLite writes beside the file as well."""
    return path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _address(path: Path) -> str:
    """The address of a file that is only read: it cannot change, unless commits still wait in its -wal file."""
    wal = Path(f"{path}-wal")
    waiting = wal.exists() and wal.stat().st_size > 0
    return f"{path.absolute().as_uri()}?mode=ro" + ("" if waiting else "&immutable=1")


class SqliteStore:
    """A dialect for one SQLite file. ``address`` says how to open one that may only be read."""

    retries_s: Sequence[float] = ()

    def __init__(self, path: Path, busy_ms: int, address: str | None = None) -> None:
        self._path = path
        self._wal = Path(f"{path}-wal")
        seen = path.stat()
        self._identity = (seen.st_dev, seen.st_ino)
        self._size = seen.st_size
        engine = create_engine(
            URL.create("sqlite", database=str(path)),
            paramstyle="named",  # as PostgreSQL's driver has it: see ``prepared``
            creator=lambda: sqlite3.connect(
                address or path,
                timeout=busy_ms / 1000,
                isolation_level=None,
                check_same_thread=False,
                uri=address is not None,
            ),
        )
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        self.reader: Engine = engine
        self.writer: Engine = engine.execution_options(**{_WRITES: True})

    def use_wal(self) -> None:
        """Let readers and the writer work side by side, once and for all."""
        with self.reader.connect() as connection, contextlib.closing(connection.connection.cursor()) as raw:
            try:
                _switch_to_wal(raw)
            except sqlite3.Error as error:
                raise self._explain(error) from error

    def insert(self, table: Table) -> Any:
        """SQLite's INSERT."""
        return insert(table)

    def lock_schema(self, connection: Connection) -> None:
        """Nothing: who may write has locked the whole file."""

    def lock_runs(self, connection: Connection, run_ids: Sequence[str]) -> None:
        """Nothing, as above."""

    def lock_all(self, connection: Connection) -> None:
        """Nothing, as above."""

    def forget_deleted(self) -> None:
        """Move the -wal file into the database, where what is deleted is overwritten, and empty it."""
        with self.reader.connect() as connection, contextlib.closing(connection.connection.cursor()) as raw:
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            raw.fetchall()

    def guard(self, *, writing: bool) -> None:
        """Refuse to go on with a file that was deleted, replaced or cut: what is written to it would be lost."""
        try:
            seen = self._path.stat()
        except OSError as error:
            raise self._lost("was deleted") from error
        if (seen.st_dev, seen.st_ino) != self._identity:
            raise self._lost("was replaced by another file")
        if seen.st_size < self._size:
            raise self._lost("was cut short")
        if writing and not self._wal.exists():  # commits go there first
            raise self._lost("has had its -wal file deleted")
        self._size = seen.st_size

    def lost(self, error: DBAPIError) -> bool:
        """Never: there is no server."""
        return False

    def explain(self, error: DBAPIError) -> LedgerBroken:
        """What an error of SQLite means."""
        return self._explain(error.orig)

    def _explain(self, error: BaseException | None) -> LedgerBroken:
        number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        code, what, hint = _MEANING.get(
            number,
            ("STORE_FAILED", f"SQLite says: {error}", f"{_INTACT} Name another file with --store if it persists."),
        )
        return LedgerBroken(f"The store {self._path} cannot be used. {what}.", code=code, hint=hint)

    def _lost(self, what: str) -> LedgerBroken:
        return LedgerBroken(
            f"The store {self._path} {what} while it was in use.",
            code="STORE_LOST",
            hint="Nothing of this step counts as written. Put the file back, or start again with another --store.",
        )


def store_path(location: str | Path) -> Path:
    """The file that a location (a path or ``sqlite:///path``) names, ``~`` expanded.

    Raises:
        UsageError: it names none.
    """
    database: str | None = str(location)
    if isinstance(location, str) and "://" in location:
        try:
            url = make_url(location)
        except ArgumentError:
            url = URL.create("unknown")
        database = url.database if url.get_backend_name() == "sqlite" else None
    if not database or database == ":memory:":
        raise _no_file(location)
    try:
        return Path(database).expanduser()
    except RuntimeError as error:  # there is no such user
        raise _no_file(location) from error


def _no_file(location: str | Path) -> UsageError:
    return UsageError(
        f"{masked(str(location))!r} does not name a SQLite file.",
        code="STORE_URL",
        hint="Write a path, or sqlite:///relative/path, or sqlite:////absolute/path, or postgresql://…",
    )


def _require_file(path: Path, *, create: bool) -> None:
    try:
        if path.is_dir():
            raise LedgerBroken(
                f"The store {path} is a folder.",
                code="STORE_NOT_OPENED",
                hint=f"Name a file in it: --store {path / 'counterfoil.db'}",
            )
        if not create and not (path.exists() and path.stat().st_size):
            raise LedgerBroken(
                f"There is no store at {path}.",
                code="STORE_MISSING",
                hint="Name the file that the Run was recorded in with --store.",
            )
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):  # another process was faster
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        path.stat()
    except OSError as error:
        raise LedgerBroken(
            f"The store {path} cannot be created: {error.strerror}.",
            code="STORE_NOT_OPENED",
            hint="Check the folder and its permissions, or name another file with --store.",
        ) from error


def _prepare(raw: sqlite3.Connection, record: object) -> None:
    # Damaged text must reach ``verify``, which names it, instead of failing the whole query.
    raw.text_factory = operator.methodcaller("decode", "utf-8", "surrogateescape")  # no Python frame for each value
    cursor = raw.cursor()
    cursor.execute("PRAGMA synchronous = FULL")  # a commit is on the disk when it returns
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")  # purged means gone from the file
    cursor.close()


def _switch_to_wal(cursor: DBAPICursor) -> None:
    """Of several processes that switch a new file at once, SQLite lets all but one fail without waiting."""
    for last in (False,) * (SWITCH_ATTEMPTS - 1) + (True,):
        try:
            cursor.execute("PRAGMA journal_mode")
            if cursor.fetchone() != ("wal",):
                cursor.execute("PRAGMA journal_mode = WAL")
                cursor.fetchone()
        except sqlite3.OperationalError as error:
            if last or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            cursor.execute("BEGIN IMMEDIATE")  # this does wait, for whoever is switching
            cursor.execute("ROLLBACK")
        else:
            return


def _begin(connection: Connection) -> None:
    """Writers take the lock at once, so that what they check still holds when they write."""
    writes = connection.get_execution_options().get(_WRITES, False)
    statement = "BEGIN IMMEDIATE" if writes else "BEGIN"
    through_driver(connection, statement, lambda cursor: cursor.execute(statement))
