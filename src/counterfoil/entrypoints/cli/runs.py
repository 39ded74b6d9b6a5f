"""Owns ``counterfoil runs``: the list of Runs, newest first.

Never: reading more than the listing.
"""

from __future__ import annotations

import datetime
from typing import Any

import click
import msgspec

from counterfoil.adapters.render.plain import one_line
from counterfoil.core.record.helpers import parent_of
from counterfoil.entrypoints.cli.lookup import with_ledger
from counterfoil.entrypoints.cli.options import json_option, store_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.screen import colours, shortened, text_table
from counterfoil.ports.ledger import Ledger, RunListing

_QUESTION_CELLS_MAX = 60


@click.command()
@store_option
@json_option
def runs(as_json: bool, **options: Any) -> int:
    """List Runs, newest first."""

    async def use(ledger: Ledger) -> tuple[RunListing, ...]:
        return tuple(run for run in await ledger.runs() if parent_of(run.run_id) is None)

    listed = with_ledger(options, use)
    if as_json:
        print_json([{**msgspec.to_builtins(run), "at": iso(run.at)} for run in listed])
        return 0
    rows = [
        (run.run_id, iso(run.at), run.status.replace("_", " "), shortened(one_line(run.question), _QUESTION_CELLS_MAX))
        for run in listed
    ]
    table = text_table(("run", "admitted", "status", "question"), rows)
    click.echo(table or 'no Runs yet; ask something: counterfoil ask "…" --corpus PATH', color=colours())
    return 0


def iso(at_ms: int) -> str:
    """Milliseconds since the epoch as an ISO time in UTC."""
    return datetime.datetime.fromtimestamp(at_ms / 1000, datetime.UTC).isoformat(timespec="seconds")
