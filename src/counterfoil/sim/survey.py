"""Owns many worlds played one after the other: what became of them, what they visited, which failed and how.

Never: a seed that is skipped, or a place that was not visited left unsaid.
"""

from __future__ import annotations

import signal
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import msgspec

from counterfoil.core.law.phases import MOVES
from counterfoil.core.law.streaks import SAME_CALL_FAILED
from counterfoil.core.record.codec import TYPES
from counterfoil.core.record.notes import ReminderKind
from counterfoil.core.record.proxied import ProxyEvent
from counterfoil.sim.plan import ADVERSARIES, LASTING, PASSING, STEPS, Plan, TroubleKind, plan_of
from counterfoil.sim.play import AT_REST, Parts, play
from counterfoil.sim.played import Failure, Played
from counterfoil.sim.process import Stuck
from counterfoil.sim.shrink import described, shrink

SHRUNK_MAX = 3  # failing seeds that are made smaller; more of them say nothing new
PATIENCE_SECONDS = 60  # a world takes a fraction of a second
REACHABLE = (
    "finish_accepted",
    "finalization_requests_exhausted",
    "corrections_exhausted",
    "hard_deadline",
    "expired",
    "model_stopped",
    "provider_failed",
    "cancelled",
)

ENDS = (
    "lost its lease and stopped",
    "cancelled from outside",
    "refused a wider limit",
    "refused beside a living one",
    "took over when the lease was over",
    "renewed its lease",
)

HELPER_ENDS = ("completed", "completed_with_gaps", "partial", "failed", "cancelled", "could not go on")

# Another program decides a metered Run, so it has no loop to simulate. The properties in
# tests/unit/host/test_metering.py play its interleavings instead, and count them again with this package's tally.
NOT_OF_THESE_WORLDS = frozenset(kind.__name__ for kind in get_args(ProxyEvent))


class FailedSeed(msgspec.Struct, frozen=True):
    """A seed whose Host broke an invariant. ``failure`` and ``world`` are those of the smallest world found."""

    seed: int
    replay: str
    failure: Failure
    world: tuple[str, ...]
    shrunk: bool


class Survey(msgspec.Struct, frozen=True):
    """What a number of seeds came to."""

    seeds: int
    runs: int
    steps: int
    turns: int
    turns_median: float  # of a seed
    crashes: int
    outcomes: dict[str, int]
    visited: dict[str, int]
    unvisited: tuple[str, ...]
    digest: str  # of every event of every seed, byte for byte
    seconds: float
    failed: tuple[FailedSeed, ...]


async def survey(
    seeds: Iterable[int],
    parts: Parts,
    steps: int = STEPS,
    progress: Callable[[int], None] = lambda _seed: None,
    worlds: Iterable[Played] | None = None,
) -> Survey:
    """Play every seed; ``progress`` is told each when it is done.

    ``worlds``: what became of each, in the order of ``seeds``, when other processes play them.
    """
    begun = time.perf_counter()
    played: list[Played] = []
    failed: list[FailedSeed] = []
    elsewhere = None if worlds is None else iter(worlds)
    for seed in seeds:
        plan = plan_of(seed, steps)
        played.append(await play_once(plan, parts) if elsewhere is None else next(elsewhere))
        if failure := played[-1].failure:
            failed.append(
                await _failed(plan, failure, parts, small=len(failed) < SHRUNK_MAX and failure.invariant != AT_REST)
            )
        progress(seed)
    together = Played.together(played)
    outcomes, visited = Counter(together.outcomes), together.visited
    return Survey(
        seeds=len(played),
        runs=together.runs,
        steps=together.steps,
        turns=together.turns,
        turns_median=statistics.median(one.turns for one in played) if played else 0,
        crashes=together.crashes,
        outcomes=dict(outcomes.most_common()),
        visited=dict(sorted(visited.items())),
        unvisited=tuple(place for place in places() if not visited.get(place) and not outcomes[place]),
        digest=together.digest,
        seconds=round(time.perf_counter() - begun, 3),
        failed=tuple(failed),
    )


async def play_once(plan: Plan, parts: Parts) -> Played:
    """Play a plan on a store of its own, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="counterfoil-sim-", dir=parts.scratch) as folder, _patience():
        return await play(plan, parts, Path(folder))


@contextmanager
def _patience() -> Iterator[None]:
    """End a world whose Host hangs. Without it a seed that finds an endless loop would never tell."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def hangs(_signal: int, _frame: object) -> None:
        raise Stuck

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(PATIENCE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def places() -> Iterator[str]:
    """Everything that a survey of enough seeds visits: endings, event types, phase moves, crash points, troubles …"""
    yield from REACHABLE
    yield from (f"event: {name}" for name in TYPES if name not in NOT_OF_THESE_WORLDS)
    yield from (f"phase: {one.value} → {other.value}" for one, other in sorted(MOVES))
    for effect in ("model", "repeatable", "split"):
        yield from (
            f"crash {when} {effect}: {what}" for when in ("before", "after") for what in ("reservation", "receipt")
        )
    yield from ("crash before pure: receipt", "crash after pure: receipt")
    yield from ("crash before helper: commit", "crash after helper: commit")
    yield from ("crash in model", "crash in tool", "crash in wait")
    yield from (f"model: {adversary}" for adversary in ADVERSARIES)
    yield from (f"fault: {kind}" for kind in (*PASSING, *LASTING))
    yield from (f"trouble: {kind}" for kind in get_args(TroubleKind))
    yield from (f"process: {end}" for end in ENDS)
    yield from (f"reminder: {kind}" for kind in get_args(ReminderKind))
    yield f"refused: {SAME_CALL_FAILED}"
    yield from (f"helper: {end}" for end in HELPER_ENDS)
    yield from (f"review: {verdict}" for verdict in ("passed", "failed", "inconclusive"))


async def _failed(plan: Plan, failure: Failure, parts: Parts, *, small: bool) -> FailedSeed:
    replay = f"counterfoil simulate --seeds 1 --seed {plan.seed} --steps {plan.steps}"
    if small:

        async def fails(candidate: Plan) -> Failure | None:
            return (await play_once(candidate, parts)).failure

        plan, failure = await shrink(plan, failure, fails)
    return FailedSeed(plan.seed, replay, failure, described(plan), small)
