"""Owns ``counterfoil cancel``: a Run ends here and now, whoever drives it.

Never: taking back what was accepted.
"""

from __future__ import annotations

from typing import Any

import click

from counterfoil import wiring
from counterfoil.entrypoints.cli.conduct import show_finished
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, run_argument, store_option
from counterfoil.host.host import Finished
from counterfoil.ports.ledger import Ledger


@click.command()
@run_argument
@store_option
@json_option
def cancel(run_id: str, as_json: bool, **options: Any) -> int:
    """End RUN. A process that drives it can write and send nothing more; what has a receipt is reported."""

    async def end(ledger: Ledger) -> Finished:
        return await wiring.cancel(ledger, (await find_run(ledger, run_id)).run_id)

    return show_finished(with_ledger(options, end), None, as_json=as_json, brief=True)
