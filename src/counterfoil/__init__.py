"""Counterfoil: research that keeps its receipts.

The public API: ``Host`` (or ``SyncHost``, or ``ask`` for one question) answers a ``Task`` from documents, as a ``Run``
with ``events`` and a ``RunReport``. Names are loaded when they are first used, so that importing this costs nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterfoil.entrypoints.python import (
        CounterfoilError,
        Field,
        Host,
        NotFoundError,
        RefusedError,
        Row,
        Run,
        RunEvent,
        RunReport,
        SyncHost,
        Task,
        ToolFailed,
        UsageError,
        ask,
        events,
    )

__version__ = "0.1.0"
__all__ = [
    "CounterfoilError",
    "Field",
    "Host",
    "NotFoundError",
    "RefusedError",
    "Row",
    "Run",
    "RunEvent",
    "RunReport",
    "SyncHost",
    "Task",
    "ToolFailed",
    "UsageError",
    "__version__",
    "ask",
    "events",
]

if not TYPE_CHECKING:  # a type checker knows the names above, and that there are no others

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from counterfoil.entrypoints import python

        value = globals()[name] = getattr(python, name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
