"""What is special about the ledger in a SQLite file: sharing it between writers, and being killed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.adapters.stores.sqlite_bench import append, child, go

from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.adapters.stores.sqlite import open_sqlite
from counterfoil.core.errors import LedgerConflict
from counterfoil.core.record.events import CancelRequested, ToolCallSettled


def test_of_two_writers_of_a_run_one_gets_a_conflict(path: Path, ledger: SqlLedger) -> None:
    other = open_sqlite(path)
    append(ledger, 0)
    append(other, 1)
    with pytest.raises(LedgerConflict):
        append(ledger, 1)
    assert len(append(ledger, 2)) == 1
    assert go(other.verify("r1")).events == 3
    go(other.close())


@pytest.mark.req("LED-01")
def test_two_processes_racing_for_a_new_store_and_every_event_never_both_win(path: Path) -> None:
    script = """
print("ready", flush=True)
sys.stdin.readline()
ledger = open_sqlite(sys.argv[1])
async def race():
    won = 0
    for seq in range(40):
        try:
            await ledger.append("r1", seq, [CancelRequested(sys.argv[2])], at=seq, epoch=1, listing=listing)
            won += 1
        except LedgerConflict:
            pass
    await ledger.close()
    print(won)
asyncio.run(race())
"""
    racers = [child(script, path, name) for name in ("a", "b")]
    for racer in racers:
        assert racer.stdout is not None and racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    won = [int(racer.communicate()[0]) for racer in racers]
    ledger = open_sqlite(path)
    verdict, events = go(ledger.verify("r1")), go(ledger.events("r1"))
    go(ledger.close())
    assert sum(won) == 40 and (verdict.events, verdict.first_bad) == (40, None)
    texts = [event.why for _, event in events if isinstance(event, CancelRequested)]
    assert [texts.count(name) for name in ("a", "b")] == won


@pytest.mark.parametrize("where", ["before", "inside"])
def test_a_killed_process_leaves_whole_appends_only(path: Path, where: str) -> None:
    script = """
from sqlalchemy import event
ledger = open_sqlite(sys.argv[1])
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
crashing = CrashingLedger(ledger, 4 if sys.argv[2] == "before" else 0, die)
async def work():
    for seq in range(0, 20, 2):
        if seq == 6 and sys.argv[2] == "inside":
            event.listen(ledger._store.writer, "commit", die)
        events = [CancelRequested("x"), ToolCallSettled("c1", {"text": f"{seq} " * 9000})]
        await crashing.append("r1", seq, events, at=seq, epoch=1, listing=listing)
asyncio.run(work())
"""
    process = child(script, path, where)
    process.communicate()
    assert process.returncode == -9
    ledger = open_sqlite(path)
    verdict = go(ledger.verify("r1"))
    assert (verdict.events, verdict.first_bad) == (6, None)
    append(ledger, 6)
    assert go(ledger.verify("r1")).first_bad is None
    go(ledger.close())
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT count(*) FROM blobs").fetchone() == (5,)  # three pages, two reasons


@pytest.mark.req("LED-08")
def test_the_file_grows_by_new_material_only(path: Path, ledger: SqlLedger) -> None:
    page = {"text": "".join(f"{number * 7919 % 100_003} " for number in range(9_000))}

    def stored_bytes() -> int:
        with closing(sqlite3.connect(path)) as raw:
            query = "SELECT (SELECT sum(length(payload)) FROM events) + (SELECT sum(length(body)) FROM blobs)"
            return int(raw.execute(query).fetchone()[0])

    append(ledger, 0, ToolCallSettled("c1", page))
    first = stored_bytes()
    for seq in range(1, 50):
        append(ledger, seq, ToolCallSettled("c1", page))
    assert stored_bytes() - first < 49 * 200
