"""Simulated worlds on the ledger in memory: fast, and the same Host."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.ports.ledger import Ledger
from counterfoil.sim.plan import Plan, plan_of
from counterfoil.sim.play import Parts
from counterfoil.sim.played import Failure, Played
from counterfoil.sim.survey import play_once
from counterfoil.wiring import simulation_parts


def in_memory() -> Parts:
    """Parts whose ledgers live in this process, one for each folder."""
    ledgers: dict[Path, Ledger] = {}
    return replace(simulation_parts(), open_ledger=lambda path: ledgers.setdefault(path, MemoryLedger()), durable=False)


def played(plan: Plan, parts: Parts | None = None) -> Played:
    """What becomes of a plan."""
    return asyncio.run(play_once(plan, parts or in_memory()))


def first_failure(seeds: Iterable[int]) -> tuple[Plan, Failure] | None:
    """The first seed that breaks an invariant, and how."""
    parts = in_memory()
    for seed in seeds:
        plan = plan_of(seed)
        failure = played(plan, parts).failure
        if failure is not None:
            return plan, failure
    return None
