"""Owns ``counterfoil run``: a task file becomes a Run and its report.

Never: a value of the file over one given as an option.
"""

from __future__ import annotations

from typing import Any

import click

from counterfoil.entrypoints.cli.conduct import Order, conduct
from counterfoil.entrypoints.cli.options import contract_of, task_options
from counterfoil.entrypoints.cli.taskfile import load_task
from counterfoil.settings import parse_policy


@click.command()
@click.argument("task_file", metavar="TASK.yaml")
@task_options
def run(task_file: str, **options: Any) -> int:
    """Run the task in TASK.yaml; options replace what the file says."""
    task = load_task(task_file)
    contract = contract_of(task.contract.question, options, task.contract)
    given_places = options["corpus"] or options["snapshots"]
    corpus = tuple(options["corpus"]) if given_places else task.corpus
    given = {parse_policy(text, "flag")[0] for text in options["policies"]}
    budget = {policy: value for policy, value in task.budget.items() if policy not in given}
    order = Order(contract, corpus, tuple(options["snapshots"]), budget)
    options = {**options, "as_of": options["as_of"] or task.as_of, "tz": options["tz"] or task.tz}
    return conduct(order, options)
