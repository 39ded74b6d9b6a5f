"""What the ledger costs: CPU, commits and bytes of a turn beside other runtimes, waits of many Runs, recovery.

    pip install --group bench -e .           # the peers: LangGraph, Pydantic AI, DBOS
    python benchmarks/ledger.py              # about ten minutes; --quick about four; --json for all numbers

Every runtime asks the same stub on loopback, gets the same kind of 1 KB tool results, and runs in a process of its own.
Runs of the runtimes alternate, so that a busy moment of the machine hits all of them; read ratios, not milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = {
    "bare": "bare client loop",
    "bare-blocking": "bare client loop, blocking",
    "host-in-process": "Counterfoil, stub in process",
    "host": "Counterfoil",
    "langgraph": "LangGraph, no saver",
    "langgraph-sqlite": "LangGraph + SQLite saver",
    "pydantic": "Pydantic AI",
    "pydantic-dbos": "Pydantic AI + DBOS SQLite",
}
KEEPING = ("host", "langgraph-sqlite", "pydantic-dbos")
SHORT, MIDDLE, LONG = 20, 100, 300

Row = dict[str, float]


def started(*arguments: str) -> subprocess.Popen[str]:
    """A process of this benchmark."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "LANGSMITH_TRACING": "false", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", *arguments]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def answer_of(*arguments: str) -> Any:
    """What a process of this benchmark prints, as JSON; else the last line that it complains with."""
    process = started(*arguments)
    out, err = process.communicate()
    if process.returncode == 0 and out.strip():
        return json.loads(out.strip().splitlines()[-1])
    return (err.strip().splitlines() or ["it said nothing"])[-1]


class Turns:
    """Runs of every runtime, in turns; a runtime that cannot run is kept with its reason."""

    def __init__(self, url: str, labels: dict[str, str]) -> None:
        self._url, self._labels = url, labels
        self.rows: dict[tuple[str, int], list[Row]] = defaultdict(list)
        self.absent: dict[str, str] = {}

    def measure(self, subject: str, turns: int, repeat: int) -> None:
        """Add ``repeat`` Runs of a runtime."""
        if subject in self.absent:
            return
        print(f"  {self._labels[subject]}, {turns} turns", file=sys.stderr, flush=True)
        arguments = (subject, "--turns", str(turns), "--repeat", str(repeat), "--url", self._url)
        found = answer_of("benchmarks.runtimes.turns", *arguments)
        if isinstance(found, list):
            self.rows[subject, turns] += found
        else:
            self.absent[subject] = str(found)

    def all(self, subject: str, turns: int, name: str) -> list[float]:
        """Every measurement of one kind."""
        return [row[name] for row in self.rows[subject, turns]]

    def median(self, subject: str, turns: int, name: str = "cpu_ms") -> float | None:
        """The median measurement of one kind."""
        found = self.all(subject, turns, name)
        return statistics.median(found) if found else None

    def over_bare(self, subject: str, turns: int) -> float | None:
        """CPU of a turn above that of a bare loop with the same client: the difference of two processes.

        In a long Run both are large and it says little; what a process spends outside the client says more.
        """
        like = "bare-blocking" if subject.startswith("langgraph") else "bare"  # the client that it uses
        found, bare = self.median(subject, turns), self.median(like, turns)
        return found - bare if found is not None and bare is not None else None


def cell(value: float | None, form: str = ".1f") -> str:
    """A number as a table shows it."""
    return "–" if value is None else format(value, form)


def table(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a Markdown table."""
    print(f"\n**{title}**\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def show_turns(turns: Turns, lengths: tuple[int, ...]) -> None:
    """CPU, clock and commits of a turn."""
    for length in lengths:
        rows = []
        for subject, label in SUBJECTS.items():
            if subject in turns.absent:
                rows.append((label, f"could not run: {turns.absent[subject]}", *[""] * 7))
                continue
            alone = subject in ("bare", "bare-blocking", "host-in-process")
            saver = turns.median("langgraph-sqlite", length, "own_ms")
            own = turns.median(subject, length, "own_ms")
            rows.append(
                (
                    label,
                    cell(turns.median(subject, length)),
                    "" if alone else cell(turns.over_bare(subject, length)),
                    cell(own),
                    cell(min(turns.all(subject, length, "own_ms"), default=None)),
                    cell(own / saver if own is not None and saver else None, ".2f"),
                    cell(turns.median(subject, length, "wall_ms")),
                    cell(turns.median(subject, length, "commits")) if subject.startswith("host") else "",
                    " → ".join(cell(turns.median(subject, length, edge)) for edge in ("first_ms", "last_ms")),
                )
            )
        head = (
            "",
            "CPU ms",
            "over bare",
            "outside the client",
            "least",
            "× LangGraph + saver",
            "wall ms",
            "commits",
            "first 20 → last 20 turns, outside",
        )
        table(
            f"A turn of {length}: medians of {len(turns.rows['bare', length])} Runs, tool results of 1 KB", head, rows
        )


def show_bytes(turns: Turns, lengths: tuple[int, ...]) -> None:
    """Bytes kept, and how they grow."""
    rows = []
    for subject in KEEPING:
        if subject not in turns.absent:
            kept = [turns.median(subject, length, "bytes") for length in lengths]
            other = [turns.median("langgraph-sqlite", length, "bytes") for length in lengths]
            sizes = [cell(size / 1e6 if size is not None else None, ".2f") for size in kept]
            shares = [
                cell(100 * a / b if a is not None and b else None, ".2f") for a, b in zip(kept, other, strict=True)
            ]
            rows.append((SUBJECTS[subject], *sizes, *shares))
    head = ("", *(f"MB at {n}" for n in lengths), *(f"% of LangGraph at {n}" for n in lengths))
    table("Bytes kept of a Run", head, rows)


def show_load(loads: dict[str, Any]) -> None:
    """Waits beside an fsync, and memory."""
    rows = []
    for name, found in loads.items():
        if isinstance(found, str):
            rows.append((name, f"could not run: {found}", *[""] * 4))
        elif "wait" in found:
            wait, fsync = found["wait"], found["fsync"]
            rows.append(
                (
                    name,
                    *(cell(time, ".2f") for time in (wait["p50"], wait["p99"], fsync["p50"], fsync["p99"])),
                    cell(wait["p99"] / fsync["p50"]),
                )
            )
    head = ("Runs in one process", "wait p50 ms", "wait p99 ms", "fsync p50 ms", "fsync p99 ms", "wait p99 / fsync p50")
    table("Waiting for the ledger", head, rows)
    idle = loads.get("idle")
    if isinstance(idle, dict):
        print(f"\nAn idle Run of {idle['turns']} turns occupies {idle['kb_per_run']:.0f} KB.")


def show_recovery(found: list[Any]) -> None:
    """Seconds by events."""
    rows, per_event = [], []
    for one in found:
        if isinstance(one, str):
            rows.append((f"could not run: {one}", *[""] * 5))
            continue
        wall = [row["wall_s"] for row in one["rows"]]
        cpu = [row["cpu_s"] for row in one["rows"]]
        fold = statistics.median(row["fold_s"] for row in one["rows"])
        per_event.append(min(cpu) / one["events"])
        rows.append(
            (
                str(one["events"]),
                cell(statistics.median(wall), ".3f"),
                cell(min(wall), ".3f"),
                cell(statistics.median(cpu), ".3f"),
                cell(fold, ".3f"),
                cell(per_event[-1] * 1e6),
            )
        )
    head = ("events", "verify + fold + decide, s", "least", "CPU s", "fold alone, CPU s", "CPU µs an event, least")
    table("Taking a Run up again", head, rows)
    if len(per_event) > 1:
        print(f"\nAn event of the longest costs {per_event[-1] / per_event[0]:.2f} × one of the shortest (linear: 1).")


def machine_of(turns: Turns, before: tuple[float, ...]) -> dict[str, object]:
    """What the machine did meanwhile: its load, and how long a fixed piece of Python took."""
    speeds = [row["speed_ms"] for rows in turns.rows.values() for row in rows]
    least, median, most = min(speeds), statistics.median(speeds), max(speeds)
    return {
        "cores": os.cpu_count(),
        "load before": [round(load, 1) for load in before],
        "load after": [round(load, 1) for load in os.getloadavg()],
        "ms for a fixed piece of Python (least, median, most)": [round(ms, 1) for ms in (least, median, most)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print every measurement instead of tables")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, nothing of 300 turns but the Host")
    parser.add_argument("--rounds", type=int, default=5, help="how often each runtime has its turn")
    given = parser.parse_args()
    before = os.getloadavg()
    stub = started("benchmarks.runtimes.stub")
    try:
        assert stub.stdout is not None
        turns = Turns(f"http://127.0.0.1:{int(stub.stdout.readline())}/v1", SUBJECTS)
        for _ in range(2 if given.quick else given.rounds):
            for subject in SUBJECTS:
                turns.measure(subject, SHORT, 3)
        for subject in KEEPING:
            turns.measure(subject, MIDDLE, 1)
        for subject in ("host-in-process",) if given.quick else SUBJECTS:
            turns.measure(subject, LONG, 1)
    finally:
        stub.kill()
    loads: dict[str, Any] = {}
    for runs in (1, 50, 200):
        loads[str(runs)] = answer_of("benchmarks.runtimes.load", "wait", "--runs", str(runs))
    loads["200, appending without a pause"] = answer_of("benchmarks.runtimes.load", "saturated", "--runs", "200")
    loads["idle"] = answer_of("benchmarks.runtimes.load", "idle", "--runs", "200")
    recovery = [answer_of("benchmarks.runtimes.recovery", "--turns", str(length)) for length in (91, 455, 908)]
    machine = machine_of(turns, before)
    if given.json:
        rows = {f"{subject} {length}": rows for (subject, length), rows in turns.rows.items()}
        everything = {"turns": rows, "absent": turns.absent, "load": loads, "recovery": recovery, "machine": machine}
        print(json.dumps(everything))
        return
    show_turns(turns, (SHORT,) if given.quick else (SHORT, LONG))
    show_bytes(turns, (SHORT, MIDDLE) if given.quick else (SHORT, MIDDLE, LONG))
    show_load(loads)
    show_recovery(recovery)
    print("\n" + "; ".join(f"{name}: {value}" for name, value in machine.items()))


if __name__ == "__main__":
    main()
