"""Owns what a database must bring along to hold a ledger: everything in which databases differ.

Never: a particular database.
"""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import Engine, Table
from sqlalchemy.exc import DBAPIError

from counterfoil.core.errors import LedgerBroken


class Dialect(Protocol):
    """A database that can be opened. ``writer`` begins transactions that may write, ``reader`` ones that do not."""

    writer: Engine
    reader: Engine

    def insert(self, table: Table) -> Any:
        """An INSERT that knows ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
        ...

    def guard(self, *, writing: bool) -> None:
        """Raise ``LedgerBroken`` when the store is no longer the one that was opened; ``writing``: about to commit."""
        ...

    def explain(self, error: DBAPIError) -> LedgerBroken:
        """What a database error means, what stays intact, and what to do."""
        ...
