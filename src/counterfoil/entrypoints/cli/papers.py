"""Owns the way from a finished Run to what commands print: the paper and its exit code.

Never: a second table of exit codes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from counterfoil.adapters.render.paper import PageContext, Paper
from counterfoil.entrypoints.cli.exits import OF_STATUS, PARTIAL, USAGE
from counterfoil.host.report import CONTEXT_CHARS, contexts_of

if TYPE_CHECKING:
    from counterfoil.host.host import Finished


def paper_of(finished: Finished) -> Paper:
    """Everything a renderer needs of a Run."""
    contexts = contexts_of(finished.state, finished.report)
    return Paper(
        report=msgspec.to_builtins(finished.report),
        contexts={cited: page_context(context) for cited, context in contexts.items()},
    )


def page_context(context: dict[str, str]) -> PageContext:
    """A quote in its page, for renderers; a context as long as they may be was cut."""
    before, after = (len(context[side]) >= CONTEXT_CHARS for side in ("before", "after"))
    return PageContext(**context, cut_before=before, cut_after=after)


def exit_code(status: str, error: dict[str, Any] | None) -> int:
    """The exit code of a Run that was asked for; a Run that is not settled is partial."""
    if error and error.get("reason") == "SCRIPT_ERROR":
        return USAGE  # the caller's own script cannot be played
    return OF_STATUS.get(status, PARTIAL)
