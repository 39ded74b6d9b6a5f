"""The stores that the ledger contract is checked against, and how to reach behind their backs.

A new store joins with a class that opens it and changes its rows, and one line in ``STORES``.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
import psycopg
from tests.postgres import server

from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.adapters.stores.postgres import open_postgres
from counterfoil.adapters.stores.sqlite import open_sqlite
from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.evidence.passages import Passage, Segment
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.events import (
    CancelRequested,
    ContractConfirmed,
    EvidenceRead,
    PhaseChanged,
    PublicationDelivered,
    RunAdmitted,
    RunSettled,
    ToolCallReserved,
    ToolCallSettled,
)
from counterfoil.core.record.snapshot import Admitted
from counterfoil.ports.ledger import Ledger, RunListing, StoredEvent

T = TypeVar("T")
TEXT_COLUMNS = ("actor", "type", "payload", "prev_hash", "hash")
NUMBER_COLUMNS = ("at", "epoch")


class Store(Protocol):
    """A ledger, and a way to change what it holds that the ledger does not know of."""

    ledger: Ledger

    def another(self, folder: Path) -> Store: ...
    def reopen(self) -> None: ...
    def read(self, run_id: str, seq: int, column: str) -> bytes | int: ...
    def write(self, run_id: str, seq: int, column: str, value: bytes | int) -> None: ...
    def drop(self, run_id: str, seq: int) -> None: ...
    def blobs(self) -> dict[str, bytes]: ...
    def write_blob(self, name: str, body: bytes | None) -> None: ...
    def drop_listing(self, run_id: str) -> None: ...
    def change_listing(self, run_id: str, column: str, value: str | int) -> None: ...
    def add_blob(self, name: str, body: bytes) -> None: ...


class InMemory:
    def __init__(self, folder: Path) -> None:
        self.inner = MemoryLedger()
        self.ledger: Ledger = self.inner

    def another(self, folder: Path) -> Store:
        return InMemory(folder)

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

    def change_listing(self, run_id: str, column: str, value: str | int) -> None:
        self.inner.listings[run_id] = msgspec.structs.replace(self.inner.listings[run_id], **{column: value})

    def add_blob(self, name: str, body: bytes) -> None:
        self.inner.blobs[name] = body


class InSqlite:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "ledger.db"
        self.ledger: Ledger = open_sqlite(self.path)

    def another(self, folder: Path) -> Store:
        return InSqlite(folder)

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

    def change_listing(self, run_id: str, column: str, value: str | int) -> None:
        self._sql(f"UPDATE runs SET {column} = ? WHERE run_id = ?", value, run_id)

    def add_blob(self, name: str, body: bytes) -> None:
        self._sql("INSERT INTO blobs VALUES (?, ?, ?)", name, len(body), body)


class InPostgres:
    def __init__(self, folder: Path) -> None:
        self.url = server().new_schema()
        self.ledger: Ledger = open_postgres(self.url)

    def another(self, folder: Path) -> Store:
        return InPostgres(folder)

    def reopen(self) -> None:
        go(self.ledger.close())
        self.ledger = open_postgres(self.url)

    def _sql(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as raw:
            found = raw.execute(statement.encode(), values)
            return found.fetchall() if found.description else []

    def read(self, run_id: str, seq: int, column: str) -> bytes | int:
        value: bytes | str | int
        [(value,)] = self._sql(f"SELECT {column} FROM events WHERE run_id = %s AND seq = %s", run_id, seq)
        return value.encode() if isinstance(value, str) else value

    def write(self, run_id: str, seq: int, column: str, value: bytes | int) -> None:
        stored: bytes | str | int = value
        if isinstance(value, bytes) and column != "payload":
            stored = value.decode(errors="replace").replace("\0", "\ufffd")  # a server takes no other text
        self._sql(f"UPDATE events SET {column} = %s WHERE run_id = %s AND seq = %s", stored, run_id, seq)

    def drop(self, run_id: str, seq: int) -> None:
        self._sql("DELETE FROM events WHERE run_id = %s AND seq = %s", run_id, seq)

    def blobs(self) -> dict[str, bytes]:
        return dict(self._sql("SELECT name, body FROM blobs"))

    def write_blob(self, name: str, body: bytes | None) -> None:
        if body is None:
            self._sql("DELETE FROM blobs WHERE name = %s", name)
        else:
            self._sql("UPDATE blobs SET body = %s WHERE name = %s", body, name)

    def drop_listing(self, run_id: str) -> None:
        self._sql("DELETE FROM runs WHERE run_id = %s", run_id)

    def change_listing(self, run_id: str, column: str, value: str | int) -> None:
        self._sql(f"UPDATE runs SET {column} = %s WHERE run_id = %s", value, run_id)

    def add_blob(self, name: str, body: bytes) -> None:
        self._sql("INSERT INTO blobs VALUES (%s, %s, %s)", name, len(body), body)


STORES: dict[str, Callable[[Path], Store]] = {
    "memory": InMemory,
    "sqlite": InSqlite,
    "postgres": InPostgres,
}


def go(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


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
        PhaseChanged(Phase.FINALIZE_ONLY, "the limit was reached", "run/tool-calls"),
        CancelRequested("enough"),
    ]


def whole_run(question: str, text: str, run_id: str = "r1") -> tuple[list[Any], RunListing]:
    """A Run from its admission to its settlement, and the listing that belongs to it."""
    contract = Contract(question)
    snapshot = Admitted(1, contract, TimeAnchor("2025-03-31"), (), "offline", "", {}, (), (), {}, False)
    events = [
        RunAdmitted(snapshot),
        ContractConfirmed(contract, "unseen"),
        EvidenceRead("S1", segment(f"{text} " * 400), 1, "c1"),
        ToolCallSettled("c1", {"passages": [text]}),
        PhaseChanged(Phase.FINALIZE_ONLY, "the limit was reached", "run/tool-calls"),
        PublicationDelivered("P1", "host", f"It says {text}."),
        RunSettled("partial", "model_stopped", None, True, False, "not_run"),
    ]
    return events, RunListing(run_id, question, "partial", "finalize_only", 5_000)


def verdict_of(store: Store, run_id: str = "r1") -> int | None:
    verdict = go(store.ledger.verify(run_id))
    assert (verdict.first_bad is None) == (verdict.why == "")
    return verdict.first_bad
