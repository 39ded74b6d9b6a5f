"""Owns the Host: a task goes in, a settled Run and its report come out.

Never: naming concrete classes (wiring does) or deciding what is interesting (the model does).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import msgspec

from counterfoil.core.evidence.domains import Registrable
from counterfoil.core.law.policy import Number, Policy
from counterfoil.core.record.continuity import Continuity, Deployment
from counterfoil.core.record.events import CancelRequested, LeaseTaken, RunAdmitted, ToolCallSettled
from counterfoil.core.record.evolve import begin
from counterfoil.core.record.helpers import Helper
from counterfoil.core.record.rejoining import HelperEnd, rejoined
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import PROTOCOL, Task, admit, digests, owned_domains
from counterfoil.host.chain import require_chain, require_reviewer
from counterfoil.host.folding import fold
from counterfoil.host.journal import Journal, Observer
from counterfoil.host.parallel import HelperHost, Helpers, worked_until
from counterfoil.host.perform import Confirm, Performer
from counterfoil.host.recovery import require_continuity, require_free, require_own, require_parent, take_up, tenure_of
from counterfoil.host.report import RunReport, build_report
from counterfoil.host.runner import drive
from counterfoil.host.settle import settle
from counterfoil.ports.clock import Clock
from counterfoil.ports.holder import Holders
from counterfoil.ports.ids import Ids
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.model import Model
from counterfoil.ports.tool import Tool
from counterfoil.ports.validator import Validator

# The models of the helper of that number; its state says what a script has played, None before it begins.
HelperModels = Callable[[int, RunState | None], tuple[Model, ...]]


class Finished(msgspec.Struct, frozen=True):
    """A Run that is settled or paused: its state, and the report that callers print."""

    state: RunState
    report: RunReport


class Host:
    """Runs tasks with a chain of models over one set of tools, on one ledger."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        clock: Clock,
        ids: Ids,
        models: tuple[Model, ...],  # asked in this order: each when the ones before are given up
        tools: tuple[Tool, ...],
        validators: tuple[Validator, ...],
        catalogue: Mapping[str, Policy],
        prompts: Mapping[str, str],
        holders: Holders,
        reviewer: Model | None = None,  # looks at accepted answers, None: nobody does
        registrable: Registrable | None = None,  # None: a domain stands for itself and what is below it
        helper_models: HelperModels | None = None,  # None: helpers ask the models of their parent
        parent: str = "",  # whose helpers this Host drives, "" for Runs of their own
        parent_epoch: int = 0,  # under which the parent is driven
    ) -> None:
        self.ledger = ledger
        self._clock = clock
        self._ids = ids
        self._models = require_chain(models)
        self._tools = tools
        self._validators = validators
        self._catalogue = catalogue
        self._prompts = prompts
        self._holders = holders
        self._reviewer = require_reviewer(reviewer)
        self._registrable = registrable or str
        self._helper_models = helper_models
        self._parent = parent
        self._parent_epoch = parent_epoch

    async def ask(
        self,
        task: Task,
        observer: Observer | None = None,
        confirm: Confirm | None = None,
        pause: asyncio.Event | None = None,
        *,
        run_id: str | None = None,
    ) -> Finished:
        """Admit ``task`` and drive it to its end, or until ``pause`` is set and the step under way is done.

        ``run_id``: the name of the Run where the caller has one that no other Run can have.

        Raises:
            UsageError, RefusedError: the task is not admitted; nothing was recorded.
            LedgerConflict: there is a Run of that name.
            LeaseLost: another Host took the Run.
        """
        task = msgspec.structs.replace(task, contract=owned_domains(task.contract, self._registrable))
        events = admit(
            task, self._catalogue, self._models, self._tools, self._validators, self._prompts, self._reviewer
        )
        admitted = events[0]
        if not isinstance(admitted, RunAdmitted):
            raise TypeError("a Run begins with its admission")
        run_id, at = run_id or self._ids.run_id(), self._clock.now_ms()
        state = begin(run_id, admitted, at)
        journal = Journal.begun(self.ledger, self._clock, state, admitted, at, observer)
        journal.tenure = tenure_of(self.ledger, self._clock, state, self._holders.own(), 1)
        journal.record(LeaseTaken(self._holders.own(), 1), *events[1:])
        return await self._drive(journal, confirm, pause)

    async def resume(
        self,
        run_id: str,
        observer: Observer | None = None,
        confirm: Confirm | None = None,
        pause: asyncio.Event | None = None,
        *,
        configured: Mapping[str, Number | None] | None = None,
        demanded: frozenset[str] = frozenset(),
    ) -> Finished:
        """Go on from the ledger of a Run: receipts are read back, what has none is unknown and stays debited.

        A settled Run is reported as it is, and nothing is requested. ``configured`` and ``demanded`` as in
        ``Deployment``: lower limits narrow the Run.

        Raises:
            NotFoundError: there is no such Run.
            LedgerBroken: its chain does not verify.
            RefusedError: another process drives it, or it was admitted otherwise than this Host works.
            LeaseLost: another Host took the Run.
        """
        state, last = await fold(self.ledger, run_id)
        if state.settled:
            return Finished(state, build_report(state, last.hash))
        require_own(state)
        require_parent(state, self._parent)
        continuity = require_continuity(state, self._deployment(configured or {}, demanded))
        if not self._parent:  # who holds the parent holds its helpers
            await require_free(self.ledger, self._holders, self._clock, state)
        last_at = await worked_until(self.ledger, state, last.at)
        journal = await take_up(self.ledger, self._holders, self._clock, state, last_at, observer, continuity)
        return await self._drive(journal, confirm, pause)

    def _deployment(self, configured: Mapping[str, Number | None], demanded: frozenset[str]) -> Deployment:
        return Deployment(
            protocol=PROTOCOL,
            models=tuple(model.spec for model in self._models),
            catalogue=self._catalogue,
            tools=tuple(tool.spec for tool in self._tools),
            validators=tuple(validator.name for validator in self._validators),
            prompts=digests(self._prompts),
            configured=dict(configured),
            demanded=demanded,
            reviewer=self._reviewer.spec if self._reviewer else None,
        )

    def _helper(self, parent: RunState, number: int, child: RunState | None) -> HelperHost:
        """The Host of one helper: everything is its parent's but the model, and it cannot split again."""
        models = self._helper_models(number, child) if self._helper_models else self._models
        host = Host(
            ledger=self.ledger,
            clock=self._clock,
            ids=self._ids,
            models=models,
            tools=tuple(tool for tool in self._tools if tool.spec.effect != "child"),
            validators=self._validators,
            catalogue=self._catalogue,
            prompts=self._prompts,
            holders=self._holders,
            registrable=self._registrable,
            parent=parent.run_id,
            parent_epoch=parent.epoch,
        )
        return _Helper(host)

    def examine(self, task: Task) -> None:
        """See whether ``task`` would be admitted.

        Raises:
            UsageError, RefusedError: it would not.
        """
        admit(task, self._catalogue, self._models, self._tools, self._validators, self._prompts)

    async def _drive(self, journal: Journal, confirm: Confirm | None, pause: asyncio.Event | None) -> Finished:
        pause = pause or asyncio.Event()
        if self._parent and journal.tenure:
            journal.tenure.under = (self._parent, self._parent_epoch)
        performer = Performer(
            journal,
            self._models,
            {tool.spec.name: tool for tool in self._tools},
            self._validators,
            self._prompts,
            confirm,
            self._registrable,
            self._reviewer,
            Helpers(self.ledger, self._helper, pause),
        )
        state = await drive(journal, performer, pause)
        return Finished(state, build_report(state, journal.head))


class _Helper:
    """A Host as its parent's Host uses it."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def examine(self, task: Task) -> None:
        self._host.examine(task)

    async def begin(self, task: Task, run_id: str, pause: asyncio.Event) -> tuple[RunState, str]:
        finished = await self._host.ask(task, pause=pause, run_id=run_id)
        return finished.state, finished.report.head

    async def go_on(self, run_id: str, pause: asyncio.Event) -> tuple[RunState, str]:
        finished = await self._host.resume(run_id, pause=pause)
        return finished.state, finished.report.head


async def cancel_run(
    ledger: Ledger, holders: Holders, clock: Clock, run_id: str, observer: Observer | None = None
) -> Finished:
    """End a Run as cancelled, also one that another process drives: that one can write nothing more.

    What was accepted before stays delivered; a settled Run is reported as it is.

    Raises:
        NotFoundError: there is no such Run.
        LedgerBroken: its chain does not verify.
    """
    state, last = await fold(ledger, run_id)
    if state.settled:
        return Finished(state, build_report(state, last.hash))
    last_at = await worked_until(ledger, state, last.at)
    journal = await take_up(ledger, holders, clock, state, last_at, observer, Continuity((), {}, {}))
    journal.record(CancelRequested("cancelled by the caller"))
    for call_id in dict.fromkeys(helper.call_id for helper in state.helpers if not helper.status):
        ends = [await _cancelled(ledger, holders, clock, one) for one in state.helpers if one.call_id == call_id]
        content, events = rejoined(journal.state, call_id, tuple(ends))
        journal.record(*events, ToolCallSettled(call_id, content))
    settle(journal, "cancelled", None)
    await journal.flush()
    return Finished(journal.state, build_report(journal.state, journal.head))


async def _cancelled(ledger: Ledger, holders: Holders, clock: Clock, helper: Helper) -> HelperEnd:
    """How a helper ended whose parent is cancelled; one that never began has nothing to end."""
    if not await ledger.stored(helper.id):
        return HelperEnd(helper, broke="its parent was cancelled before it began")
    finished = await cancel_run(ledger, holders, clock, helper.id)
    return HelperEnd(helper, finished.state, finished.report.head)


async def finished_run(ledger: Ledger, run_id: str) -> Finished:
    """A Run as its ledger tells it, settled or not.

    Raises:
        NotFoundError: there is no such Run.
        LedgerBroken: its chain does not verify, so what it tells cannot be believed.
    """
    state, last = await fold(ledger, run_id)
    return Finished(state, build_report(state, last.hash))
