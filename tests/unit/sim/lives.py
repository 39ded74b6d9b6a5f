"""Processes of a Run that nobody plays."""

from __future__ import annotations

from msgspec.structs import replace
from tests.unit.sim.histories import admitted, asked, commit
from tests.unit.sim.views import run_of

from counterfoil.sim.clock import Time
from counterfoil.sim.history import History
from counterfoil.sim.plan import Fault, FaultKind, SearchKind, Trouble
from counterfoil.sim.process import Life, Process


def life_of(
    *troubles: Trouble,
    history: History | None = None,
    faults: tuple[FaultKind, ...] = (),
    search: SearchKind = "honest",
) -> Life:
    """A Run with these troubles, and faults from its first request on."""
    listed = tuple(Fault(n, kind) for n, kind in enumerate(faults, 1))
    run = replace(run_of(), troubles=troubles, faults=listed, latency_ms=50, search=search)
    return Life(run, 100, history or admitted(), Time(1_000))


def process_of(life: Life, epoch: int = 1) -> Process:
    """A process that holds the Run."""
    process = Process(life)
    process.own.epoch = epoch
    return process


def asking() -> History:
    """A history in which a request was just reserved."""
    return commit(admitted(), asked("m1"))
