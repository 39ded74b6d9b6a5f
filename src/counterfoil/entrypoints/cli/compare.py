"""Owns ``counterfoil trace RUN --compare OTHER``: two Runs side by side on a terminal, or as JSON.

Never: the events themselves; ``trace`` prints those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from counterfoil.adapters.render.plain import one_line
from counterfoil.core.diagnosis.comparison import Line, compare_runs
from counterfoil.core.record.state import RunState
from counterfoil.entrypoints.cli.lookup import find_run, with_ledger
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.screen import text_table
from counterfoil.host.folding import fold
from counterfoil.ports.ledger import Ledger

_CELL_CHARS = 44


def compare(first: str, second: str, *, full: bool, as_json: bool, options: Mapping[str, Any]) -> int:
    """Print where two Runs differ; ``full`` prints what is alike too."""

    async def use(ledger: Ledger) -> tuple[RunState, RunState]:
        names = [(await find_run(ledger, name)).run_id for name in (first, second)]
        return (await fold(ledger, names[0]))[0], (await fold(ledger, names[1]))[0]

    one, two = with_ledger(options, use)
    lines = [line for line in compare_runs(one, two) if full or not line.same]
    if as_json:
        shown = [{**msgspec.to_builtins(line), "same": line.same} for line in lines]
        print_json({"schema": 1, "first": one.run_id, "second": two.run_id, "lines": shown})
    elif lines:
        rows = [(line.part, *map(_cell, (line.name, line.first, line.second)), _sign(line)) for line in lines]
        click.echo(text_table(("", "", one.run_id, two.run_id, ""), rows))
    else:
        click.echo("the two Runs are alike in everything but their time")
    return 0


def _cell(text: str | None) -> str:
    line = "–" if text is None else one_line(text)
    return line if len(line) <= _CELL_CHARS else line[: _CELL_CHARS - 1] + "…"


def _sign(line: Line) -> str:
    return "=" if line.same else "≠"
