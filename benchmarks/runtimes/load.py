"""Measures many Runs in one process: how long they wait for the ledger beside one fsync, and what an idle one occupies.

python -m benchmarks.runtimes.load wait|saturated|idle --runs N      prints one JSON object
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.runtimes.host import StubModel, ask, host_on, ledger_at
from benchmarks.runtimes.meter import Meter

from counterfoil.core.record.events import Event, ToolCallReserved, ToolCallSettled
from counterfoil.ports.ledger import Ledger, RunListing

THINK_S = 2.0  # what a model takes to answer; with less, 200 Runs ask for more CPU than two cores have
TURNS = 6
SATURATED_S = 4.0
IDLE_TURNS = 20


def fsync_ms(folder: Path) -> dict[str, float]:
    """One 4 KiB write and fsync on the disk that holds the ledger."""
    times = []
    with (folder / "probe").open("wb", buffering=0) as probe:
        for _ in range(200):
            probe.write(os.urandom(4096))
            begun = time.perf_counter()
            os.fsync(probe.fileno())
            times.append((time.perf_counter() - begun) * 1000)
    return percentiles(times)


def percentiles(times: list[float]) -> dict[str, float]:
    """The median and the 99th of a hundred."""
    return {"p50": statistics.median(times), "p99": statistics.quantiles(times, n=100)[98]}


def timed(ledger: Ledger, waits: list[float]) -> Ledger:
    """The ledger, noting how long each append is waited for, from the call until the Run goes on."""
    append = ledger.append

    async def appending(*arguments: Any, **options: Any) -> Any:
        begun = time.perf_counter()
        stored = await append(*arguments, **options)
        waits.append((time.perf_counter() - begun) * 1000)
        return stored

    ledger.append = appending  # type: ignore[method-assign]
    return ledger


async def wait(folder: Path, runs: int) -> dict[str, object]:
    """Hosts with a model that takes its time: what a busy server does."""
    waits: list[float] = []
    meter = Meter()
    meter.begin(runs * TURNS + 200)
    ledger = timed(ledger_at(folder), waits)
    host = host_on(ledger, StubModel(think_s=THINK_S if runs > 1 else 0.02), meter)
    turns = TURNS if runs > 1 else 150

    async def arriving(share: float) -> None:
        await asyncio.sleep(share * THINK_S)  # nobody's users all press the key at once
        await ask(host, turns)

    await ask(host, 2)
    before = fsync_ms(folder)
    waits.clear()
    spent = time.process_time()
    begun = time.perf_counter()
    await asyncio.gather(*(arriving(number / runs) for number in range(runs)))
    busy = (time.process_time() - spent) / (time.perf_counter() - begun)
    after = fsync_ms(folder)
    fsync = {name: (before[name] + after[name]) / 2 for name in before}
    return {"wait": percentiles(waits), "fsync": fsync, "appends": len(waits), "cores": busy}


async def saturated(folder: Path, runs: int) -> dict[str, object]:
    """Runs that append again at once, with nothing between: the most that one file takes."""
    waits: list[float] = []
    meter = Meter()
    meter.begin(64)
    texts = [meter.result() for _ in range(64)]
    ledger = timed(ledger_at(folder), waits)
    until = time.perf_counter() + SATURATED_S

    async def appending(run: int) -> None:
        seq, line = 0, RunListing(f"r{run}", "What?", "running", "research", 0)
        while time.perf_counter() < until:
            settled = ToolCallSettled(f"c{seq}", {"text": f"{run} {seq} {texts[seq % 64]}"})
            events: tuple[Event, ...] = (ToolCallReserved(f"c{seq}", {}), settled)
            await ledger.append(line.run_id, seq, events, at=0, epoch=1, listing=line)
            seq += len(events)

    fsync = fsync_ms(folder)
    await asyncio.gather(*(appending(run) for run in range(runs)))
    await ledger.close()
    return {"wait": percentiles(waits), "fsync": fsync, "appends": len(waits), "per_s": len(waits) / SATURATED_S}


async def idle(folder: Path, runs: int) -> dict[str, object]:
    """Runs that wait for their model after so many turns: what each adds to the process."""
    meter, hold = Meter(), asyncio.Event()
    meter.begin((runs + 2) * IDLE_TURNS)
    model = StubModel(hold=hold)
    host = host_on(ledger_at(folder), model, meter)
    hold.set()
    await ask(host, IDLE_TURNS)
    hold.clear()
    await model.held.acquire()
    before = resident_kb()
    working = [asyncio.ensure_future(ask(host, IDLE_TURNS)) for _ in range(runs)]
    for _ in range(runs):
        await model.held.acquire()
    each = (resident_kb() - before) / runs
    hold.set()
    await asyncio.gather(*working)
    return {"kb_per_run": each, "turns": IDLE_TURNS, "peak_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def resident_kb() -> float:
    """Memory of this process that is in use, from the kernel's account."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("wait", "saturated", "idle"))
    parser.add_argument("--runs", type=int, default=50)
    given = parser.parse_args()
    measured = {"wait": wait, "saturated": saturated, "idle": idle}[given.what]
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measured(Path(folder), given.runs))))


if __name__ == "__main__":
    main()
