"""What is special about the ledger in PostgreSQL: many processes, many Runs, one database."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import event
from tests.postgres import DATABASE, server
from tests.unit.adapters.stores.sqlite_bench import append, child, go

from counterfoil.adapters.stores.postgres import open_postgres
from counterfoil.adapters.stores.sql import SqlLedger
from counterfoil.core.errors import LeaseLost
from counterfoil.core.record.events import CancelRequested, ToolCallSettled
from counterfoil.ports.ledger import Lease, RunListing

RACE = """
from counterfoil.adapters.stores.postgres import open_postgres
from counterfoil.ports.ledger import Lease
print("ready", flush=True)
sys.stdin.readline()
ledger = open_postgres(sys.argv[1])
name = sys.argv[2]
async def race():
    outcome = await work()
    await ledger.close()
    print(outcome)
"""


@pytest.fixture
def url() -> str:
    return server().new_schema()


@pytest.fixture
def ledger(url: str) -> Iterator[SqlLedger]:
    opened = open_postgres(url)
    yield opened
    go(opened.close())


def raced(url: str, script: str) -> list[int]:
    """What two processes printed that did the same at the same time."""
    racers = [child(f"{RACE}{script}\nasyncio.run(race())", url, name) for name in ("a", "b")]
    for racer in racers:
        assert racer.stdout is not None and racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    return [printed(racer) for racer in racers]


def printed(racer: subprocess.Popen[str]) -> int:
    said = racer.communicate()[0]
    assert racer.returncode == 0, said
    return int(said)


@pytest.mark.req("LED-01")
def test_two_processes_racing_for_a_new_store_and_every_event_never_both_win(url: str) -> None:
    won = raced(url, """
async def work():
    won = 0
    for seq in range(40):
        try:
            await ledger.append("r1", seq, [CancelRequested(name)], at=seq, epoch=1, listing=listing)
            won += 1
        except LedgerConflict:
            pass
    return won
""")  # fmt: skip
    ledger = open_postgres(url)
    verdict, events = go(ledger.verify("r1")), go(ledger.events("r1"))
    go(ledger.close())
    assert sum(won) == 40 and (verdict.events, verdict.first_bad) == (40, None)
    texts = [event.why for _, event in events if isinstance(event, CancelRequested)]
    assert [texts.count(name) for name in ("a", "b")] == won


@pytest.mark.req("SCALE-01")
def test_two_processes_write_many_runs_with_the_same_bodies_at_once(url: str) -> None:
    written = raced(url, """
async def work():
    for round in range(15):
        numbers = range(40) if name == "a" else range(39, -1, -1)
        bodies = [ToolCallSettled("c1", {"text": f"page {round} {number} " * 300}) for number in numbers]
        async def one(run):
            listing = RunListing(run, "q", "running", "research", 1)
            await ledger.append(run, round * 40, bodies, at=round, epoch=1, listing=listing)
        await asyncio.gather(*(one(f"{name}{run}") for run in range(5)))
    return 5
""")  # fmt: skip
    assert written == [5, 5]
    ledger = open_postgres(url)
    verdicts = [go(ledger.verify(run.run_id)) for run in go(ledger.runs())]
    go(ledger.close())
    assert [(verdict.events, verdict.first_bad) for verdict in verdicts] == [(600, None)] * 10


def wait_until_somebody_waits_for_a_lock(url: str) -> None:
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = %s"
    with psycopg.connect(url, autocommit=True) as watcher:
        while watcher.execute(waits, (DATABASE,)).fetchone() == (0,):
            time.sleep(0.005)


@pytest.mark.req("LED-06")
def test_a_renewal_that_waits_for_a_taker_is_too_late(url: str, ledger: SqlLedger) -> None:
    append(ledger, 0, lease=Lease("a", 1, 5))

    async def late() -> None:
        with psycopg.connect(url) as taker:
            taker.execute("SELECT * FROM runs FOR UPDATE")
            taker.execute("UPDATE leases SET holder = 'b', epoch = 2")
            renewal = asyncio.ensure_future(ledger.renew("r1", epoch=1, until=9))
            await asyncio.sleep(0)
            wait_until_somebody_waits_for_a_lock(url)
        await renewal

    with pytest.raises(LeaseLost):
        go(late())
    assert go(ledger.lease("r1")) == Lease("b", 2, 5)


def test_bodies_are_written_in_one_order_so_that_processes_never_wait_in_a_circle(url: str, ledger: SqlLedger) -> None:
    append(ledger, 0, *(ToolCallSettled("c1", {"text": f"page {number} " * 900}) for number in range(9)))
    with psycopg.connect(url) as watcher:
        names = [name for (name,) in watcher.execute("SELECT name FROM blobs ORDER BY ctid").fetchall()]  # as written
    assert len(names) == 9 and names == sorted(names)


@pytest.mark.req("LED-06")
def test_of_two_processes_that_take_one_lease_one_gets_it(url: str) -> None:
    ledger = open_postgres(url)
    append(ledger, 0, lease=Lease("dead", 1, 0))
    go(ledger.close())
    won = raced(url, """
async def work():
    lease = Lease(name, 2, 9)
    try:
        await ledger.append("r1", 1, [CancelRequested(name)], at=1, epoch=2, listing=listing, lease=lease)
    except LedgerConflict:
        return 0
    return 1
""")  # fmt: skip
    ledger = open_postgres(url)
    lease = go(ledger.lease("r1"))
    [_, (_, taken)] = go(ledger.events("r1"))
    with pytest.raises(LeaseLost):
        append(ledger, 2)
    go(ledger.close())
    assert sorted(won) == [0, 1] and lease is not None
    assert lease.holder == "ab"[won.index(1)] and taken == CancelRequested(lease.holder)


@pytest.mark.req("SCALE-01")
def test_appends_that_wait_share_a_commit(ledger: SqlLedger) -> None:
    commits: list[Any] = []
    event.listen(ledger._store.writer, "commit", commits.append)

    async def all_of_them() -> None:
        gate = ledger._write_thread.submit(asyncio.run, asyncio.sleep(0))
        appends = [
            asyncio.ensure_future(
                ledger.append(f"r{number}", 0, [CancelRequested("x")], at=1, epoch=1,
                              listing=RunListing(f"r{number}", "q", "running", "research", 1))
            )
            for number in range(100)
        ]  # fmt: skip
        await asyncio.sleep(0)
        gate.result()
        await asyncio.gather(*appends)

    go(all_of_them())
    assert len(go(ledger.runs())) == 100 and len(commits) < 20
