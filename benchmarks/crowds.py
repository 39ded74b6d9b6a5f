"""What many Runs at once in one process reach, beside the provider's client alone in as many loops.

    pip install --group bench -e '.[models]'
    python benchmarks/crowds.py          # about two minutes; --runs N, --turns T, --rounds R; --json for all

The stub takes a second to answer, so that 200 conversations can ask 200 times a second and what is lacking is CPU.
Read the ratio: subjects alternate, and all have one process. "requests a CPU second" leaves out who shares the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from typing import Any

from benchmarks.ledger import answer_of, cell, started, table

SUBJECTS = {
    "bare": "bare client loop",
    "bare-streamed": "bare client loop, streamed",
    "host": "Counterfoil, the client alone",
    "host-wire": "Counterfoil, provider library, streamed",
}
LIKE = {"bare": "bare", "bare-streamed": "bare-streamed", "host": "bare", "host-wire": "bare-streamed"}
THINK_S = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    stub = started("benchmarks.runtimes.stub", "--think", str(THINK_S))
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    try:
        port = stub.stdout.readline().strip() if stub.stdout else ""
        for _ in range(given.rounds):
            for subject, label in SUBJECTS.items():
                print(f"  {label}, {given.runs} at once", file=sys.stderr, flush=True)
                rows[subject].append(measured(subject, given.runs, given.turns, port))
    finally:
        stub.kill()
        stub.communicate()
    if given.json:
        print(json.dumps(rows))
        return
    show(rows, given.runs)


def measured(subject: str, runs: int, turns: int, port: str) -> dict[str, float]:
    """One measurement, in a process of its own.

    Raises:
        SystemExit: it could not run; says why.
    """
    url = f"http://127.0.0.1:{port}/v1"
    arguments = (subject, "--runs", str(runs), "--turns", str(turns), "--url", url)
    found: Any = answer_of("benchmarks.runtimes.crowd", *arguments)
    if not isinstance(found, dict):
        raise SystemExit(f"{subject} could not run: {found}")
    return found


def show(rows: dict[str, list[dict[str, float]]], runs: int) -> None:
    """One line for each subject."""

    def median(subject: str, name: str) -> float:
        return statistics.median(row[name] for row in rows[subject])

    lines: list[tuple[str, ...]] = [
        (
            label,
            cell(median(subject, "per_s"), ".0f"),
            cell(median(subject, "per_s") / median(LIKE[subject], "per_s"), ".2f"),
            cell(median(subject, "cpu_ms")),
            cell(median(subject, "per_cpu_s"), ".0f"),
            f"{cell(median(subject, 'first_mb'), '.0f')} → {cell(median(subject, 'last_mb'), '.0f')}",
        )
        for subject, label in SUBJECTS.items()
    ]
    head = (
        "",
        "requests a second",
        "× bare",
        "CPU ms a request",
        "requests a CPU second",
        "peak MB, first → last third",
    )
    table(f"{runs} at once, a stub that takes {THINK_S:g} s: medians of {len(rows['bare'])} rounds", head, lines)


if __name__ == "__main__":
    main()
