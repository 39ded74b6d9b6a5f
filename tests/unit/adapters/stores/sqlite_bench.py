"""What the tests of the SQLite ledger share: short calls, and other processes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.core.errors import LedgerBroken
from counterfoil.core.record.events import CancelRequested
from counterfoil.ports.ledger import Lease, RunListing

T = TypeVar("T")

PRELUDE = """
import asyncio, os, signal, sys
from counterfoil.adapters.stores.crash import CrashingLedger
from counterfoil.adapters.stores.sqlite import open_sqlite
from counterfoil.core.errors import LedgerConflict
from counterfoil.core.record.events import CancelRequested, ToolCallSettled
from counterfoil.ports.ledger import RunListing
listing = RunListing("r1", "q", "running", "searching", 1)
"""


def go(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def child(script: str, *args: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PRELUDE + script, *map(str, args)]
    return subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def append(
    ledger: SqlLedger, expected: int, *events: Any, run_id: str = "r1", at: int = 1, lease: Lease | None = None
) -> Any:
    listing = RunListing(run_id, "q", "running", "searching", 1)
    written = events or (CancelRequested(str(expected)),)
    return go(ledger.append(run_id, expected, written, at=at, epoch=1, listing=listing, lease=lease))


def broken(work: Any, *args: Any, **options: Any) -> LedgerBroken:
    with pytest.raises(LedgerBroken) as refused:
        work(*args, **options)
    assert refused.value.message and refused.value.hint
    return refused.value
