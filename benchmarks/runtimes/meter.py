"""Owns the measurement: new text for each call of the tool, the process's CPU clock then, and the client's share of it.

Never: counting what waits. CPU is that of all threads of this process.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.runtimes.stub import material
from openai._legacy_response import LegacyAPIResponse
from openai.resources.chat.completions import AsyncCompletions, Completions

EDGE = 20  # turns at each end of a Run that are compared


class Meter:
    """Every runtime calls ``result`` once a turn; what a turn costs is the CPU between two of those calls.

    What the provider's client takes of it grows with the Run and is the same for everybody, so the rest is told apart.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._client = 0.0  # seconds of CPU inside the provider's client
        self.marks: list[tuple[float, float]] = []  # of the process, of the client

    def begin(self, results: int) -> None:
        """Forget the Run before, and make the texts of the next one before anything of it is measured."""
        self._texts = [material() for _ in range(results)]
        self.marks = []

    def result(self) -> str:
        """What the tool returns."""
        self.marks.append((time.process_time(), self._client))
        return self._texts.pop()

    def turns_ms(self) -> list[float]:
        """CPU of each turn after the first, in milliseconds."""
        return _apart_ms([process for process, _client in self.marks])

    def own_ms(self) -> list[float]:
        """The same without what the provider's client took."""
        return _apart_ms([process - client for process, client in self.marks])

    def edges_ms(self) -> tuple[float, float]:
        """The median own turn among the first and among the last ones (the very first warms caches up)."""
        turns = self.own_ms()[2:]
        return statistics.median(turns[:EDGE]), statistics.median(turns[-EDGE:])

    def watch_client(self) -> None:
        """Count the CPU of the provider's client from now on, whoever calls it in this process."""
        asked, asked_async, parsed = Completions.create, AsyncCompletions.create, LegacyAPIResponse.parse

        def create(*args: Any, **options: Any) -> Any:
            with self._in_client():
                return asked(*args, **options)

        async def create_async(*args: Any, **options: Any) -> Any:
            with self._in_client():
                return await asked_async(*args, **options)

        def parse(*args: Any, **options: Any) -> Any:  # LangChain asks for the raw response first
            with self._in_client():
                return parsed(*args, **options)

        for owner, name, watched in (
            (Completions, "create", create),
            (AsyncCompletions, "create", create_async),
            (LegacyAPIResponse, "parse", parse),
        ):
            setattr(owner, name, watched)

    @contextmanager
    def _in_client(self) -> Iterator[None]:
        begun = time.process_time()
        try:
            yield
        finally:
            self._client += time.process_time() - begun


def _apart_ms(marks: list[float]) -> list[float]:
    return [(after - before) * 1000 for before, after in itertools.pairwise(marks)]


def calibration_ms() -> float:
    """CPU of a fixed piece of pure Python: how fast this process runs at the moment, whoever shares the machine."""
    started, total = time.process_time(), 0
    for number in range(300_000):
        total += number * number % 7
    return (time.process_time() - started) * 1000
