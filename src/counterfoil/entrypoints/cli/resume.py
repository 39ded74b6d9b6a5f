"""Owns ``counterfoil resume``: a Run that was interrupted goes on from its receipts.

Never: options that would change what was admitted; model, documents and limits are in the Run's own snapshot.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import Any

import click
from msgspec.structs import replace

from counterfoil import wiring
from counterfoil.core.record.state import RunState
from counterfoil.entrypoints.cli.conduct import host_work, path_of, show_finished
from counterfoil.entrypoints.cli.indexing import index_corpus
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, run_argument, settings_of, store_option
from counterfoil.entrypoints.cli.out import check_out
from counterfoil.entrypoints.cli.progress import progress_for
from counterfoil.host.host import finished_run
from counterfoil.ports.ledger import Ledger


@click.command()
@run_argument
@store_option
@click.option("--out", metavar="FILE", help="Also write the report: .md, .html or .json.")
@json_option
@click.option("--quiet", is_flag=True, help="No progress.")
def resume(run_id: str, as_json: bool, quiet: bool, **options: Any) -> int:
    """Go on with RUN from its ledger: nothing that has a receipt is done or paid again."""
    out = check_out(options.get("out"))

    async def look(ledger: Ledger) -> RunState:
        return (await finished_run(ledger, (await find_run(ledger, run_id)).run_id)).state

    state = with_ledger(options, look)
    settings = replace(settings_of(options), model=state.snapshot.model)
    inputs = state.snapshot.inputs
    corpus_paths, snapshots = (tuple(path_of(p) for p in inputs.get(kind, ())) for kind in ("corpus", "snapshot"))
    progress = progress_for(quiet=quiet)
    try:
        words = wiring.vocabulary(settings)
        corpus, _ = index_corpus(settings, corpus_paths, snapshots, words, progress)
        work = host_work(
            settings, corpus, words, lambda host: host.resume(state.run_id, progress.event), wiring.played(state)
        )
        with closing(corpus):
            finished = asyncio.run(work)
    finally:
        progress.pause()
    return show_finished(finished, out, as_json=as_json)
