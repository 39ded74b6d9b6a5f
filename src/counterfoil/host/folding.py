"""Owns reading a Run back: its proven ledger, folded into its state.

Never: driving it, or believing a chain that does not verify.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from counterfoil.core.record import events as e
from counterfoil.core.record.evolve import begin, evolve
from counterfoil.core.record.state import RunState
from counterfoil.ports.ledger import Ledger, StoredEvent


async def fold(ledger: Ledger, run_id: str) -> tuple[RunState, StoredEvent]:
    """The state of a Run from its ledger, and the newest event: the head of the chain that proves it.

    Raises:
        NotFoundError: there is no such Run.
        LedgerBroken: its chain does not verify, so what it tells cannot be believed.
        RefusedError: its content was purged.
    """
    with _uncollected():
        records = await ledger.proven(run_id)
        first, admitted = records[0]
        if not isinstance(admitted, e.RunAdmitted):
            raise TypeError(f"the ledger of {run_id} begins with {first.type}")
        state = begin(run_id, admitted, first.at)
        for stored, event in records[1:]:
            state = evolve(state, event, stored.at)
        return state, records[-1][0]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let Python's cycle collector rest: it would look again and again at many new objects that are all needed."""
    resting = not gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not resting:
            gc.enable()
