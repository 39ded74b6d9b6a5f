"""Owns an executor without threads: work is done where it is given, before ``submit`` returns.

Never: for a Host that others share a loop with; it blocks the loop. A simulation needs it, because what happens next
must not hang on which thread was faster.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class InlineExecutor(Executor):
    """Does everything in the caller's thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future that is done. What ends the process, such as Ctrl-C, is raised here: nobody may await the future."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # whoever awaits the future gets it, as from a thread
            future.set_exception(error)
        return future
