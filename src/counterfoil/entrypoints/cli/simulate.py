"""Owns ``counterfoil simulate``: the real Host against seeded worlds, and what broke if anything did.

Never: touching the Runs of the person who calls it; every world has a store of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.render.plain import one_line
from counterfoil.entrypoints.cli.options import json_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.sim.plan import STEPS
from counterfoil.sim.survey import FailedSeed, Survey, survey

_WHAT_CHARS = 400


@click.command()
@click.option("--seeds", type=click.IntRange(min=1), default=100, show_default=True, help="How many worlds to play.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The first of them.")
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    default=STEPS,
    show_default=True,
    help="Ledger commits after which the caller of a Run cancels it.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="one a core",
    help="How many play at once; what is found is the same.",
)
@json_option
def simulate(seeds: int, seed: int, steps: int, processes: int, as_json: bool) -> int:
    """Prove the Host against adversarial models, providers, clocks and crashes; exit 1 if an invariant fails."""
    with click.progressbar(length=seeds, label="simulating", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        chosen, among = range(seed, seed + seeds), min(processes, seeds)
        worlds = wiring.played_in_processes(chosen, steps, among) if among > 1 else None
        found = asyncio.run(survey(chosen, wiring.simulation_parts(), steps, lambda _seed: bar.update(1), worlds))
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        click.echo("\n".join(_lines(found)))
        for failed in found.failed:
            click.echo("\n".join(_failure_lines(failed)), err=True)
    return 1 if found.failed else 0


def _lines(found: Survey) -> Iterator[str]:
    rate = found.seeds / found.seconds if found.seconds else 0.0
    rows = {
        "seeds": f"{found.seeds} ({rate:.1f} a second)",
        "runs": str(found.runs),
        "steps": f"{found.steps} ledger commits, every invariant checked after each",
        "turns": f"{found.turns} (median {found.turns_median:g} a seed)",
        "crashes survived": str(found.crashes),
    }
    yield from (f"{name:<18}{value}" for name, value in rows.items())
    yield from ("", "Runs ended as")
    yield from (f"  {count:>6}  {reason}" for reason, count in found.outcomes.items())
    kind = ""
    for place, count in found.visited.items():
        head, _, name = place.partition(": ") if place.partition(": ")[0] in _KINDS else ("crash", "", place)
        if head != kind:
            kind = head
            yield from ("", _KINDS[head])
        yield f"  {count:>6}  {name}"
    yield ""
    if found.unvisited:
        yield f"Never visited: {', '.join(found.unvisited)}. More seeds visit more."
    yield f"{len(found.failed)} of {found.seeds} seeds broke an invariant." if found.failed else "Every invariant held."


_KINDS = {
    "crash": "Crashes by what was being committed or done",
    "event": "Events recorded",
    "fault": "Faults of providers",
    "helper": "Helpers ended as",
    "model": "Models",
    "phase": "Moves between phases",
    "process": "Other ends of a process",
    "refused": "Calls refused for",
    "reminder": "Reminders given",
    "review": "Reviews",
    "trouble": "Troubles",
}


def _failure_lines(failed: FailedSeed) -> Iterator[str]:
    failure = failed.failure
    yield from ("", f"Seed {failed.seed} broke {failure.invariant} in run {failure.run}, step {failure.step}:")
    yield f"  {one_line(failure.what)[:_WHAT_CHARS]}"
    yield f"  replay: {failed.replay}"
    yield "  the smallest world that still fails:" if failed.shrunk else "  its world:"
    yield from (f"    {line}" for line in failed.world)
    yield "  the last events:"
    yield from (f"    {one_line(line)}" for line in failure.events)
