"""Owns ``counterfoil demo``: the bundled task and question over the bundled documents, and their reports.

Never: the network, a key, or a document that is not bundled.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from counterfoil.core.answer.contract import Contract
from counterfoil.entrypoints.cli.conduct import Order, conduct
from counterfoil.entrypoints.cli.options import json_option, store_option
from counterfoil.entrypoints.cli.taskfile import load_task

TASK = Path(__file__).parents[2] / "data" / "demo" / "task.yaml"
REPORT = "counterfoil-demo.html"
QUESTION = "What was Tandem Mobility's total revenue in fiscal 2024, in USD thousands?"


@click.command()
@click.option("--out", metavar="FILE", default=REPORT, show_default=True, help="Where the report goes.")
@store_option
@json_option
@click.option("--quiet", is_flag=True, help="No progress.")
def demo(out: str, **options: Any) -> int:
    """Compare the visitor passes of three cities, then ask an annual report for a figure: offline, without a key.

    With --json only the comparison is made and printed.
    """
    task = load_task(str(TASK))
    given = {**options, "as_of": task.as_of, "yes": True}
    compared = conduct(Order(task.contract, task.corpus, budget=task.budget), {**given, "out": out}, brief=True)
    if options["as_json"]:
        return compared
    click.echo()
    answered = conduct(Order(Contract(QUESTION), task.corpus), given, brief=True)
    click.echo(f"\nOpen {Path(out).absolute()} in a browser: every mark links to the passage it stands in.")
    return compared or answered
