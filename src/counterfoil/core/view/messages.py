"""Owns how past turns appear to the model: its words, its calls, and exactly what each call returned.

Never: shortening; every call keeps its result, in the order of proposal.
"""

from __future__ import annotations

import hashlib

import msgspec

from counterfoil.core.evidence.passages import Passage
from counterfoil.core.evidence.sources import Reading
from counterfoil.core.exchange import AssistantTurn, Json, Message, ToolResult
from counterfoil.core.record.state import PARALLEL_TOOL, READ_TOOL, Call, RunState, Turn

FENCE_CHARS = 16


def turn_messages(state: RunState, turn: Turn) -> tuple[Message, ...]:
    """The assistant's turn and the result of each of its calls."""
    calls = [state.calls[call_id] for call_id in turn.calls]
    said = AssistantTurn(turn.text, tuple(call.call for call in calls))
    return (said, *(_result(state, call) for call in calls))


def _result(state: RunState, call: Call) -> ToolResult:
    name = call.call.tool
    content = _content(state, call)
    untrusted = any(t.name == name and (t.untrusted or t.gathers_evidence) for t in state.snapshot.tools)
    fence = fence_of(content) if untrusted else ""
    return ToolResult(call.call.id, name, call.status == "settled", content, untrusted, fence)


def fence_of(content: Json) -> str:
    """A word that ``content`` does not hold: made from all of it, so that what stands in it cannot foresee it."""
    text = msgspec.json.encode(content)
    fence = hashlib.sha256(text).hexdigest()[:FENCE_CHARS]
    while fence.encode() in text:
        fence = hashlib.sha256(fence.encode() + text).hexdigest()[:FENCE_CHARS]
    return fence


def _content(state: RunState, call: Call) -> Json:
    """The receipt's content, with the passages of a read in place of the reference to them."""
    if call.status in ("judging", "proposed"):  # as a self-review shows the answer that it is about
        return {"waiting": "nothing was done with it yet"}
    evidence = call.content.get("evidence")
    if call.call.tool == PARALLEL_TOOL and isinstance(evidence, list):
        return {**call.content, "evidence": [_block(state, block) for block in evidence]}
    if call.call.tool != READ_TOOL or not isinstance(evidence, dict):
        return call.content
    reading = state.reading(call.content["handle"], call.content["segment"])
    content = {key: value for key, value in call.content.items() if key != "evidence"}
    return {**content, "passages": passages_shown(reading) if reading else []}


def _block(state: RunState, block: Json) -> Json:
    """A segment that a helper read: where it stands, and its passages."""
    reading = state.reading(block["handle"], block["segment"])
    document = state.sources[block["handle"]].document
    passages = passages_shown(reading) if reading else []
    return {**block, "title": document.title, "url": document.url, "passages": passages}


def passages_shown(reading: Reading) -> list[Json]:
    """Passages as a model sees them, each with its evidence ID."""
    return [_passage(f"E{reading.first + place}", passage) for place, passage in enumerate(reading.segment.passages)]


def _passage(evidence_id: str, passage: Passage) -> Json:
    shown: Json = {"id": evidence_id, "kind": passage.kind, "text": passage.text, "heading": passage.heading}
    if passage.table:
        table = passage.table
        shown["table"] = {
            "title": table.title.text if table.title else None,
            "section": table.section.text if table.section else None,
            "label": table.label.text if table.label else None,
            "cells": [
                {
                    "value": cell.value.text,
                    "header": " ".join(level.text for level in cell.header) or None,
                    "scale": cell.scale.text if cell.scale else None,
                    "multiplier": cell.multiplier,
                    "unit": cell.unit,
                }
                for cell in table.cells
            ],
        }
    return shown
