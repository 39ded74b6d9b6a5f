"""Owns ``counterfoil resume``: a Run that was paused or interrupted goes on from its receipts.

Never: options that would widen what was admitted; model, documents and limits are in the Run's own snapshot.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from counterfoil import wiring
from counterfoil.adapters.render.plain import one_line
from counterfoil.core.errors import CounterfoilError, UsageError
from counterfoil.core.record.attempts import chain_of
from counterfoil.core.record.state import RunState
from counterfoil.entrypoints.cli.conduct import host_work, show_finished
from counterfoil.entrypoints.cli.indexing import index_corpus
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, set_option, settings_of, store_option
from counterfoil.entrypoints.cli.out import check_out
from counterfoil.entrypoints.cli.papers import exit_code
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.progress import progress_for
from counterfoil.entrypoints.intake import path_of
from counterfoil.host.host import Finished, finished_run
from counterfoil.host.recovery import require_own
from counterfoil.ports.ledger import Ledger

UNSETTLED = ("running", "paused")


@click.command()
@click.argument("run_id", metavar="[RUN]", required=False)
@click.option("--all", "everything", is_flag=True, help="Go on with every Run that is not settled.")
@set_option
@store_option
@click.option("--out", metavar="FILE", help="Also write the report: .md, .html or .json.")
@json_option
@click.option("--quiet", is_flag=True, help="No progress.")
def resume(run_id: str | None, everything: bool, as_json: bool, **options: Any) -> int:
    """Go on with RUN from its ledger: nothing that has a receipt is done or paid again.

    Lower limits than admitted narrow the Run; higher ones are refused.
    """
    if everything == (run_id is not None):
        raise UsageError("name one Run, or give --all", code="RUN_MISSING", hint="`counterfoil runs` lists them")
    if run_id is None:
        return _resume_all(as_json, options)
    out = check_out(options.get("out"))
    return show_finished(_resumed(run_id, options), out, as_json=as_json)


def _resume_all(as_json: bool, options: Mapping[str, Any]) -> int:
    """Resume one after the other; a Run that cannot go on is told and the next one has its turn."""
    if options.get("out"):
        raise UsageError("--out takes the report of one Run", code="OUT_FOR_MANY", hint="leave it out, or name a Run")

    async def unsettled(ledger: Ledger) -> list[str]:
        return [run.run_id for run in reversed(await ledger.runs()) if run.status in UNSETTLED]

    reports: list[dict[str, Any]] = []
    codes = [0]
    for run_id in with_ledger(options, unsettled):
        try:
            finished = _resumed(run_id, options)
        except CounterfoilError as error:
            if error.code == "RUN_METERED":
                continue  # it waits for the other program, not for this command
            codes.append(error.exit_code)
            told = {"code": error.category, "policy": error.policy, "message": error.message, "hint": error.hint}
            reports.append({"run_id": run_id, "error": told})
            click.echo(f"{run_id}: {one_line(error.message)}", err=True)
            continue
        report = msgspec.to_builtins(finished.report)
        reports.append(report)
        codes.append(exit_code(report["status"], report["error"]))
        if not as_json:
            click.echo(f"{run_id}: {report['status'].replace('_', ' ')}")
    if as_json:
        print_json(reports)
    elif not reports:
        click.echo("every Run is settled")
    return max(codes)


def _resumed(named: str, options: Mapping[str, Any]) -> Finished:
    async def look(ledger: Ledger) -> RunState:
        return (await finished_run(ledger, (await find_run(ledger, named)).run_id)).state

    state = with_ledger(options, look)
    if not state.settled:
        require_own(state)
    model, *fallbacks = chain_of(state.snapshot)
    reviewer = state.snapshot.reviews.reviewer
    settings = replace(
        settings_of(options),
        model=model,
        fallbacks=tuple(fallbacks),
        reviewer=reviewer.spec if reviewer else None,
    )
    inputs = state.snapshot.inputs
    corpus_paths, snapshots = (tuple(path_of(p) for p in inputs.get(kind, ())) for kind in ("corpus", "snapshot"))
    demanded = frozenset(policy for policy, origin in settings.origins.items() if origin == "flag")
    progress = progress_for(quiet=bool(options.get("quiet")))
    try:
        words = wiring.vocabulary(settings)
        admitted = wiring.as_admitted(settings, state)
        corpus, _ = index_corpus(admitted, corpus_paths, snapshots, words, progress)
        work = host_work(
            settings,
            corpus,
            words,
            progress,
            lambda host, pause: host.resume(
                state.run_id,
                progress.event,
                pause=pause,
                configured=settings.policies,
                demanded=demanded & settings.policies.keys(),
            ),
            wiring.played(state),
        )
        with closing(corpus):
            return asyncio.run(work)
    finally:
        progress.pause()
