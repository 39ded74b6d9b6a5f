"""Owns ``counterfoil purge``: the content of settled Runs is deleted, and what happened stays provable.

Never: deleting without being told to, or anything of a Run that is not settled.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.clock import SystemClock
from counterfoil.adapters.stores.retention import RETENTION_DAYS
from counterfoil.core.errors import UsageError
from counterfoil.core.record.helpers import parent_of
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, set_option, settings_of, store_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.ports.ledger import Ledger, Purged, RunListing

DAY_MS = 86_400_000
UNSETTLED = ("running", "paused")


@click.command()
@click.argument("run_id", metavar="[RUN]", required=False)
@click.option("--expired", is_flag=True, help=f"Every settled Run that is older than {RETENTION_DAYS}.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@set_option
@store_option
@json_option
def purge(run_id: str | None, expired: bool, yes: bool, as_json: bool, **options: Any) -> int:
    """Delete the question, texts, quotes and answers of RUN and its helpers from the store. This cannot be undone.

    Names of tools, times, counts and hashes stay, so that `verify` still proves the chain. The search index of the
    documents is a cache of its own and is not touched.
    """
    if expired == (run_id is not None):
        raise UsageError("name one Run, or give --expired", code="RUN_MISSING", hint="`counterfoil runs` lists them")
    days = wiring.policy_values(settings_of(options))[RETENTION_DAYS].value or 0

    async def chosen(ledger: Ledger) -> list[str]:
        if run_id is not None:
            return with_helpers([_whole(await find_run(ledger, run_id))], await ledger.runs())
        before = SystemClock().now_ms() - days * DAY_MS
        listed = await ledger.runs()
        whole = (run for run in listed if parent_of(run.run_id) is None and run.status not in UNSETTLED)
        return with_helpers([run for run in whole if run.at < before], listed)

    named = with_ledger(options, chosen)
    if named and not yes:
        _require_consent(named)

    async def delete(ledger: Ledger) -> list[Purged]:
        why = "asked for by the caller" if run_id is not None else f"older than {days:g} days"
        done = [await ledger.purge(run, at=SystemClock().now_ms(), why=why) for run in named]
        await ledger.sweep()
        return done

    purged = with_ledger(options, delete)
    if as_json:
        print_json([msgspec.to_builtins(run) for run in purged])
        return 0
    for run in purged:
        click.echo(f"{run.run_id}: {run.blobs} texts purged, {run.deleted} of them deleted; others share the rest")
    if not purged:
        click.echo("no Run is due")
    return 0


def _whole(run: RunListing) -> RunListing:
    parent = parent_of(run.run_id)
    if parent is not None:
        raise UsageError(
            f"{run.run_id} is a helper of {parent}, which holds what it read and reported",
            code="RUN_IS_HELPER",
            hint=f"purge them together: counterfoil purge {parent}",
        )
    return run


def with_helpers(runs: Sequence[RunListing], listed: Sequence[RunListing]) -> list[str]:
    """The ids of ``runs``, each after its helpers: whoever is stopped half way still finds the parent to go on from."""
    families: dict[str | None, list[str]] = {}
    for run in listed:
        families.setdefault(parent_of(run.run_id), []).append(run.run_id)
    return [name for run in runs for name in (*sorted(families.get(run.run_id, ())), run.run_id)]


def _require_consent(named: list[str]) -> None:
    if not sys.stdin.isatty():
        raise UsageError(
            f"purging {len(named)} Run(s) cannot be undone", code="CONSENT_MISSING", hint="give --yes to do it"
        )
    click.confirm(f"Delete the content of {len(named)} Run(s) for good?", abort=True)
