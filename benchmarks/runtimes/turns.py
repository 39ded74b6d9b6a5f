"""Measures one runtime in this process: CPU of a turn, growth over a Run, bytes kept. Prints one JSON object.

python -m benchmarks.runtimes.turns SUBJECT --turns N --repeat R --url URL
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.runtimes import peers
from benchmarks.runtimes.host import OpenAiModel, StubModel, ask, host_on, ledger_at
from benchmarks.runtimes.meter import Meter, calibration_ms
from benchmarks.runtimes.peers import Run
from sqlalchemy import Engine, event

from counterfoil.adapters.models.keys import Keys
from counterfoil.adapters.models.providers import open_language_model
from counterfoil.ports.model import Model

WARM_TURNS = 10


def _host(folder: Path, meter: Meter, model: Model) -> Run:
    host = host_on(ledger_at(folder), model, meter)

    async def run(turns: int) -> None:
        await ask(host, turns)

    return run


def host_in_process(url: str, folder: Path, meter: Meter) -> Run:
    """The Host with the stub as a function: no provider library, so all that is counted is the Host's own."""
    return _host(folder, meter, StubModel())


def host_over_http(url: str, folder: Path, meter: Meter) -> Run:
    """The Host asking the stub through the provider's client, as its peers do."""
    return _host(folder, meter, OpenAiModel(peers.client_of(url)))


def host_on_a_wire(url: str, folder: Path, meter: Meter) -> Run:
    """The Host asking the stub as the product asks any provider: rendered, streamed, through the provider library."""
    keys = Keys({}, folder / "keys.toml")
    model = open_language_model(f"openai-compatible:stub-finish@{url}", keys, {}, stall_seconds=60).model
    return _host(folder, meter, model)


SUBJECTS: dict[str, Callable[[str, Path, Meter], Run]] = {
    "bare": peers.bare_loop,
    "bare-blocking": peers.bare_loop_blocking,
    "host-in-process": host_in_process,
    "host": host_over_http,
    "host-wire": host_on_a_wire,
    "langgraph": functools.partial(peers.langgraph, saved=False),
    "langgraph-sqlite": functools.partial(peers.langgraph, saved=True),
    "pydantic": peers.pydantic_plain,
    "pydantic-dbos": peers.pydantic_dbos,
}


def bytes_in(folder: Path) -> int:
    """What a runtime keeps on the disk, but for what SQLite has still to move into its file."""
    return sum(path.stat().st_size for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm")))


def checkpointed(folder: Path) -> int:
    """``bytes_in`` once SQLite has moved everything."""
    import sqlite3

    for path in folder.glob("*.db"):
        with sqlite3.connect(path) as raw:
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        raw.close()
    return bytes_in(folder)


async def measure(subject: str, url: str, turns: int, repeat: int, folder: Path) -> list[dict[str, float]]:
    """One row for each Run, after a short one that nobody counts."""
    committed: list[object] = []
    event.listen(Engine, "commit", committed.append)
    meter = Meter()
    meter.watch_client()
    run = SUBJECTS[subject](url, folder, meter)
    meter.begin(WARM_TURNS)
    await run(WARM_TURNS)
    rows = []
    for _ in range(repeat):
        meter.begin(turns)
        kept, commits, speed = checkpointed(folder), len(committed), calibration_ms()
        begun = time.perf_counter()
        await run(turns)
        wall = time.perf_counter() - begun
        first, last = meter.edges_ms()
        rows.append(
            {
                "cpu_ms": statistics.fmean(meter.turns_ms()),
                "own_ms": statistics.fmean(meter.own_ms()),
                "wall_ms": wall * 1000 / turns,
                "first_ms": first,
                "last_ms": last,
                "commits": (len(committed) - commits) / turns,
                "speed_ms": (speed + calibration_ms()) / 2,
                "bytes": checkpointed(folder) - kept,
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--url", required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(given.subject, given.url, given.turns, given.repeat, Path(folder)))))
        sys.stdout.flush()
    os._exit(0)  # a peer's threads may go on; nothing of them is wanted


if __name__ == "__main__":
    main()
