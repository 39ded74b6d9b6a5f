"""Owns finding a Run by what a person types: its id, the beginning of it, or "last".

Never: guessing between two Runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from counterfoil import wiring
from counterfoil.core.errors import NotFoundError, UsageError
from counterfoil.core.record.helpers import parent_of
from counterfoil.entrypoints.cli.options import settings_of
from counterfoil.ports.ledger import Ledger, RunListing

LAST = "last"
_NAMED_MAX = 3
_Found = TypeVar("_Found")


def with_ledger(options: Mapping[str, Any], use: Callable[[Ledger], Awaitable[_Found]]) -> _Found:
    """Open the ledger that the options name, use it, close it."""

    async def work() -> _Found:
        ledger = wiring.open_ledger(settings_of(options))
        try:
            return await use(ledger)
        finally:
            await ledger.close()

    return asyncio.run(work())


async def find_run(ledger: Ledger, text: str) -> RunListing:
    """The Run that ``text`` names.

    Raises:
        NotFoundError: no Run begins so.
        UsageError: several do.
    """
    listed = await ledger.runs()
    whole = [run for run in listed if parent_of(run.run_id) is None]
    runs = listed if "/" in text else whole  # a helper is named in full, through its parent
    if not runs:
        raise NotFoundError(
            "there are no Runs yet", code="RUN_UNKNOWN", hint='ask something: counterfoil ask "…" --corpus PATH'
        )
    if text == LAST:
        return runs[0]
    found = [run for run in runs if run.run_id == text] or [run for run in runs if text and run.run_id.startswith(text)]
    if not found:
        raise NotFoundError(f"there is no Run {text!r}", code="RUN_UNKNOWN", hint="`counterfoil runs` lists them")
    if len(found) > 1:
        named = ", ".join(run.run_id for run in found[:_NAMED_MAX])
        raise UsageError(
            f"{text!r} is the beginning of {len(found)} Runs: {named}",
            code="RUN_AMBIGUOUS",
            hint="write more of the id",
        )
    return found[0]
