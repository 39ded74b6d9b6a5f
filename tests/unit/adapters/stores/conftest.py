"""A SQLite ledger that does not wait for locks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.adapters.stores.sqlite_bench import go

from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.adapters.stores.sqlite import open_sqlite


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[SqlLedger]:
    opened = open_sqlite(path, busy_ms=0)
    yield opened
    go(opened.close())
