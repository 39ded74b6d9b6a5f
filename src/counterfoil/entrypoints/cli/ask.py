"""Owns ``counterfoil ask``: a question on the command line becomes a Run and its report.

Never: work before the options are known to be usable.
"""

from __future__ import annotations

from typing import Any

import click

from counterfoil.entrypoints.cli.conduct import Order, conduct
from counterfoil.entrypoints.cli.options import contract_of, task_options


@click.command()
@click.argument("question")
@task_options
def ask(question: str, **options: Any) -> int:
    """Ask QUESTION of the documents in --corpus, or of the saved web in --snapshot."""
    contract = contract_of(question, options)
    return conduct(Order(contract, tuple(options["corpus"]), tuple(options["snapshots"])), options)
