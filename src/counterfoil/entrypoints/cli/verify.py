"""Owns ``counterfoil verify``: whether a Run's chain is intact, and still the one a report was printed from.

Never: repairing anything.
"""

from __future__ import annotations

from typing import Any

import click

from counterfoil.adapters.render.plain import one_line
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, run_argument, store_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.ports.ledger import Ledger, Verification

_HEAD_CHARS_MIN = 8


@click.command()
@run_argument
@click.option("--head", metavar="HASH", help="The chain head printed in a report.")
@store_option
@json_option
def verify(run_id: str, head: str | None, as_json: bool, **options: Any) -> int:
    """Prove that the ledger of RUN is unchanged; exit 1 names the first bad event."""
    if head is not None and len(head) < _HEAD_CHARS_MIN:
        raise click.UsageError(f"--head needs at least {_HEAD_CHARS_MIN} characters of the hash")

    async def use(ledger: Ledger) -> Verification:
        return await ledger.verify((await find_run(ledger, run_id)).run_id)

    result = with_ledger(options, use)
    same = None if head is None else result.head.startswith(head)
    intact = result.first_bad is None and same is not False and not result.listing
    if as_json:
        print_json(
            {
                "run_id": result.run_id,
                "intact": intact,
                "events": result.events,
                "head": result.head,
                "first_bad": result.first_bad,
                "why": result.why,
                "head_matches": same,
                "purged_blobs": result.purged,
                "listing": result.listing or None,
            }
        )
    else:
        click.echo("\n".join(_lines(result, same)), err=not intact)
    return 0 if intact else 1


def _lines(result: Verification, same: bool | None) -> list[str]:
    if result.first_bad is not None:
        return [
            f"Run {result.run_id} does not verify: event {result.first_bad} is the first bad one.",
            f"Why: {one_line(result.why)}",
            "Events before it stand. Restore the store from a copy made before it was changed.",
        ]
    lines = [f"Run {result.run_id} is intact: {result.events} events.", f"head {result.head}"]
    if result.purged:
        lines.append(f"Its content was purged: {result.purged} texts are gone, the chain over them holds.")
    if result.listing:
        lines[0] = f"Run {result.run_id} has an intact chain, and its line in the list of Runs is another one."
        lines.append(f"Why: {one_line(result.listing)}")
    if same is False:
        lines[0] = f"Run {result.run_id} has an intact chain, and it is not the one that the head was printed from."
        lines.append("Either the ledger was rewritten, or events were added after the report.")
    return lines
