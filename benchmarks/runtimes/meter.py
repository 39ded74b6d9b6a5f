"""Owns the tool's side of the measurement: new text for each call, and the process's CPU clock at that moment."""

from __future__ import annotations

import time

from benchmarks.runtimes.stub import material


class Meter:
    """Every runtime calls ``result`` once a turn; what a turn costs is the CPU between two of those calls."""

    def __init__(self) -> None:
        self.marks: list[float] = []

    def result(self) -> str:
        """What the tool returns."""
        self.marks.append(time.process_time())
        return material()

    def turns_ms(self) -> list[float]:
        """CPU of each turn after the first, in milliseconds, of all threads of this process."""
        return [(after - before) * 1000 for before, after in zip(self.marks, self.marks[1:], strict=False)]
