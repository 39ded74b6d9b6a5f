"""Owns the tool's side of the measurement: new text for each call, and the process's CPU clock at that moment."""

from __future__ import annotations

import statistics
import time

from benchmarks.runtimes.stub import material

EDGE = 20  # turns at each end of a Run that are compared


class Meter:
    """Every runtime calls ``result`` once a turn; what a turn costs is the CPU between two of those calls."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.marks: list[float] = []

    def begin(self, results: int) -> None:
        """Forget the Run before, and make the texts of the next one before anything of it is measured."""
        self._texts = [material() for _ in range(results)]
        self.marks = []

    def result(self) -> str:
        """What the tool returns."""
        self.marks.append(time.process_time())
        return self._texts.pop()

    def turns_ms(self) -> list[float]:
        """CPU of each turn after the first, in milliseconds, of all threads of this process."""
        return [(after - before) * 1000 for before, after in zip(self.marks, self.marks[1:], strict=False)]

    def edges_ms(self) -> tuple[float, float]:
        """The median turn among the first and among the last ones (the very first warms caches up)."""
        turns = self.turns_ms()[2:]
        return statistics.median(turns[:EDGE]), statistics.median(turns[-EDGE:])


def calibration_ms() -> float:
    """CPU of a fixed piece of pure Python: how fast this process runs at the moment, whoever shares the machine."""
    started, total = time.process_time(), 0
    for number in range(300_000):
        total += number * number % 7
    return (time.process_time() - started) * 1000
