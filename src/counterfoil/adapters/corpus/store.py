"""Owns the index file: one SQLite database with documents, segments and their full-text rows.

A cache: a corrupt or old one is rebuilt. Never: reading files, ranking rules. Only bound parameters.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from counterfoil.core.errors import RefusedError

SCHEMA = 7
SHARDS = 16  # full-text tables: ranking a few documents counts words in their shards only, not everywhere
_BUSY_MS = 30_000
_ATTEMPTS = 40
_ATTEMPT_SECONDS = 0.25
SPAN = 1 << 20  # rows of one document are contiguous: its key times this, plus the segment's index
_TABLES = """
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files(
  path BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,  sha256 TEXT NOT NULL, reader TEXT NOT NULL, doc INTEGER UNIQUE, code TEXT, message TEXT);
CREATE TABLE IF NOT EXISTS docs(
  doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document BLOB NOT NULL, routing BLOB NOT NULL,
  warnings BLOB NOT NULL, marked INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS segments(
  row INTEGER PRIMARY KEY, page INTEGER, heading TEXT, payload BLOB NOT NULL, figures INTEGER NOT NULL,
  head TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS statements(row INTEGER NOT NULL, name TEXT NOT NULL, strength REAL NOT NULL,
  PRIMARY KEY(row, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors(key TEXT PRIMARY KEY, row INTEGER NOT NULL, vector BLOB NOT NULL);
"""
_FULL_TEXT = """
CREATE VIRTUAL TABLE IF NOT EXISTS {name} USING fts5(
  title, heading, body, tokenize = "porter unicode61 remove_diacritics 2")"""


class FileRow(msgspec.Struct, frozen=True):
    """What the index remembers of a file; ``code`` is set when it was skipped."""

    path: bytes
    id: str
    size: int
    mtime_ns: int
    ctime_ns: int
    sha256: str
    reader: str
    doc: int | None = None
    code: str | None = None
    message: str | None = None


class SegmentRow(msgspec.Struct, frozen=True):
    """A segment ready to store; ``body``, ``title`` and ``heading_words`` are what full text sees."""

    index: int
    page: int | None
    heading: str | None
    head: str
    figures: int
    body: str
    heading_words: str
    payload: bytes


class IndexUnusable(Exception):
    """The index file cannot be used as it is and must be built again."""


def row_range(doc: int) -> tuple[int, int]:
    """Return the first and last row that segments of ``doc`` may have."""
    return doc * SPAN, doc * SPAN + SPAN - 1


def shard_of(doc: int) -> str:
    """Return the name of the full-text table that holds ``doc``."""
    return f"fts{doc % SHARDS:d}"


def doc_of(row: int) -> int:
    """Return the document key of a segment's row."""
    return row // SPAN


def index_of(row: int) -> int:
    """Return the segment index of a segment's row."""
    return row % SPAN


def _translated(path: Path, error: sqlite3.Error) -> Exception:
    """Tell a damaged file, which is built again, from one that cannot be used now."""
    damaged = not isinstance(error, sqlite3.OperationalError) or str(error).startswith("no such")
    if damaged and isinstance(error, sqlite3.DatabaseError):
        return IndexUnusable(str(error))
    return _unavailable(path, error)


def _unavailable(path: Path, error: Exception) -> RefusedError:
    return RefusedError(
        f"the search index {path} cannot be used: {error}",
        code="INDEX_UNAVAILABLE",
        hint="check its folder's permissions and free space, and whether another process holds it",
    )


def _check_schema(found: int) -> None:
    if found not in (0, SCHEMA):
        raise IndexUnusable(f"the index has schema {found}, this version writes {SCHEMA}")


class Store:
    """One connection to an index file, safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None

    def open(self) -> bool:
        """Open the file, building it again when it is corrupt or old; return whether it was rebuilt."""
        with self._lock:
            if self._db is not None:
                return False
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._db = self._connect_patiently()
            except IndexUnusable:
                self._discard()
                self._db = self._connect_patiently()
                return True
            except OSError as error:
                raise _unavailable(self._path, error) from error
            return False

    def _connect_patiently(self) -> sqlite3.Connection:
        """Connect, waiting for another process that is just making the file."""
        for attempt in range(_ATTEMPTS):
            try:
                return self._connect()
            except sqlite3.Error as error:
                locked = "locked" in str(error)
                if not locked or attempt == _ATTEMPTS - 1:
                    raise _translated(self._path, error) from error
                time.sleep(_ATTEMPT_SECONDS)
        raise AssertionError("the last attempt returns or raises")

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=_BUSY_MS / 1000, check_same_thread=False, isolation_level=None)
        try:
            db.execute(f"PRAGMA busy_timeout = {_BUSY_MS:d}")
            found = db.execute("PRAGMA user_version").fetchone()[0]
            _check_schema(found)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA cache_size = -16384")
            if found == 0:
                db.execute("BEGIN IMMEDIATE")
                full_text = [_FULL_TEXT.format(name=f"fts{n:d}") for n in range(SHARDS)]
                for statement in [*_TABLES.split(";\n"), *full_text]:
                    if statement.strip():
                        db.execute(statement)
                db.execute(f"PRAGMA user_version = {SCHEMA:d}")
                db.execute("COMMIT")
            db.execute("SELECT count(*) FROM fts0 WHERE fts0 MATCH 'a'").fetchone()
            db.execute("SELECT count(*) FROM files").fetchone()
        except BaseException:
            db.close()
            raise
        return db

    def _discard(self) -> None:
        for suffix in ("", "-wal", "-shm", "-journal"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def rebuild(self) -> None:
        """Throw the file away and start an empty one."""
        with self._lock:
            self.close()
            self._discard()
            self._db = self._connect()

    def close(self) -> None:
        """Close the connection; the store may be opened again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one write; another process waits, or this one does."""
        with self._lock:
            db = self._open_db()
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def query(self, sql: str, values: Iterable[object] = ()) -> list[tuple[object, ...]]:
        """Return all rows of a read; raise ``IndexUnusable`` when the file turns out damaged."""
        with self._lock:
            try:
                return self._open_db().execute(sql, tuple(values)).fetchall()
            except sqlite3.Error as error:
                raise _translated(self._path, error) from error

    def execute(self, sql: str, values: Iterable[object] = ()) -> None:
        """Run one write with bound values; errors as for ``query``."""
        with self._lock:
            try:
                self._open_db().execute(sql, tuple(values))
            except sqlite3.Error as error:
                raise _translated(self._path, error) from error

    def _open_db(self) -> sqlite3.Connection:
        if self._db is None:
            self.open()
        assert self._db is not None
        return self._db

    # -- files and documents -------------------------------------------------------------------------

    def files(self) -> dict[bytes, FileRow]:
        """Return everything remembered of files, by raw path."""
        return {row.path: row for row in self._files("", ())}

    def files_like(self, path: bytes, document_id: str) -> list[FileRow]:
        """Return what is remembered under this path or this id."""
        return self._files(" WHERE path = ? OR id = ?", (path, document_id))

    def _files(self, where: str, values: Iterable[object]) -> list[FileRow]:
        sql = "SELECT path, id, size, mtime_ns, ctime_ns, sha256, reader, doc, code, message FROM files" + where
        return [
            msgspec.convert(dict(zip(FileRow.__struct_fields__, r, strict=True)), FileRow)
            for r in self.query(sql, values)
        ]

    def put_file(self, row: FileRow) -> None:
        """Remember a file; the caller holds a transaction."""
        self.execute(
            "INSERT OR REPLACE INTO files(path, id, size, mtime_ns, ctime_ns, sha256, reader, doc, code, message) "
            "VALUES (?,?,?,?,?,?,?,?,?,?)",
            (
                row.path,
                row.id,
                row.size,
                row.mtime_ns,
                row.ctime_ns,
                row.sha256,
                row.reader,
                row.doc,
                row.code,
                row.message,
            ),
        )

    def remove_file(self, row: FileRow) -> None:
        """Forget a file and everything read from it; the caller holds a transaction."""
        if row.doc is not None:
            first, last = row_range(row.doc)
            for table, column in (
                (shard_of(row.doc), "rowid"),
                ("segments", "row"),
                ("statements", "row"),
                ("vectors", "row"),
            ):
                self.execute(f"DELETE FROM {table} WHERE {column} BETWEEN ? AND ?", (first, last))
            self.execute("DELETE FROM docs WHERE doc = ?", (row.doc,))
        self.execute("DELETE FROM files WHERE path = ?", (row.path,))

    def next_doc(self) -> int:
        """Return an unused document key; the caller holds a transaction."""
        (highest,) = self.query("SELECT coalesce(max(doc), 0) FROM docs")[0]
        return int(str(highest)) + 1

    def put_document(self, doc: int, document_id: str, document: bytes, routing: bytes, warnings: bytes) -> None:
        """Store a document's description; the caller holds a transaction."""
        self.execute(
            "INSERT INTO docs(doc, id, document, routing, warnings) VALUES (?,?,?,?,?)",
            (doc, document_id, document, routing, warnings),
        )

    def put_segment(self, doc: int, title: str, segment: SegmentRow) -> None:
        """Store one segment with its full-text row; the caller holds a transaction."""
        row = doc * SPAN + segment.index
        self.execute(
            "INSERT INTO segments VALUES (?,?,?,?,?,?)",
            (row, segment.page, segment.heading, segment.payload, segment.figures, segment.head),
        )
        self.execute(
            f"INSERT INTO {shard_of(doc)}(rowid, title, heading, body) VALUES (?,?,?,?)",
            (row, title, segment.heading_words, segment.body),
        )

    def meta(self, key: str) -> str | None:
        """Return a remembered setting."""
        rows = self.query("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def set_meta(self, key: str, value: str) -> None:
        """Remember a setting; the caller holds a transaction."""
        self.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))
