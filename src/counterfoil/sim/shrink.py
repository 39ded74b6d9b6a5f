"""Owns making a failing world smaller while it still fails: fewer Runs, troubles, faults, pages, limits and steps.

Never: taking another failure for the same one; the invariant's name has to stay.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from counterfoil.sim.plan import Plan, RunPlan, Trouble
from counterfoil.sim.played import Failure

TRIES_MAX = 150  # a world takes a tenth of a second
T = TypeVar("T")


async def shrink(
    plan: Plan, failure: Failure, fails: Callable[[Plan], Awaitable[Failure | None]], tries: int = TRIES_MAX
) -> tuple[Plan, Failure]:
    """A smaller plan that fails the same invariant, and how. ``fails`` plays a plan, at most ``tries`` times."""
    found = True
    while found:
        found = False
        for candidate in smaller(plan, failure):
            if tries == 0:
                return plan, failure
            tries -= 1
            again = await fails(candidate)
            if again is not None and again.invariant == failure.invariant:
                plan, failure, found = candidate, again, True
                break
    return plan, failure


def smaller(plan: Plan, failure: Failure) -> Iterator[Plan]:
    """Plans with one thing less than ``plan``, the largest cuts first."""
    if len(plan.runs) > 1:
        yield replace(plan, runs=tuple(run for run in plan.runs if run.number == failure.run))
        yield from (replace(plan, runs=runs) for runs in _less(plan.runs))
    if failure.step + 1 < plan.steps:
        yield replace(plan, steps=failure.step + 1)
    for place, run in enumerate(plan.runs):
        for less in _smaller_run(run):
            yield replace(plan, runs=(*plan.runs[:place], less, *plan.runs[place + 1 :]))
    yield from (replace(plan, pages=pages) for pages in _less(plan.pages))


def _smaller_run(run: RunPlan) -> Iterator[RunPlan]:
    yield from (replace(run, troubles=troubles) for troubles in _less(run.troubles))
    yield from (replace(run, faults=faults) for faults in _less(run.faults))
    if run.reviewed:
        yield replace(run, reviewed=False)
    if run.splits:
        yield replace(run, splits=0, broken=0)
    if run.broken:
        yield replace(run, broken=0)
    if run.fallbacks:
        yield replace(run, fallbacks=run.fallbacks - 1)
    yield from (replace(run, limits=dict(limits)) for limits in _less(tuple(run.limits.items())))
    if len(run.contract.rows) > 1:
        for rows in _less(run.contract.rows):
            yield replace(run, contract=replace(run.contract, rows=rows))


def _less(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """``things`` without either half, then without each."""
    half = len(things) // 2
    if half > 1:
        yield tuple(things[half:])
        yield tuple(things[:half])
    for place in range(len(things)):
        yield (*things[:place], *things[place + 1 :])


def described(plan: Plan) -> tuple[str, ...]:
    """A plan as a person reads it."""
    lines = [f"pages: {', '.join(page.name for page in plan.pages) or 'none'}", f"steps: {plan.steps}"]
    for run in plan.runs:
        chain = f" with {run.fallbacks} fallbacks" if run.fallbacks else ""
        split = f" that splits into {run.splits}" if run.splits else ""
        lines.append(f"run {run.number}: {run.adversary} model{chain}{split}, {len(run.contract.cells())} cells")
        lines.append(
            "  limits: " + (", ".join(f"{policy}={value}" for policy, value in run.limits.items()) or "default")
        )
        lines += [f"  request {fault.attempt}: {fault.kind}" for fault in run.faults]
        lines += [f"  moment {trouble.moment}: {_told(trouble)}" for trouble in run.troubles]
    return tuple(lines)


def _told(trouble: Trouble) -> str:
    limits = ", ".join(f"{policy}={value}" for policy, value in trouble.limits.items())
    return " ".join(filter(None, (trouble.kind, f"{trouble.ms} ms" if trouble.ms else "", limits)))
