"""Owns ``counterfoil policies``: every limit, its value, where that came from, who may set it, what it stops.

Never: a limit that is not in the catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.render.paper import amount
from counterfoil.core.law.policy import Policy, PolicyValue
from counterfoil.entrypoints.cli.options import json_option, set_option, settings_of, store_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.screen import cells, colours, terminal_width, text_table, wrapped
from counterfoil.settings import Settings

_HEADER = ("policy", "value", "unit", "at most", "set by")
_INDENT = "  "


@click.command()
@set_option
@store_option
@json_option
def policies(as_json: bool, **options: Any) -> int:
    """List every limit: its value, its hard maximum, who may set it, what it counts and what it stops."""
    settings = settings_of(options)
    catalogue, values = wiring.catalogue(), wiring.policy_values(settings)
    if as_json:
        print_json([_object(policy, values[policy.id], settings) for policy in catalogue.values()])
        return 0
    listed = [(policy, values[policy.id]) for policy in catalogue.values()]
    rows = [_row(policy, value) for policy, value in listed]
    details = [_details(policy, _origin(policy, value, settings)) for policy, value in listed]
    click.echo("\n".join(_lines(rows, details, terminal_width())), color=colours())
    return 0


def _lines(rows: Sequence[Sequence[str]], details: Sequence[str], most: int) -> list[str]:
    """The table with what each limit counts and stops under its line; no line longer than ``most``."""
    head, *lines = text_table(_HEADER, rows, right=(1, 3)).split("\n")
    if max(cells(line) for line in lines) > most:  # a narrow terminal: every value with its name, wrapped
        head, lines = "", [row[0] for row in rows]
        told = ((f"{name} {value}" for name, value in zip(_HEADER[1:], row[1:], strict=True) if value) for row in rows)
        details = ["; ".join([*parts, detail]) for parts, detail in zip(told, details, strict=True)]
    out = [head] if head else []
    for line, detail in zip(lines, details, strict=True):
        out += [line, click.style(wrapped(detail, most, _INDENT), dim=True)]
    return out


def _details(policy: Policy, origin: str) -> str:
    told = f"from {origin}; counts {policy.counts}; stops {policy.stops}"
    return told if policy.consumer == "the Run" else f"{told}; consumed by {policy.consumer}"


def _object(policy: Policy, value: PolicyValue, settings: Settings) -> dict[str, Any]:
    shown = msgspec.to_builtins(policy)
    shown["derived"] = policy.derived.formula() if policy.derived else None
    return {**shown, "value": value.value, "origin": _origin(policy, value, settings)}


def _row(policy: Policy, value: PolicyValue) -> tuple[str, ...]:
    limit = "off" if value.value is None else amount(value.value)
    highest = "" if policy.hard_maximum is None else amount(policy.hard_maximum)
    return (policy.id, limit, policy.unit, highest, policy.settable_by)


def _origin(policy: Policy, value: PolicyValue, settings: Settings) -> str:
    if value.origin == "explicit":
        return settings.origins.get(policy.id, "explicit")
    return f"= {policy.derived.formula()}" if value.origin == "derived" and policy.derived else value.origin
