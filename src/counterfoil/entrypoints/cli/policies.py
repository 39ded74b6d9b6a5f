"""Owns ``counterfoil policies``: every limit with its value, where it came from, and who may set it.

Never: a limit that is not in the catalogue.
"""

from __future__ import annotations

from typing import Any

import click
import msgspec

from counterfoil import wiring
from counterfoil.adapters.render.paper import amount
from counterfoil.core.law.policy import Policy, PolicyValue
from counterfoil.entrypoints.cli.options import json_option, set_option, settings_of, store_option
from counterfoil.entrypoints.cli.papers import print_json
from counterfoil.entrypoints.cli.screen import colours, text_table
from counterfoil.settings import Settings

_HEADER = ("policy", "value", "unit", "at most", "from", "set by", "counts")


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
    rows = [_row(policy, values[policy.id], settings) for policy in catalogue.values()]
    click.echo(text_table(_HEADER, rows, right=(1, 3)), color=colours())
    return 0


def _object(policy: Policy, value: PolicyValue, settings: Settings) -> dict[str, Any]:
    shown = msgspec.to_builtins(policy)
    shown["derived"] = policy.derived.formula() if policy.derived else None
    return {**shown, "value": value.value, "origin": _origin(policy, value, settings)}


def _row(policy: Policy, value: PolicyValue, settings: Settings) -> tuple[str, ...]:
    limit = "off" if value.value is None else amount(value.value)
    highest = "" if policy.hard_maximum is None else amount(policy.hard_maximum)
    origin = _origin(policy, value, settings)
    return (policy.id, limit, policy.unit, highest, origin, policy.settable_by, policy.counts)


def _origin(policy: Policy, value: PolicyValue, settings: Settings) -> str:
    if value.origin == "explicit":
        return settings.origins.get(policy.id, "explicit")
    return f"= {policy.derived.formula()}" if value.origin == "derived" and policy.derived else value.origin
