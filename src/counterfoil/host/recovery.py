"""Owns taking up a Run that another process left: who may, under which limits, and what became of its effects.

Never: repeating an effect, or a limit that is more generous than the admission.
"""

from __future__ import annotations

from msgspec.structs import replace

from counterfoil.core.errors import RefusedError
from counterfoil.core.law import budget as ids
from counterfoil.core.record import events as e
from counterfoil.core.record.continuity import Continuity, Deployment, compare
from counterfoil.core.record.helpers import parent_of
from counterfoil.core.record.state import RunState
from counterfoil.host.journal import Journal, Observer
from counterfoil.host.runner import abandon_effects, idle_ms
from counterfoil.host.tenure import Tenure
from counterfoil.ports.clock import Clock
from counterfoil.ports.holder import Holders
from counterfoil.ports.ledger import Ledger

OLD_LEASE_SECONDS = 30  # of Runs admitted before leases had a policy


def require_continuity(state: RunState, deployment: Deployment) -> Continuity:
    """How the Run may go on in ``deployment``.

    Raises:
        RefusedError: not at all; lists every difference.
    """
    in_force = tuple(state.budget.limits.values())  # what an earlier resume lowered stays lowered
    continuity = compare(replace(state.snapshot, policies=in_force), deployment)
    if continuity.differences:
        told = "; ".join(difference.sentence() for difference in continuity.differences)
        raise RefusedError(
            f"Run {state.run_id} was admitted otherwise than this deployment works: {told}",
            code="CONTRACT_MISMATCH",
            hint="go on with the version and limits that admitted it (equal or narrower), or ask again as a new Run",
        )
    return continuity


def require_own(state: RunState) -> None:
    """Make sure that the requests of the Run are the Host's own to decide.

    Raises:
        RefusedError: another program decides them.
    """
    if state.proxied is not None:
        raise RefusedError(
            f"the requests of Run {state.run_id} come from another program",
            code="RUN_METERED",
            hint=f"go on metering them: counterfoil proxy --resume {state.run_id}",
        )


def require_parent(state: RunState, parent: str) -> None:
    """Make sure that a helper is driven for its parent, and only so.

    Raises:
        RefusedError: it is not; names the Run to go on with.
    """
    owner = parent_of(state.run_id)
    if owner is not None and owner != parent:
        raise RefusedError(
            f"Run {state.run_id} is a part of Run {owner} and reports to it alone",
            code="RUN_IS_PART",
            hint=f"go on with the whole: counterfoil resume {owner}",
        )


async def require_free(ledger: Ledger, holders: Holders, clock: Clock, state: RunState) -> None:
    """Make sure that nobody drives the Run: its lease is over, or its holder is known to be dead.

    Raises:
        RefusedError: somebody does; names the holder.
    """
    lease = await ledger.lease(state.run_id)
    holder = lease.holder if lease else state.holder
    left = None if lease is None else lease.until - clock.now_ms()
    if (left is None or left > 0) and holders.alive(holder):
        until = "" if left is None else f", or wait {left / 1000:.0f} s for its lease to end"
        raise RefusedError(
            f"Run {state.run_id} is being driven by another process ({holder})",
            code="RUN_HELD",
            hint=f"wait for it, end that process{until}; `counterfoil cancel` ends the Run itself",
        )


async def take_up(
    ledger: Ledger,
    holders: Holders,
    clock: Clock,
    state: RunState,
    last_at: int,
    observer: Observer | None,
    continuity: Continuity,
) -> Journal:
    """The journal of a Run that this Host drives from here on, with its open effects named as unknown.

    ``last_at``: when the newest event happened, milliseconds since the epoch.

    Raises:
        LeaseLost, LedgerConflict: another Host was faster.
    """
    journal = Journal(ledger, clock, state, observer)
    idle = idle_ms(state, last_at, journal.now())
    epoch = state.epoch + 1
    journal.tenure = tenure_of(ledger, clock, state, holders.own(), epoch)
    taken = e.RunResumed if state.paused else e.RunRecovered
    journal.record(e.LeaseTaken(holders.own(), epoch), taken(idle, continuity.narrowed, continuity.prompts))
    abandon_effects(journal)
    await journal.flush()
    return journal


def tenure_of(ledger: Ledger, clock: Clock, state: RunState, holder: str, epoch: int) -> Tenure:
    """The hold on a Run under its own lease time."""
    limit = state.budget.limits.get(ids.LEASE_SECONDS)
    seconds = limit.value if limit and limit.value else OLD_LEASE_SECONDS
    return Tenure(ledger, clock, state.run_id, holder, epoch, int(seconds * 1000))
