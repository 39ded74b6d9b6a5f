"""Owns a simulated process and what it shares with those before and after it: one Run with its helpers, and one time.

Never: a second Run of its own, or going on after a crash; every port of a dead process is dead.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from counterfoil.core.law.policy import Number
from counterfoil.core.record.helpers import parent_of
from counterfoil.sim.aside import Aside
from counterfoil.sim.clock import SimClock, Time
from counterfoil.sim.history import Effect, History
from counterfoil.sim.invariants.check import Violation, at_an_effect
from counterfoil.sim.plan import RunPlan, Trouble, TroubleKind

MOMENTS_MAX = 20_000  # far beyond any lawful Run: a Host that gets here goes round in circles
BEFORE, AFTER, MODEL, TOOL = "before a commit", "after a commit", "model", "tool"
RENEWAL, WAIT = "before a renewal", "wait"
DEADLY: frozenset[TroubleKind] = frozenset({"crash", "narrow", "widen", "reword"})


class Crash(BaseException):
    """The process is gone. Nothing of it catches this."""


class Stuck(BaseException):
    """The Host goes round without ever reaching a port; only time tells."""


class Life:
    """A Run from its admission to its end, across processes."""

    def __init__(self, plan: RunPlan, steps: int, history: History, time: Time) -> None:
        self.plan = plan
        self.steps = steps
        self.history = history
        self.time = time
        self.living: set[str] = set()
        self.visited: Counter[str] = Counter()
        self.moments = self.commits = self.reads = self.crashes = self.processes = 0
        self.leaving = False
        self.aside = Aside()
        self.violation: Violation | None = None
        self._troubles = {trouble.moment: trouble for trouble in plan.troubles}
        self.idle_ms = 0  # how long nobody works before the next process begins
        self.resumed_with: dict[str, Number] = {}  # the limits of the next process
        self.revision = 0  # how often deployments have reworded the prompts
        self.others: dict[TroubleKind, Callable[[Process], Awaitable[None]]] = {}  # what another process does

    async def moment(self, process: Process, where: str) -> None:
        """Something is about to happen: let the trouble planned for this moment come first."""
        self.moments += 1
        if self.moments > MOMENTS_MAX:
            self.violate(Violation("every_run_ends", f"the Run is not settled after {MOMENTS_MAX} moments"))
        trouble = self._troubles.get(self.moments)
        if trouble is None:
            return
        self.visited[f"trouble: {trouble.kind}"] += 1
        await self._trouble(process, where, trouble)

    async def _trouble(self, process: Process, where: str, trouble: Trouble) -> None:
        if trouble.kind in DEADLY:
            self.crashes += 1
            if where in (MODEL, TOOL, WAIT):
                self.visited[f"crash in {where}"] += 1
            self.time.passed += trouble.ms
            self.resumed_with = trouble.limits
            self.revision += trouble.kind == "reword"
            raise process.crash()
        if trouble.kind == "jump":
            self.time.jump(trouble.ms)
        elif trouble.kind in ("pause", "interrupt"):
            self.idle_ms = trouble.ms
            await process.stop(where, at_once=trouble.kind == "interrupt")
        elif (other := self.others.get(trouble.kind)) is not None:
            self.time.passed += trouble.ms
            await process.stopped_for(other)

    async def leave(self, process: Process) -> None:
        """The caller loses patience: the Run is cancelled from outside."""
        if (cancel := self.others.get("cancel")) is None:
            return
        self.leaving = True
        try:
            await process.stopped_for(cancel)
        finally:
            self.leaving = False

    def violate(self, violation: Violation) -> None:
        """Remember what failed, and stop: the Host must not take it for a defect of a model."""
        self.violation = self.violation or violation
        raise Crash


class Process:
    """One process that drives the Run and its helpers: its clock, whether it still lives."""

    def __init__(self, life: Life) -> None:
        life.processes += 1
        self.life = life
        self.name = f"p{life.processes}"
        self.clock = SimClock(life.time)
        self.own = Seat(self, life.history)
        self._helpers: dict[str, Seat] = {}
        self.configured: dict[str, Number] = {}  # the limits that it resumes with
        self.prompts: dict[str, str] = {}  # of its deployment
        self.acts = 0  # commits and effects of this process
        self.pause = asyncio.Event()
        self.task: asyncio.Task[object] | None = None
        self.alive = True
        self._stopped: asyncio.Event | None = None
        life.living.add(self.name)

    def crash(self) -> Crash:
        """End the process; what this returns is to be raised."""
        self.alive = False
        self.life.living.discard(self.name)
        return Crash()

    async def moment(self, where: str) -> None:
        """Come to a moment of the Run, alive or not at all."""
        while self._stopped is not None:  # another call of this process met the one for which all of it stands still
            await self._stopped.wait()
        if not self.alive or self.life.violation:
            raise Crash
        await self.life.moment(self, where)

    async def stopped_for(self, other: Callable[[Process], Awaitable[None]]) -> None:
        """Stand still, with everything that runs side by side in this process, while ``other`` acts."""
        self._stopped = asyncio.Event()
        try:
            await other(self)
        finally:
            self._stopped.set()
            self._stopped = None

    async def stop(self, where: str, *, at_once: bool) -> None:
        """The caller asks for a pause, or ends the task: inside an effect that arrives at once, else after a commit."""
        if not at_once:
            self.pause.set()
        elif self.task is not None:
            self.task.cancel()
        if where in (MODEL, TOOL, WAIT):
            for _ in range(3):  # whoever waits for it gets to see it
                await asyncio.sleep(0)

    async def passes(self, ms: int) -> None:
        """Let time pass, once the Runs beside this one have come to a wait of their own."""
        until = self.clock.now_ms() + ms
        if self.life.history.helpers:
            await come_to_rest()
        await self.clock.sleep_until(until)

    def seat(self, run_id: str) -> Seat:
        """The place of a Run in this process: its own, or that of a helper."""
        if parent_of(run_id) is None:
            return self.own
        if run_id not in self._helpers:
            self._helpers[run_id] = Seat(self, self.life.history.helper(run_id))
        return self._helpers[run_id]


async def come_to_rest() -> None:
    """Let all other tasks go on until each of them waits for something; more rounds than any of them needs."""
    for _ in range(20):
        await asyncio.sleep(0)


class Seat:
    """One Run as a process drives it: its history, and the epoch and the lease as far as this process knows them."""

    def __init__(self, process: Process, history: History) -> None:
        self.process = process
        self.history = history
        self.epoch = 0
        self.lease_until = 0  # by the clock

    def effect(self, kind: str, **more: Any) -> Effect:
        """Something outside that the Run is about to do."""
        clock = self.process.clock
        return Effect(
            kind,
            self.epoch,
            len(self.history.records),
            at=clock.now_ms(),
            left_ms=clock.left_ms(),
            lease_until=self.lease_until,
            **more,
        )

    def cause(self, effect: Effect) -> int:
        """Note an effect that is about to happen; returns how many of its kind there have been."""
        process = self.process
        if not process.alive:
            raise Crash
        process.acts += 1
        self.history.effects.append(effect)
        try:
            at_an_effect(self.history, effect)
        except Violation as violation:
            process.life.violate(violation)
        return sum(seen.kind == effect.kind for seen in self.history.effects)


class SeenClock:
    """The clock as the Host of a process sees it: in the middle of a wait something may happen."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self._process.clock.now_ms()

    async def sleep_until(self, moment_ms: int) -> None:
        """Let time pass in two parts."""
        process = self._process
        await process.passes((moment_ms - process.clock.now_ms()) // 2)
        await process.moment(WAIT)
        await process.passes(moment_ms - process.clock.now_ms())

    def timeout(self, ms: int) -> AbstractAsyncContextManager[None]:
        """End a block that sleeps for longer than ``ms``."""
        return self._process.clock.timeout(ms)


class SimHolders:
    """The holders of a world, as one of its processes sees them."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def own(self) -> str:
        """This process."""
        return self._process.name

    def alive(self, holder: str) -> bool:
        """Whether that process still runs."""
        return holder in self._process.life.living


class SimIds:
    """The id of the one Run that its process begins."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id

    def run_id(self) -> str:
        """The Run's id."""
        return self._run_id
