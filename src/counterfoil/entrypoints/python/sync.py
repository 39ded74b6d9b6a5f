"""Owns the API for code without an event loop: the same Host, one call after the other.

Never: a loop inside a running one; there, the asynchronous Host is at hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, TypeVar, Unpack

from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.python.host import Host, HostOptions
from counterfoil.entrypoints.python.run import Run, RunEvent
from counterfoil.entrypoints.python.task import Task
from counterfoil.host.report import RunReport

OnEvent = Callable[[RunEvent], None]
_Result = TypeVar("_Result")


class SyncHost:
    """A ``Host`` (its options are these) for ``with SyncHost(corpus=["docs/"]) as host: host.ask("…")``.

    Ctrl-C stops the Run at once and leaves it paused.

    Raises:
        UsageError: as of ``Host``, or it is used where an event loop runs.
    """

    def __init__(self, **options: Unpack[HostOptions]) -> None:
        self._host = Host(**options)
        self.tool = self._host.tool
        self._runner = asyncio.Runner()

    def __enter__(self) -> SyncHost:
        """Open store and documents; errors as of ``Host``."""
        _require_no_loop()
        try:
            self._runner.run(self._host.__aenter__())
        except BaseException:
            self._runner.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close store and documents."""
        with self._runner:
            self._run(self._host.close())

    def ask(self, task: Task | str, on_event: OnEvent | None = None) -> RunReport:
        """Answer ``task``; ``on_event`` is called with each event once it is durable. Errors as of ``Host.start``."""
        return self._run(_watched(lambda: self._host.start(task), on_event))

    def resume(self, run_id: str, on_event: OnEvent | None = None) -> RunReport:
        """Go on with a Run, and give its report. Errors as of ``Host.resume``."""
        return self._run(_watched(lambda: self._host.resume(run_id), on_event))

    def _run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        try:
            _require_no_loop()
        except UsageError:
            work.close()
            raise
        return self._runner.run(work)


def ask(task: Task | str, **options: Unpack[HostOptions]) -> RunReport:
    """Answer one task, or one plain question: ``ask("…", corpus=["docs/"])``. Options and errors as of ``Host``."""
    with SyncHost(**options) as host:
        return host.ask(task)


async def _watched(begin: Callable[[], Awaitable[Run]], on_event: OnEvent | None) -> RunReport:
    run = await begin()
    if on_event is not None:
        try:
            async for event in run.events():
                on_event(event)
        except BaseException:
            await run.halt()
            raise
    return await run.result()


def _require_no_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise UsageError(
        "an event loop runs here, and this call would block it",
        code="LOOP_RUNNING",
        hint="use the asynchronous API: async with counterfoil.Host(…) as host: run = await host.start(…)",
    )
