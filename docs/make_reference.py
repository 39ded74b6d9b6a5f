"""Writes docs/reference/ from the code: every policy, every event, every command.

python docs/make_reference.py          rewrites the pages; a test compares them
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import get_args

import click

from counterfoil import wiring
from counterfoil.core.law.policy import Policy
from counterfoil.core.record.events import Event
from counterfoil.entrypoints.cli.main import cli

FOLDER = Path(__file__).with_name("reference")
WRITTEN = "Written by `make docs`; do not edit.\n"


def policies_page() -> str:
    """Every limit, by owner."""
    lines = [
        "# Policies\n",
        WRITTEN,
        "`counterfoil policies` prints the same with the values of a deployment. An operator sets a limit with",
        "`--set ID=VALUE`, up to its hard maximum; a task file can only narrow, and only what is marked *caller*.",
        "A derived default follows what it derives from. A limit that is *metered* has an entry in",
        "the usage of a Run.\n",
    ]
    policies = sorted(wiring.catalogue().values(), key=lambda policy: policy.owner)
    for owner, owned in groupby(policies, key=lambda policy: policy.owner):
        lines += [
            f"## {owner}\n",
            "| id | default | at most | set by | counts | when it is spent |",
            "|---|---|---|---|---|---|",
        ]
        lines += [_policy_row(policy) for policy in owned]
        lines.append("")
    return "\n".join(lines)


def _policy_row(policy: Policy) -> str:
    default = "off" if policy.default is None else f"{policy.default:,} {policy.unit}"
    if policy.derived:
        formula = policy.derived.formula()
        default = formula if policy.default is None else f"{default}, {formula}"
    highest = "" if policy.hard_maximum is None else f"{policy.hard_maximum:,}"
    counts = policy.counts + (" (metered)" if policy.metered else "")
    after = f"stops {policy.stops}; `{policy.refusal_code}`"
    if policy.consumer != "the Run":
        after += f"; consumed by {policy.consumer}"
    return f"| `{policy.id}` | {default} | {highest} | {policy.settable_by} | {counts} | {after} |"


def events_page() -> str:
    """Every type of event with its fields."""
    lines = [
        "# Events\n",
        WRITTEN,
        "What the ledger of a Run consists of, as `counterfoil trace RUN --json` prints it.\n",
    ]
    for kind in get_args(Event):
        lines += [f"## {kind.__name__}\n", f"{' '.join(inspect.getdoc(kind).split())}\n"]
        if kind.__struct_fields__:
            lines.append(f"Fields: {', '.join(f'`{field}`' for field in kind.__struct_fields__)}\n")
    return "\n".join(lines)


def commands_page() -> str:
    """Every command with its help."""
    context = click.Context(cli, info_name="counterfoil")
    lines = ["# Commands\n", WRITTEN]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if command is not None:
            inner = click.Context(command, info_name=f"counterfoil {name}", terminal_width=100, max_content_width=100)
            lines += [f"## {name}\n", "```", command.get_help(inner), "```", ""]
    return "\n".join(lines)


def pages() -> Iterator[tuple[Path, str]]:
    """Every page with what it must say."""
    for name, text in (("policies", policies_page()), ("events", events_page()), ("commands", commands_page())):
        yield FOLDER / f"{name}.md", text.rstrip() + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for page, text in pages():
        page.write_text(text, "utf-8")
