"""Owns what a database must bring along to hold a ledger: everything in which databases differ.

Never: a particular database.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import DBAPIError

from counterfoil.core.errors import LedgerBroken


class Dialect(Protocol):
    """A database that can be opened. ``writer`` begins transactions that may write, ``reader`` ones that do not."""

    writer: Engine
    reader: Engine
    retries_s: Sequence[float]  # the wait before each further attempt once a connection was lost

    def insert(self, table: Table) -> Any:
        """An INSERT that knows ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
        ...

    def lock_schema(self, connection: Connection) -> None:
        """Until the transaction ends, let no other process create or migrate the tables."""
        ...

    def lock_runs(self, connection: Connection, run_ids: Sequence[str]) -> None:
        """Until the transaction ends, let no other process write these Runs."""
        ...

    def lock_all(self, connection: Connection) -> None:
        """Until the transaction ends, let no other process write any Run."""
        ...

    def forget_deleted(self) -> None:
        """After a commit: let no log of the database keep what was deleted, as far as that is in its power."""
        ...

    def guard(self, *, writing: bool) -> None:
        """Raise ``LedgerBroken`` when the store is no longer the one that was opened; ``writing``: about to commit."""
        ...

    def lost(self, error: DBAPIError) -> bool:
        """Whether the connection is gone, so that another one may do."""
        ...

    def explain(self, error: DBAPIError) -> LedgerBroken:
        """What a database error means, what stays intact, and what to do."""
        ...
