"""Owns ``counterfoil trace``: the events of a Run as stored, oldest first, one a line.

Never: leaving an event out or adding one.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from counterfoil.adapters.render.plain import one_line
from counterfoil.core.errors import RefusedError
from counterfoil.core.record.events import Event, ModelCallReserved
from counterfoil.entrypoints.cli.compare import compare
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, run_argument, store_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.progress_words import words
from counterfoil.entrypoints.cli.screen import colours
from counterfoil.ports.ledger import Ledger, StoredEvent


@click.command()
@run_argument
@click.option("--compare", "other", metavar="RUN", help="Set another Run beside it, and show where they differ.")
@click.option("--full", is_flag=True, help="With --compare: also what is alike.")
@click.option("--redact", is_flag=True, help="Leave out what pages, models and people said; its digests stay.")
@store_option
@json_option
def trace(run_id: str, other: str | None, full: bool, redact: bool, as_json: bool, **options: Any) -> int:
    """Print the events of RUN, oldest first; --json prints one object a line.

    With --redact a trace can be handed on: what happened, when, at what cost and why, and nothing that was said.
    """
    if other is not None:
        return compare(run_id, other, full=full, as_json=as_json, options=options)
    if full:
        raise click.UsageError("--full goes with --compare")

    async def use(ledger: Ledger) -> Sequence[tuple[StoredEvent, Event | None]]:
        found = (await find_run(ledger, run_id)).run_id
        if redact:
            return [(stored, None) for stored in await ledger.stored(found)]
        try:
            return await ledger.events(found)
        except RefusedError as purged:
            if purged.code != "CONTENT_PURGED":
                raise
            return [(stored, None) for stored in await ledger.stored(found)]

    for stored, event in with_ledger(options, use):
        if as_json:
            print_json(line_of(stored, event), indent=None)
        else:
            said = (words(event) or "") if event is not None else ""
            if isinstance(event, ModelCallReserved) and event.model:
                said = f"{said} ({one_line(event.model)})"
            head = click.style(f"{stored.seq:>5}  {_clock(stored.at)}  {stored.actor:<6}", dim=True)
            click.echo(f"{head}  {one_line(stored.type):<22} {said}".rstrip(), color=colours())
    return 0


def line_of(stored: StoredEvent, event: Event | None) -> dict[str, Any]:
    """An event as a line of ``trace --json``; ``at`` in milliseconds since the epoch.

    Of a purged or redacted Run (``event`` None) content is a reference to what is not shown.
    """
    data = msgspec.json.decode(stored.payload) if event is None else msgspec.to_builtins(event)
    data.pop("type", None)
    return {
        "seq": stored.seq,
        "at": stored.at,
        "actor": stored.actor,
        "type": stored.type,
        "data": data,
        "hash": stored.hash,
    }


def _clock(at_ms: int) -> str:
    return datetime.datetime.fromtimestamp(at_ms / 1000, datetime.UTC).strftime("%H:%M:%S.%f")[:-3]
