"""Owns ``counterfoil show``: a Run as its ledger tells it, settled or not.

Never: starting or continuing it.
"""

from __future__ import annotations

from typing import Any

import click

from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, run_argument, store_option
from counterfoil.entrypoints.cli.out import check_out, write_report
from counterfoil.entrypoints.cli.papers import paper_of
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.screen import print_paper
from counterfoil.host.host import Finished, finished_run
from counterfoil.ports.ledger import Ledger


@click.command()
@run_argument
@store_option
@click.option("--out", metavar="FILE", help="Also write the report: .md, .html or .json.")
@json_option
def show(run_id: str, as_json: bool, out: str | None, **options: Any) -> int:
    """Show RUN: an id, its beginning, or "last"."""
    path = check_out(out)

    async def use(ledger: Ledger) -> Finished:
        return await finished_run(ledger, (await find_run(ledger, run_id)).run_id)

    paper = paper_of(with_ledger(options, use))
    if path is not None:
        write_report(path, paper)
    if as_json:
        print_json(paper.report)
    else:
        print_paper(paper, str(path) if path else None)
    return 0
