"""Owns what the simulator plays with.

Never: behaviour of its own beyond choosing which class stands behind which port.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from counterfoil.wiring.checks import tools, validators
from counterfoil.wiring.hosts import prompts
from counterfoil.wiring.limits import catalogue

if TYPE_CHECKING:
    from counterfoil.sim.play import Parts


MEMORY_FOLDER = "/dev/shm"  # on Linux a folder without a disk: a simulated crash does not need one


def simulation_parts() -> Parts:
    """What the simulator plays with: the real tools and checks, the SQLite store, a corpus in memory."""
    from counterfoil.adapters.corpus.memory import MemoryCorpus
    from counterfoil.adapters.stores.sqlite import open_sqlite
    from counterfoil.sim.play import Parts

    return Parts(
        open_ledger=open_sqlite,
        corpus=MemoryCorpus,
        tools=tools,
        validators=validators(),
        catalogue=catalogue(),
        prompts=prompts(),
        scratch=MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else None,
    )
