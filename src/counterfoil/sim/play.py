"""Owns the playing of one world: each Run from admission to its end through every crash, and what must hold between.

Never: a real clock, a real sleep, or the machine's dice.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import CounterfoilError, ModelError, NotFoundError, RefusedError
from counterfoil.core.law.policy import Number, Policy
from counterfoil.core.record.events import Event
from counterfoil.core.record.helpers import HelperSettled, helper_id
from counterfoil.core.record.state import RunState
from counterfoil.host.admission import Task
from counterfoil.host.host import Finished, Host, cancel_run
from counterfoil.host.perform import Confirm
from counterfoil.ports.corpus import Corpus
from counterfoil.ports.ledger import Ledger
from counterfoil.ports.tool import EffectTool, Tool
from counterfoil.ports.validator import Validator
from counterfoil.sim.clock import Time
from counterfoil.sim.history import History
from counterfoil.sim.invariants.check import (
    Kept,
    Violation,
    between_processes,
    purged_is_whole,
    the_report_is_true,
    the_state_is_kept,
)
from counterfoil.sim.ledger import SeenLedger
from counterfoil.sim.ledgers import Ledgers
from counterfoil.sim.plan import PERSON_MS, PLANTED, Plan, RunPlan
from counterfoil.sim.played import Failure, Played
from counterfoil.sim.process import WAIT, Crash, Life, Process, SeenClock, SimHolders, SimIds, Stuck, come_to_rest
from counterfoil.sim.provider import SimModel, SimReviewer
from counterfoil.sim.world import SeenTool, TroubledCorpus

START_MS = 1_700_000_000_000
AT_REST = "the_host_comes_to_rest"
PROCESSES_MAX = 100  # troubles are finite: a Run that needs more of them never ends


Drive = Callable[[Host, Process], Coroutine[Any, Any, Finished]]


class Parts(msgspec.Struct, frozen=True):
    """What a simulation is made of besides itself. ``open_ledger`` opens a file again and again."""

    open_ledger: Callable[[Path], Ledger]
    corpus: Callable[[Iterable[tuple[str, str]]], Corpus]
    tools: Callable[[Corpus], tuple[Tool, ...]]
    validators: tuple[Validator, ...]
    catalogue: Mapping[str, Policy]
    prompts: dict[str, str]
    durable: bool = True  # whether a ledger that was closed can be opened again
    scratch: str | None = None  # where temporary folders are made, None for the system's choice


async def play(plan: Plan, parts: Parts, folder: Path) -> Played:
    """Play every Run of ``plan`` on a store in ``folder``; stops at the first invariant that fails."""
    corpus = parts.corpus((page.name, page.text) for page in plan.pages)
    ledgers = Ledgers(parts.open_ledger, folder / "world.db", durable=parts.durable)
    played = []
    try:
        for run in plan.runs:
            played.append(await _Play(plan, run, parts, corpus, ledgers).play())
            if played[-1].failure:
                break
    finally:
        await ledgers.close()
    return Played.together(played)


class _Play:
    """One Run of a world."""

    def __init__(self, plan: Plan, run: RunPlan, parts: Parts, corpus: Corpus, ledgers: Ledgers) -> None:
        self._plan = plan
        self._run = run
        self._parts = parts
        self._corpus = corpus
        self._ledgers = ledgers
        self._run_id = f"r-{plan.seed}-{run.number}"
        self._life = Life(run, plan.steps, History(PLANTED), Time(START_MS))
        self._life.others = {"rival": self._rival, "takeover": self._takeover, "cancel": self._cancel}
        self._refused = ""
        self._finished: Finished | None = None

    async def play(self) -> Played:
        """Play the Run to its end, or to the first invariant that fails."""
        life = self._life
        life.visited[f"model: {self._run.adversary}"] += 1
        failure = None
        try:
            await self._to_the_end()
        except Violation as violation:
            failure = Failure(
                self._run.number, violation.invariant, violation.what, life.commits, _last_events(life.history)
            )
        finally:
            life.aside.close()
        settled = life.history.tally.settled
        outcome = settled.stop_reason if settled else self._refused or "not settled"
        return Played(
            runs=1,
            steps=life.commits,
            turns=sum(len(one.tally.requests) for one in (life.history, *life.history.helpers.values())),
            crashes=life.crashes,
            outcomes={outcome: 1},
            visited=dict(life.visited),
            digest=_digest(life.history),
            failure=failure,
        )

    async def _to_the_end(self) -> None:
        while not self._refused and self._life.history.tally.settled is None:
            if self._life.processes > PROCESSES_MAX:
                raise Violation("every_run_ends", f"the Run is not settled after {PROCESSES_MAX} processes")
            await self._process(self._resume if self._life.history.records else self._ask)
        if not self._refused:
            self._finished = None
            process = await self._process(self._resume)
            if process.acts or self._finished is None:
                raise Violation("a_settled_run_rests", f"resuming a settled Run did {process.acts} things")
            if self._run.purged:
                await self._purge()

    async def _purge(self) -> None:
        """Delete what the Run says; its chain has to hold, and to begin with every event as it was."""
        ledger = self._ledgers.take()
        try:
            await ledger.purge(self._run_id, at=self._life.time.shown, why="asked for")
            purged_is_whole(self._life.history, await ledger.stored(self._run_id), await ledger.verify(self._run_id))
            self._life.visited["event: BlobPurged"] += 1
        finally:
            await self._ledgers.give_back(ledger, crashed=False)

    async def _process(self, drive: Drive) -> Process:
        """One process from its start to its end, whatever that is; then what the store holds is checked."""
        life = self._life
        process = Process(life)
        process.configured, life.resumed_with = life.resumed_with, {}
        life.time.passed += life.idle_ms
        life.idle_ms = 0
        ledger = self._ledgers.take()
        try:
            await self._drive(process, ledger, drive)
            if self._life.violation:
                raise self._life.violation
            if self._life.history.records:
                await self._check(ledger, self._run_id, self._life.history)
                for name, helper in self._life.history.helpers.items():
                    if helper.records:
                        await self._check(ledger, name, helper)
        finally:
            await self._ledgers.give_back(ledger, crashed=not process.alive)
            process.crash()
        return process

    async def _drive(self, process: Process, ledger: Ledger, drive: Drive) -> None:
        life = self._life
        process.task = asyncio.ensure_future(drive(self._host(process, ledger), process))
        try:
            finished = await process.task
        except Stuck as stuck:
            raise Violation(
                AT_REST, "the Host goes round and round without asking, doing or recording anything"
            ) from stuck
        except Crash:
            await come_to_rest()  # whatever else this process had begun dies as well
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is None or current.cancelling():  # it is the simulation that is cancelled
                raise
            life.visited["process: ended by a second cancel"] += 1
        except CounterfoilError as refusal:
            self._stopped(process, refusal)
        except Exception as defect:
            raise Violation("the_host_goes_on", f"{type(defect).__name__}: {defect}") from defect
        else:
            self._ended(process, finished)

    def _stopped(self, process: Process, refusal: CounterfoilError) -> None:
        """A Host may refuse a task, and stop once another process has the Run; anything else is a defect."""
        life = self._life
        if not life.history.records:
            self._refused = "refused at admission"
        elif refusal.category != "ledger_conflict" or life.history.tally.epoch <= process.own.epoch:
            raise Violation("the_host_goes_on", f"{type(refusal).__name__} {refusal.code}: {refusal}") from refusal
        else:
            life.visited["process: lost its lease and stopped"] += 1

    def _ended(self, process: Process, finished: Finished) -> None:
        life = self._life
        if finished.state.paused and process.own.epoch < life.history.tally.epoch:
            life.visited["process: paused, and another one went on at once"] += 1
            return
        the_state_is_kept(life.history, finished.state)
        the_report_is_true(life.history, finished.report)
        self._finished = finished

    def _host(self, process: Process, ledger: Ledger) -> Host:
        parts, pages = self._parts, self._plan.pages
        process.prompts = reworded(parts.prompts, self._life.revision)
        corpus = TroubledCorpus(self._corpus, pages, process)
        tools = (SeenTool(tool, process) if isinstance(tool, EffectTool) else tool for tool in parts.tools(corpus))
        return Host(
            ledger=SeenLedger(ledger, process),
            clock=SeenClock(process),
            ids=SimIds(self._run_id),
            models=self._models(process),
            reviewer=SimReviewer(process, self._plan.seed) if self._run.reviewed else None,
            tools=tuple(tools),
            validators=parts.validators,
            catalogue=parts.catalogue,
            prompts=process.prompts,
            holders=SimHolders(process),
            helper_models=lambda number, state: self._helper_models(process, number, state),
        )

    def _models(self, process: Process, helper: str = "") -> tuple[SimModel, ...]:
        places = range(self._run.fallbacks + 1)
        return tuple(SimModel(process, self._plan.seed, place, helper) for place in places)

    def _helper_models(self, process: Process, number: int, state: RunState | None) -> tuple[SimModel, ...]:
        """The models of a helper, unless there are none for it any more when it is taken up."""
        if state is not None and number == self._run.broken:
            raise ModelError("the model is gone", code="MODEL_GONE", category="not_found", hint="")
        return self._models(process, helper_id(self._run_id, number))

    async def _ask(self, host: Host, process: Process) -> Finished:
        task = Task(self._run.contract, "2025-03-31", operator=dict(self._run.limits))
        return await host.ask(task, None, self._confirm(process), process.pause)

    async def _resume(self, host: Host, process: Process) -> Finished:
        configured = process.configured
        if demanded := self._wider(configured):
            try:
                await host.resume(self._run_id, configured=configured, demanded=demanded)
            except RefusedError:
                self._life.visited["process: refused a wider limit"] += 1
            if process.acts:
                raise Violation("limits_only_fall", f"{', '.join(demanded)} were asked for, and the Run went on")
        return await host.resume(self._run_id, None, self._confirm(process), process.pause, configured=configured)

    def _wider(self, configured: Mapping[str, Number]) -> frozenset[str]:
        """Those limits that are higher than the Run has them now."""
        tally = self._life.history.tally
        if tally.settled is not None:
            return frozenset()
        return frozenset(p for p, value in configured.items() if (now := tally.limits[p]) is not None and value > now)

    def _confirm(self, process: Process) -> Confirm | None:
        if self._run.caller == "absent":
            return None

        async def confirm(proposed: Contract) -> Contract | None:
            clock, looked = SeenClock(process), self._life.history.looked
            asked_at, due = clock.now_ms(), "RunPaused"
            try:
                await clock.sleep_until(asked_at + PERSON_MS)
                if self._run.caller == "leaves" and not looked:
                    await process.stop(WAIT, at_once=True)
                due = "ContractConfirmed"
            finally:
                looked[process.own.epoch, due] = clock.now_ms() - asked_at
            return None if self._run.caller == "declines" else proposed

        return confirm

    async def _rival(self, process: Process) -> None:
        """Somebody else resumes the Run while its holder lives.

        Refused, and nothing is written or asked; but once the lease is over by the clock, anybody may take the Run.
        """
        if process.own.epoch != self._life.history.tally.epoch:  # it was taken for dead, and does not hold the Run
            return
        lease = self._life.history.lease
        if lease is not None and process.own.lease_until <= process.clock.now_ms():
            await self._instead_of(process, self._resume)
            self._life.visited["process: took over when the lease was over"] += 1
            return
        rival = Process(self._life)
        ledger = self._ledgers.take()
        try:
            await self._host(rival, ledger).resume(self._run_id)
        except (RefusedError, NotFoundError):
            self._life.visited["process: refused beside a living one"] += 1
        finally:
            rival.crash()
            await self._ledgers.give_back(ledger, crashed=False)
        if rival.acts:
            self._life.violate(Violation("a_living_holder_is_left_alone", "a second process wrote or asked something"))

    async def _takeover(self, process: Process) -> None:
        """The process is stopped and taken for dead; another one goes on. Then the first wakes up."""
        if not self._life.history.records:
            return
        self._life.living.discard(process.name)
        await self._instead_of(process, self._resume)
        if self._life.history.tally.epoch == process.own.epoch:  # nobody took the Run after all
            self._life.living.add(process.name)

    async def _cancel(self, process: Process) -> None:
        """The caller ends the Run from another process, whoever drives it."""
        if self._life.history.records:
            await self._instead_of(process, self._cancelled)

    async def _cancelled(self, host: Host, process: Process) -> Finished:
        process.configured, process.prompts = {}, {}  # it goes on with nothing
        done = await cancel_run(host.ledger, SimHolders(process), SeenClock(process), self._run_id)
        self._life.visited["process: cancelled from outside"] += 1
        return done

    async def _instead_of(self, process: Process, drive: Drive) -> None:
        """Let another process act on the Run while this one stands still."""
        others = self._life.others
        self._life.others = {"cancel": others["cancel"]} if "takeover" in others else {}  # a few at a time are enough
        try:
            await self._process(drive)
        except Violation as violation:
            self._life.violate(violation)
        finally:
            self._life.others = others

    async def _check(self, ledger: Ledger, run_id: str, history: History) -> None:
        pairs = await ledger.events(run_id)
        kept = Kept(
            stored=tuple(stored for stored, _ in pairs),
            events=tuple(event for _, event in pairs),
            lease=await ledger.lease(run_id),
            proof=await ledger.verify(run_id) if history.tally.settled else None,
        )
        between_processes(history, kept)


def reworded(prompts: Mapping[str, str], revision: int) -> dict[str, str]:
    """The prompts of a deployment; the one for entry stays as it is."""
    return {name: text + " Please." * (revision if name != "entry" else 0) for name, text in prompts.items()}


def _digest(history: History) -> str:
    """The events of the Run and of its helpers as bytes, hashed. Blobs stand in their places: their names depend on
    the store's key.
    """
    hashed = hashlib.sha256()
    for one in (history, *(history.helpers[name] for name in sorted(history.helpers))):
        for record in one.records:
            row, event = record.stored, _plain(record.event)
            hashed.update(msgspec.json.encode((row.run_id, row.seq, row.at, row.actor, row.epoch, event)))
    return hashed.hexdigest()


def _plain(event: Event) -> Event:
    """``event`` without the hash of another chain, which covers names of blobs."""
    return msgspec.structs.replace(event, head="") if isinstance(event, HelperSettled) else event


def _last_events(history: History, most: int = 12) -> tuple[str, ...]:
    """The newest events of the Run, then those of each helper that it still waits for."""
    shown = []
    under_way = [helper for name, helper in history.helpers.items() if not _over(history, name)]
    for one in (history, *under_way):
        for record in one.records[-most:]:
            body = msgspec.json.encode(_plain(record.event)).decode("utf-8", "replace")
            whose = f"{record.stored.run_id}  " if one.parent else ""
            shown.append(f"{whose}{record.stored.seq:>4}  {record.stored.at - START_MS:>8} ms  {body[:160]}")
    return tuple(shown)


def _over(history: History, helper: str) -> bool:
    part = history.tally.helpers.get(helper)
    return part is not None and bool(part.status)
