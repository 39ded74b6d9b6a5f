"""Owns a batch: many contracts under one budget, one Run each, gone on with where it stopped.

A batch has no record of its own. Its Runs' ids follow from what was asked, so that the ledger tells what is done.
Never: a Run paid twice, or one that is admitted with more than the batch has left.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from typing import Protocol

import msgspec
from msgspec.structs import replace

from counterfoil.core.errors import (
    CounterfoilError,
    LedgerBroken,
    LedgerConflict,
    PolicyRefused,
    RefusedError,
    UsageError,
)
from counterfoil.core.law.policy import Number, PolicyValue
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished, Host, finished_run
from counterfoil.ports.ledger import Ledger

ID_CHARS = 16  # 64 bits of the digest: two batches of one store do not meet


class Outcome(msgspec.Struct, frozen=True):
    """What became of one question. ``finished`` None: it was not admitted, and ``error`` says why."""

    place: int  # 1-based, as in the file
    question: str
    run_id: str
    finished: Finished | None
    error: CounterfoilError | None = None

    @property
    def status(self) -> str:
        """The Run's status; "refused" where there is none."""
        return self.finished.report.status if self.finished else "refused"


class Driver(Protocol):
    """Opens a Host for one Run; ``state`` is that Run as far as it has come, None for a new one."""

    def __call__(self, state: RunState | None) -> Host:
        """The Host."""
        ...


def batch_id(parts: Mapping[str, object]) -> str:
    """The name of a batch: a digest of all that was asked (question, inputs, limits). The same again is the same."""
    digest = hashlib.sha256(msgspec.json.encode(parts, order="deterministic"))
    return "b" + digest.hexdigest()[:ID_CHARS]


def run_id_of(batch: str, place: int) -> str:
    """The id of the Run that answers question ``place`` (1-based) of a batch."""
    return f"{batch}-{place:04d}"


def carved(
    budget: Mapping[str, Number], used: Mapping[str, Number], values: Mapping[str, PolicyValue]
) -> dict[str, Number]:
    """What the next Run may use at most: its own limit, or what ``used`` leaves of the batch's ``budget``.

    All three by policy id; only limits that are narrower than the Run's own are named.

    Raises:
        PolicyRefused: nothing is left of one.
    """
    narrower: dict[str, Number] = {}
    for policy, total in budget.items():
        left = total - used.get(policy, 0)
        if left <= 0:
            raise PolicyRefused(
                f"the batch may use {policy}={total:g}, and {used.get(policy, 0):g} are used",
                code="BATCH_BUDGET_EXHAUSTED",
                policy=policy,
                hint=f"give the batch more: --budget {policy}=N; what was answered is kept under the old budget",
            )
        own = values[policy].value
        if own is None or left < own:
            narrower[policy] = left
    return narrower


class Batch:
    """The tasks of a batch, in order, and the total that all of them share."""

    def __init__(
        self, name: str, tasks: tuple[Task, ...], budget: Mapping[str, Number], values: Mapping[str, PolicyValue]
    ) -> None:
        self.name = name
        self._tasks = tasks
        self._budget = dict(budget)
        self._values = values
        self.used: dict[str, Number] = {}  # policy id → units, of every Run so far

    async def drive(
        self, ledger: Ledger, open_host: Driver, pause: asyncio.Event, tell: Callable[[Outcome, bool], None]
    ) -> tuple[Outcome, ...]:
        """Answer every question that has no settled Run; those that have are read from the ledger.

        ``tell`` hears of each, and whether it was answered before. Stops after the step under way once ``pause``
        is set; what was not begun then is not in the result.

        Raises:
            LedgerBroken: the store cannot be used.
        """
        known = {run.run_id for run in await ledger.runs()}
        outcomes: list[Outcome] = []
        for place, task in enumerate(self._tasks, 1):
            if pause.is_set():
                break
            run_id = run_id_of(self.name, place)
            before = await finished_run(ledger, run_id) if run_id in known else None
            settled = before is not None and before.state.settled is not None
            if before is not None and settled:
                outcome = Outcome(place, task.contract.question, run_id, before)
            else:
                outcome = await self._answer(place, task, before, open_host, pause)
            if outcome.finished is not None:
                for policy, units in outcome.finished.state.budget.used.items():
                    self.used[policy] = self.used.get(policy, 0) + units
            outcomes.append(outcome)
            tell(outcome, settled)
        return tuple(outcomes)

    async def _answer(
        self, place: int, task: Task, before: Finished | None, open_host: Driver, pause: asyncio.Event
    ) -> Outcome:
        """One Run, admitted or gone on with. What refuses it is told, and the next has its turn."""
        question, run_id = task.contract.question, run_id_of(self.name, place)
        try:
            if before is not None:
                host = open_host(before.state)
                return Outcome(place, question, run_id, await host.resume(run_id, pause=pause))
            budget = {**task.budget, **carved(self._budget, self.used, self._values)}
            asked = replace(task, budget=budget)
            return Outcome(place, question, run_id, await open_host(None).ask(asked, pause=pause, run_id=run_id))
        except LedgerBroken:
            raise
        except (RefusedError, UsageError, LedgerConflict) as error:  # another process may answer the same batch
            return Outcome(place, question, run_id, None, error)
