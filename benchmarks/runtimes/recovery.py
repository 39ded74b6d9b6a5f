"""Measures how fast a Run is taken up again from its ledger. Prints one JSON object.

python -m benchmarks.runtimes.recovery --turns N --repeat R      three calls a turn: 11 events
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path

from benchmarks.runtimes.host import StubModel, ask, host_on, ledger_at
from benchmarks.runtimes.meter import Meter, calibration_ms

from counterfoil.core.record.decide import decide
from counterfoil.core.record.events import RunAdmitted
from counterfoil.core.record.evolve import begin, evolve
from counterfoil.host.folding import fold
from counterfoil.ports.ledger import Ledger

CALLS = 3


async def measure(folder: Path, turns: int, repeat: int) -> dict[str, object]:
    """Seconds of CPU and of the clock: prove, fold and decide; and folding alone."""
    meter = Meter()
    meter.begin(turns * CALLS)
    ledger = ledger_at(folder)
    run_id = (await ask(host_on(ledger, StubModel(calls=CALLS), meter), turns)).state.run_id
    rows, count = [], 0
    for _ in range(repeat):
        begun, spent = time.perf_counter(), time.process_time()
        state, last = await fold(ledger, run_id)
        decide(state, last.at)
        wall, cpu = time.perf_counter() - begun, time.process_time() - spent
        del state
        alone, count = await fold_alone(ledger, run_id)
        rows.append({"wall_s": wall, "cpu_s": cpu, "fold_s": alone, "speed_ms": calibration_ms()})
    await ledger.close()
    return {"events": count, "rows": rows}


async def fold_alone(ledger: Ledger, run_id: str) -> tuple[float, int]:
    """Seconds of CPU that folding takes once the events are at hand, and how many there are."""
    pairs = await ledger.events(run_id)
    first, admitted = pairs[0]
    assert isinstance(admitted, RunAdmitted)
    spent = time.process_time()
    state = begin(run_id, admitted, first.at)
    for stored, event in pairs[1:]:
        state = evolve(state, event, stored.at)
    return time.process_time() - spent, len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=90)
    parser.add_argument("--repeat", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), given.turns, given.repeat))))


if __name__ == "__main__":
    main()
