"""What a turn costs with a real provider library: a Run over an HTTP stub, beside a bare client loop and LangGraph.

    pip install --group bench -e '.[models]'
    python benchmarks/turns.py               # about two minutes; --turns N for longer Runs; --json for all numbers

"over bare" is the difference of two processes, each with its client; "outside the client" is what one process spends
elsewhere than in the provider's own SDK, which is the same for everybody and by far the largest part.
"""

from __future__ import annotations

import argparse
import json
import statistics

from benchmarks.ledger import Turns, cell, started, table

SUBJECTS = {
    "bare": "bare client loop",
    "host": "Counterfoil, the client alone",
    "host-wire": "Counterfoil, provider library, streamed",
    "pydantic": "Pydantic AI",
    "langgraph": "LangGraph, no saver",
    "langgraph-sqlite": "LangGraph + SQLite saver",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    stub = started("benchmarks.runtimes.stub")
    try:
        port = stub.stdout.readline().strip() if stub.stdout else ""
        turns = Turns(f"http://127.0.0.1:{port}/v1", SUBJECTS)
        for _ in range(given.rounds):
            for subject in SUBJECTS:
                turns.measure(subject, given.turns, 1)
    finally:
        stub.kill()
        stub.communicate()
    if given.json:
        print(json.dumps({subject: turns.rows[subject, given.turns] for subject in SUBJECTS}))
        return
    show(turns, given.turns)


def show(turns: Turns, length: int) -> None:
    """One line for each runtime."""
    rows: list[tuple[str, ...]] = []
    for subject, label in SUBJECTS.items():
        if subject in turns.absent:
            rows.append((label, f"could not run: {turns.absent[subject]}", "", "", "", ""))
            continue
        own = turns.all(subject, length, "own_ms")
        first, last = turns.median(subject, length, "first_ms"), turns.median(subject, length, "last_ms")
        over = None if subject == "bare" else turns.over_bare(subject, length)
        rows.append(
            (
                label,
                cell(turns.median(subject, length)),
                cell(over),
                f"{cell(statistics.median(own))} (least {cell(min(own))})",
                f"{cell(first)} → {cell(last)}",
                cell(turns.median(subject, length, "commits")),
            )
        )
    head = ("", "CPU ms a turn", "over bare", "outside the client", "first 20 → last 20", "commits")
    table(f"CPU of a turn, Runs of {length} turns, medians", head, rows)


if __name__ == "__main__":
    main()
