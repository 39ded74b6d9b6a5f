"""Owns what can go wrong in looking for sources: nothing searched, nothing found, the right one not found.

Never: blaming a search for what was found and not read (``reading`` does).
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.record import events as e
from counterfoil.core.record.state import SEARCH_TOOL


def causes(run: Account) -> Iterator[Cause]:
    """Causes in retrieval."""
    searches = [call for call in run.calls(SEARCH_TOOL) if call.status == "settled"]
    if run.state.confirmed and run.state.turns and not searches and not run.state.readings:
        yield Cause(
            "retrieval",
            "NOTHING_SEARCHED",
            "no search was made, so there was nothing to read",
            run.ending(),
            "see why the model made no search: its tools, its prompt, its failed calls",
            2,
        )
    empty = [call for call in searches if not call.content.get("results")]
    if empty and len(empty) == len(searches):
        queries = ", ".join(repr(call.call.args.get("query", "")) for call in empty)
        yield Cause(
            "retrieval",
            "NOTHING_FOUND",
            f"no search found anything: {queries}",
            tuple(seq for call in empty for seq in run.closing(call.call.id)),
            "look whether the corpus holds it, in which words, and whether a row's domains or documents shut it out",
            3,
        )
    if run.gold and searches and not run.gold_sources():
        yield Cause(
            "retrieval",
            "GOLD_NOT_FOUND",
            f"none of {len(searches)} searches found {run.gold!r}",
            tuple(seq for call in searches for seq in run.closing(call.call.id)),
            "try these searches by hand; a vocabulary file teaches the index the words of a field",
            3,
        )
    failed = run.where(e.SourceRegistrationFailed, lambda _: True)
    if failed:
        yield Cause(
            "retrieval",
            "REGISTRATION_FAILED",
            f"{len(failed)} found documents got no handle and could not be read",
            failed,
            "raise web/registry-capacity, or narrow the searches",
            1,
        )
