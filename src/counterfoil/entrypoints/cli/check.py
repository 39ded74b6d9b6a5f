"""Owns ``counterfoil check``: whether a Run could finish under the limits given, step by step, before there is one.

Never: starting a Run, or repairing a limit by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.render.paper import amount
from counterfoil.core.answer.contract import Contract
from counterfoil.core.law.path_proof import PathProof
from counterfoil.core.law.policy import Number
from counterfoil.entrypoints.cli.exits import DONE, REFUSED
from counterfoil.entrypoints.cli.options import (
    fallback_option,
    json_option,
    reviewer_option,
    set_option,
    settings_of,
    store_option,
)
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.screen import colours, text_table

_HEADER = ("step", "policy", "needs", "available", "slack")


@click.command()
@click.argument("task_file", metavar="[TASK.yaml]", required=False)
@set_option
@click.option("--model", metavar="SPEC", help="Who decides.")
@fallback_option
@reviewer_option
@store_option
@json_option
def check(task_file: str | None, as_json: bool, **options: Any) -> int:
    """Prove that a Run can finish: each step of the path, what it needs, which limit feeds it, what is left."""
    contract, budget = _asked(task_file)
    proof = wiring.path_proof(settings_of(options), contract, budget)
    if as_json:
        print_json({"holds": proof.holds, **msgspec.to_builtins(proof)})
    else:
        click.echo("\n".join(_lines(proof)), color=colours())
    return DONE if proof.holds else REFUSED


def _asked(task_file: str | None) -> tuple[Contract, Mapping[str, Number]]:
    """The contract and limits of a task file; without one, those of any plain question."""
    if task_file is None:
        return Contract(question=""), {}
    from counterfoil.entrypoints.cli.taskfile import load_task

    task = load_task(task_file)
    return task.contract, task.budget


def _lines(proof: PathProof) -> list[str]:
    rows = [(s.step, s.policy, amount(s.needs), amount(s.available), amount(s.slack)) for s in proof.steps]
    lines = [text_table(_HEADER, rows, right=(2, 3, 4)), ""]
    if proof.holds:
        return [*lines, "A path exists: a Run under these limits can finish."]
    lines.append("No path: these limits contradict each other.")
    for contradiction in proof.contradictions:
        lines += [f"- {contradiction.sentence()}", f"  next: {contradiction.repair}"]
    return lines
