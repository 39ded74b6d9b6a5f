"""A Run over two small pages whose model plays the lines that a test writes for it."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.cli import Cli, Done

PAGE = "# City North\n\nThe day pass of City North costs $18. It ends at midnight.\n"
QUESTION = "How much does the City North day pass cost?"


def call(tool: str, **args: Any) -> dict[str, Any]:
    """A line that makes one call."""
    return {"calls": [{"tool": tool, "args": args}]}


def play(cli: Cli, *script: dict[str, Any], args: tuple[str, ...] = (), **environ: str) -> Done:
    """Ask the question of a model that plays ``script``."""
    (cli.home / "docs").mkdir(exist_ok=True)
    (cli.home / "docs" / "pass.md").write_text(PAGE)
    (cli.home / "docs" / "other.md").write_text("# Harbour\n\nThe harbour sells a day ticket.\n")
    (cli.home / "script.jsonl").write_text("\n".join(map(json.dumps, script)))
    return cli("ask", QUESTION, "--corpus", "docs", "--model", "script:script.jsonl", "--json", *args, **environ)


def events(cli: Cli, *types: str) -> list[dict[str, Any]]:
    """The events of these types of the newest Run."""
    lines = map(json.loads, cli("trace", "last", "--json").out.splitlines())
    return [event for event in lines if event["type"] in types]
