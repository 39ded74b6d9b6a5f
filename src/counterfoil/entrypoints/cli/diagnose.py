"""Owns ``counterfoil diagnose``: what went wrong in a Run, at which stage, and the events that show it.

Never: a verdict that names no event.
"""

from __future__ import annotations

from typing import Any

import click
import msgspec

from counterfoil.adapters.render.plain import one_line
from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.diagnosis.diagnose import diagnose as causes_of
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.options import json_option, require_text, run_argument, store_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.screen import colours, terminal_width, wrapped
from counterfoil.host.folding import fold
from counterfoil.ports.ledger import Ledger

_WEIGHT = {3: "explains it", 2: "contributes", 1: "worth knowing"}
SCHEMA = 1


@click.command()
@run_argument
@click.option("--expected", metavar="TEXT", help="The right answer, where you know it: 1,577 or a name.")
@click.option("--source", metavar="TEXT", help="The source that has it: words of its file name, title or address.")
@store_option
@json_option
def diagnose(run_id: str, expected: str | None, source: str | None, as_json: bool, **options: Any) -> int:
    """Localise what went wrong in RUN, from its ledger alone: the stage, why, and the events that show it.

    Without --expected and --source the rules find what a ledger shows by itself; with them they also find a right
    source left unread and a right value left out.
    """
    for text, name in ((expected, "--expected"), (source, "--source")):
        require_text(text or "", name)

    async def use(ledger: Ledger) -> Account:
        found = (await find_run(ledger, run_id)).run_id
        state, _last = await fold(ledger, found)
        events = [(stored.seq, event) for stored, event in await ledger.events(found)]
        return Account(state, events, (expected or "").strip() or None, (source or "").strip() or None)

    run = with_ledger(options, use)
    diagnosis = causes_of(run)
    if as_json:
        causes = msgspec.to_builtins(diagnosis.causes)
        verdict = {"stage": diagnosis.verdict.stage, "code": diagnosis.verdict.code} if diagnosis.verdict else None
        named = {"run_id": diagnosis.run_id, "status": diagnosis.status, "stop_reason": diagnosis.stop_reason}
        print_json({"schema": SCHEMA, **named, "verdict": verdict, "causes": causes})
        return 0
    ended = f" ({diagnosis.stop_reason.replace('_', ' ')})" if diagnosis.stop_reason else ""
    click.echo(f"Run {diagnosis.run_id}: {diagnosis.status.replace('_', ' ')}{ended}")
    if not diagnosis.causes:
        click.echo(
            "\nNothing in its ledger explains a bad answer. If it is one, say what is right: --expected, --source."
        )
    for cause in diagnosis.causes:
        click.echo(_shown(cause), color=colours())
    return 0


def _shown(cause: Cause) -> str:
    head = click.style(f"{cause.stage}: {cause.code}", bold=True)
    events = ", ".join(map(str, cause.events)) or "none"
    width = terminal_width()
    return "\n".join(
        (
            f"\n{head}  {click.style(_WEIGHT[cause.weight], dim=True)}",
            wrapped(one_line(cause.why), width, "  ", "  "),
            click.style(wrapped(f"events {events}", width, "  ", "  "), dim=True),
            wrapped(f"→ {one_line(cause.remedy)}", width, "    ", "  "),
        )
    )
