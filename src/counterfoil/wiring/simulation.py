"""Owns what the simulator plays with.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING

from counterfoil.wiring.checks import tools, validators
from counterfoil.wiring.hosts import prompts
from counterfoil.wiring.limits import catalogue

if TYPE_CHECKING:
    from counterfoil.sim.play import Parts
    from counterfoil.sim.played import Played


SEEDS_PER_TASK = 4
MEMORY_FOLDER = "/dev/shm"  # on Linux a folder without a disk: a simulated crash does not need one


def played_in_processes(seeds: Sequence[int], steps: int, processes: int) -> Iterator[Played]:
    """What became of the world of each seed, in their order, played by several processes at once.

    They are forked where that can be done, so that they play the very code that this process has loaded.
    """
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with ProcessPoolExecutor(processes, multiprocessing.get_context(method)) as pool:
        yield from pool.map(partial(_played, steps), seeds, chunksize=SEEDS_PER_TASK)


def _played(steps: int, seed: int) -> Played:
    from counterfoil.sim.plan import plan_of
    from counterfoil.sim.survey import play_once

    return asyncio.run(play_once(plan_of(seed, steps), _parts()))


@cache
def _parts() -> Parts:
    return simulation_parts()


def simulation_parts() -> Parts:
    """What the simulator plays with: the real tools and checks, the SQLite store, a corpus in memory."""
    from counterfoil.adapters.corpus.memory import MemoryCorpus
    from counterfoil.adapters.stores.sqlite import open_sqlite
    from counterfoil.sim.play import Parts

    return Parts(
        open_ledger=partial(open_sqlite, inline=True),  # the order of events must not hang on threads
        corpus=MemoryCorpus,
        tools=tools,
        validators=validators(),
        catalogue=catalogue(),
        prompts=prompts(),
        scratch=MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else None,
    )
