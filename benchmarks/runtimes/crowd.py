"""Measures many conversations at once in this process, against a stub that thinks: requests a second, CPU, memory.

python -m benchmarks.runtimes.crowd SUBJECT --runs N --turns T --url URL      prints one JSON object
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.runtimes import peers
from benchmarks.runtimes.host import OpenAiModel, ask, host_on, ledger_at
from benchmarks.runtimes.load import resident_kb
from benchmarks.runtimes.meter import Meter
from benchmarks.runtimes.peers import Run

from counterfoil.adapters.models.clients import Clients
from counterfoil.adapters.models.keys import Keys
from counterfoil.adapters.models.providers import open_language_model

SAMPLE_S = 0.25


def bare(url: str, folder: Path, meter: Meter) -> Run:
    """The provider's client, one for all, and a loop for each conversation."""
    return peers.bare_loop(url, folder, meter)


def bare_streamed(url: str, folder: Path, meter: Meter) -> Run:
    """The same with streamed replies, which is how the Host asks."""
    return peers.bare_loop_streamed(url, folder, meter)


def host(url: str, folder: Path, meter: Meter) -> Run:
    """Runs on one ledger, the provider's client alone beneath."""
    ledger = ledger_at(folder)
    client = peers.client_of(url)

    async def run(turns: int) -> None:
        await ask(host_on(ledger, OpenAiModel(client), meter), turns)

    return run


def host_wire(url: str, folder: Path, meter: Meter) -> Run:
    """Runs on one ledger as the product drives them: a model for each, the clients of one Host."""
    ledger, clients = ledger_at(folder), Clients()

    async def run(turns: int) -> None:
        keys = Keys({}, folder / "keys.toml")
        spec = f"openai-compatible:stub-finish@{url}"
        model = open_language_model(spec, keys, {}, 60, clients).model
        await ask(host_on(ledger, model, meter), turns)

    return run


SUBJECTS: dict[str, Callable[[str, Path, Meter], Run]] = {
    "bare": bare,
    "bare-streamed": bare_streamed,
    "host": host,
    "host-wire": host_wire,
}


async def measure(subject: str, url: str, runs: int, turns: int, folder: Path) -> dict[str, float]:
    """All at once, after one that nobody counts; each Run is ``turns`` calls of the tool and a last request."""
    meter = Meter()
    meter.begin(2 + runs * turns)
    run = SUBJECTS[subject](url, folder, meter)
    await run(2)
    memory: list[float] = []

    async def sampling() -> None:
        while True:
            memory.append(resident_kb())
            await asyncio.sleep(SAMPLE_S)

    sampler = asyncio.ensure_future(sampling())
    begun, spent = time.perf_counter(), time.process_time()
    await asyncio.gather(*(run(turns) for _ in range(runs)))
    wall, cpu = time.perf_counter() - begun, time.process_time() - spent
    sampler.cancel()
    third = max(1, len(memory) // 3)
    requests = runs * (turns + 1)
    return {
        "per_s": requests / wall,
        "cpu_ms": cpu * 1000 / requests,
        "per_cpu_s": requests / cpu,
        "first_mb": max(memory[:third]) / 1024,
        "last_mb": max(memory[-third:]) / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--url", required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(given.subject, given.url, given.runs, given.turns, Path(folder)))))
        sys.stdout.flush()
    os._exit(0)  # the ledger's thread may go on; nothing of it is wanted


if __name__ == "__main__":
    main()
