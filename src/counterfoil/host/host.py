"""Owns the Host: a task goes in, a settled Run and its report come out.

Never: naming concrete classes (wiring does) or deciding what is interesting (the model does).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from counterfoil.core.law.policy import Policy
from counterfoil.core.record.events import RunAdmitted
from counterfoil.core.record.evolve import begin
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import Task, admit
from counterfoil.host.journal import Journal, Observer
from counterfoil.host.perform import Confirm, Performer
from counterfoil.host.report import RunReport, build_report
from counterfoil.host.runner import drive, fold
from counterfoil.ports.clock import Clock
from counterfoil.ports.ids import Ids
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.model import Model
from counterfoil.ports.tool import Tool
from counterfoil.ports.validator import Validator


class Finished(msgspec.Struct, frozen=True):
    """A settled Run: its state, and the report that callers print."""

    state: RunState
    report: RunReport


class Host:
    """Runs tasks with one model over one set of tools, on one ledger."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        clock: Clock,
        ids: Ids,
        model: Model,
        tools: tuple[Tool, ...],
        validators: tuple[Validator, ...],
        catalogue: Mapping[str, Policy],
        prompts: Mapping[str, str],
    ) -> None:
        self.ledger = ledger
        self._clock = clock
        self._ids = ids
        self._model = model
        self._tools = tools
        self._validators = validators
        self._catalogue = catalogue
        self._prompts = prompts

    async def ask(self, task: Task, observer: Observer | None = None, confirm: Confirm | None = None) -> Finished:
        """Admit ``task`` and drive it to its end.

        Raises:
            UsageError, RefusedError: the task is not admitted; nothing was recorded.
        """
        events = admit(task, self._catalogue, self._model, self._tools, self._validators, self._prompts)
        admitted = events[0]
        if not isinstance(admitted, RunAdmitted):
            raise TypeError("a Run begins with its admission")
        run_id, at = self._ids.run_id(), self._clock.now_ms()
        journal = Journal.begun(self.ledger, self._clock, begin(run_id, admitted, at), admitted, at, observer)
        journal.record(*events[1:])
        performer = Performer(
            journal,
            self._model,
            {tool.spec.name: tool for tool in self._tools},
            self._validators,
            self._prompts,
            confirm,
        )
        state = await drive(journal, performer)
        return Finished(state, build_report(state, journal.head))


async def finished_run(ledger: Ledger, run_id: str) -> Finished:
    """A Run as its ledger tells it, settled or not."""
    state = await fold(ledger, run_id)
    stored = await ledger.stored(run_id)
    return Finished(state, build_report(state, stored[-1].hash))
