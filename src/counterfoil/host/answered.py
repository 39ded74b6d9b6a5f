"""Owns what a report says of the models behind a Run: who answered which request, and what a provider refused.

Never: anything of a Run with one model that did not fail; its reader has nothing to be told.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.exchange import Json
from counterfoil.core.record.attempts import chain_of
from counterfoil.core.record.state import RunState, Turn


def by_model(state: RunState) -> dict[str, Json]:
    """For each model of a chain: how many requests went to it, and which of them it answered."""
    specs = chain_of(state.snapshot)
    asked: dict[str, list[Turn]] = {spec: [] for spec in specs}
    for turn in state.turns:
        if turn.purpose == "reviewer":  # who reviews stands beside the chain
            continue
        asked[turn.model or specs[0]].append(turn)
    return {
        spec: {"requests": len(turns), "answered": [turn.request for turn in turns if turn.status == "settled"]}
        for spec, turns in asked.items()
    }


def author_of(state: RunState) -> tuple[str, str]:
    """Who wrote the accepted answer, as (spec, label); the model that was admitted first where none was accepted."""
    labels = {model.spec: model.label for model in state.snapshot.fallbacks}
    if labels and (accepted := state.accepted) is not None:
        request = state.calls[accepted.call_id].request
        model = next((turn.model for turn in state.turns if turn.request == request), "")
        if model in labels:
            return model, labels[model]
    return state.snapshot.model, state.snapshot.model_label


def model_warnings(state: RunState) -> Iterator[Json]:
    """What the reader should know: an answer of another model than the one asked first, and refusals of content."""
    labels = {model.spec: model.label for model in state.snapshot.fallbacks}
    before: Turn | None = None
    for turn in state.turns:
        if turn.purpose == "reviewer":
            continue
        if before and before.status == "failed" and before.model != turn.model:
            why = f"{before.category}: {before.why}" if before.why else before.category
            said = (
                f"from {turn.request} on {turn.model} ({labels[turn.model]}) was asked, because {before.model} failed"
            )
            yield {"code": "FALLBACK_ASKED", "handle": None, "excerpt": f"{said}: {why}"}
        before = turn
    for turn in state.turns:
        if turn.category == "content_refused":
            said = f"{turn.model or state.snapshot.model} refused {turn.request}: {turn.why}"
            yield {"code": "CONTENT_REFUSED", "handle": None, "excerpt": said}
