"""Owns metered Runs as wholes: under which limits one is admitted, and how it is taken up again.

Never: a limit that no forwarded request spends, or one that is more generous than the admission.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.errors import PolicyRefused, RefusedError, UsageError
from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Number, Policy, PolicyValue, effective
from counterfoil.core.record.continuity import Deployment
from counterfoil.core.record.events import LeaseTaken, RunAdmitted
from counterfoil.core.record.evolve import begin
from counterfoil.core.record.metering import BUDGETS
from counterfoil.core.record.proxied import PROXIED
from counterfoil.core.record.snapshot import Admitted, Notice
from counterfoil.host.admission import PROTOCOL
from counterfoil.host.folding import fold
from counterfoil.host.journal import Journal, Observer
from counterfoil.host.metering import Meter, Prices
from counterfoil.host.metering_policies import POLICIES
from counterfoil.host.recovery import require_continuity, require_free, take_up, tenure_of
from counterfoil.ports.clock import Clock
from counterfoil.ports.holder import Holders
from counterfoil.ports.ids import Ids
from counterfoil.ports.ledger import Ledger

LABEL = "another program's requests, metered"
NOTICE = "It meters the requests of another program. What they and their answers say is not kept, only what they spent."
UPSTREAM = "upstream"  # the input that names where requests go
CONSUMED = (
    *BUDGETS,
    ids.EXPIRES_SECONDS,
    ids.LEASE_SECONDS,
    ids.REQUEST_OUTPUT_TOKENS,
    *(policy.id for policy in POLICIES),
)


class Metering(msgspec.Struct, frozen=True):
    """The parts that metered Runs are begun and taken up with."""

    ledger: Ledger
    clock: Clock
    ids: Ids
    holders: Holders
    catalogue: Mapping[str, Policy]
    prices: Prices

    async def begin(
        self, upstream: str, explicit: Mapping[str, Number | None], day: str, observer: Observer | None = None
    ) -> Meter:
        """A new Run of requests to ``upstream`` under the limits in ``explicit`` (policy id → value); ``day`` is today.

        Raises:
            UsageError, PolicyRefused: a limit that does not exist or is not lawful, or no budget at all.
        """
        question = f"Requests of another program to {upstream}"
        snapshot = Admitted(
            protocol=PROTOCOL,
            contract=Contract(question),
            anchor=TimeAnchor(day, "unknown"),
            policies=metered_values(self.catalogue, explicit),
            model=PROXIED,
            model_label=LABEL,
            prompts={},
            tools=(),
            validators=(),
            inputs={UPSTREAM: (upstream,)},
            entry=False,
            notices=(Notice("REQUESTS_METERED", NOTICE),),
        )
        run_id, at, holder = self.ids.run_id(), self.clock.now_ms(), self.holders.own()
        admitted = RunAdmitted(snapshot)
        state = begin(run_id, admitted, at)
        journal = Journal.begun(self.ledger, self.clock, state, admitted, at, observer)
        journal.tenure = tenure_of(self.ledger, self.clock, state, holder, 1)
        journal.record(LeaseTaken(holder, 1))
        await journal.flush()
        return Meter(journal, self.prices)

    async def resume(
        self,
        run_id: str,
        configured: Mapping[str, Number | None],
        demanded: frozenset[str],
        observer: Observer | None = None,
    ) -> Meter:
        """Go on with the budget of a Run: what was under way when its process died stays debited, its outcome unknown.

        Raises:
            NotFoundError, LedgerBroken: there is no such Run, or it does not verify.
            RefusedError: it is settled, not metered, driven by another process, or ``demanded`` limits would widen it.
        """
        state, last = await fold(self.ledger, run_id)
        if state.proxied is None:
            raise RefusedError(
                f"Run {run_id} meters no requests",
                code="RUN_NOT_METERED",
                hint=f"go on with it by `counterfoil resume {run_id}`, or begin a metered Run without --resume",
            )
        if state.settled:
            raise RefusedError(
                f"Run {run_id} is settled ({state.settled.stop_reason})",
                code="RUN_SETTLED",
                policy=state.settled.policy,
                hint="begin another one: leave --resume out",
            )
        deployment = Deployment(
            PROTOCOL, (state.snapshot.model,), self.catalogue, (), (), {}, dict(configured), demanded
        )
        continuity = require_continuity(state, deployment)
        await require_free(self.ledger, self.holders, self.clock, state)
        journal = await take_up(self.ledger, self.holders, self.clock, state, last.at, observer, continuity)
        return Meter(journal, self.prices)


def metered_values(catalogue: Mapping[str, Policy], explicit: Mapping[str, Number | None]) -> tuple[PolicyValue, ...]:
    """The limits of a metered Run. A budget that nobody named is counted and off: the defaults are those of research.

    Raises:
        UsageError: a policy that does not exist, or no budget was named.
        PolicyRefused: a value that is not lawful.
    """
    values = effective(catalogue, explicit)
    if not any(policy in explicit for policy in (*BUDGETS, ids.EXPIRES_SECONDS)):
        raise UsageError(
            "there is no budget to meter",
            code="BUDGET_MISSING",
            hint=f"name one: --run-budget {ids.MODEL_REQUESTS}=100 (or {', '.join(BUDGETS[1:])})",
        )
    return tuple(
        replace(values[policy], value=None) if policy in BUDGETS and policy not in explicit else values[policy]
        for policy in CONSUMED
    )


def require_consumed(named: frozenset[str]) -> None:
    """Refuse limits that no forwarded request spends, before somebody relies on one.

    Raises:
        PolicyRefused: it names the first.
    """
    for policy in sorted(named - set(CONSUMED)):
        raise PolicyRefused(
            f"{policy} limits nothing that is forwarded",
            code="POLICY_NOT_METERED",
            policy=policy,
            hint=f"what a metered Run counts: {', '.join(CONSUMED)}",
        )
