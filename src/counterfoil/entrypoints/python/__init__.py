"""The Python API: every name of it. ``import counterfoil`` has the same names and loads them when one is used."""

from counterfoil.core.answer.contract import Field, Row
from counterfoil.core.errors import CounterfoilError, NotFoundError, RefusedError, ToolFailed, UsageError
from counterfoil.core.record import events
from counterfoil.entrypoints.python.host import Host
from counterfoil.entrypoints.python.run import Run, RunEvent
from counterfoil.entrypoints.python.sync import SyncHost, ask
from counterfoil.entrypoints.python.task import Task
from counterfoil.host.report import RunReport

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
    "ask",
    "events",
]
