"""Owns the past turns of a Run as messages, made once each: a turn whose calls are closed never changes.

Never: a turn that still waits for a receipt; a request is only made when there is none.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from counterfoil.core.exchange import Message, View
from counterfoil.core.record.state import RunState
from counterfoil.core.view.fit import json_bytes, view_bytes
from counterfoil.core.view.messages import turn_messages


class Transcript(msgspec.Struct, frozen=True):
    """Messages of the first ``turns`` turns. ``size_bytes``: of their JSON, without what stands between them."""

    turns: int = 0
    messages: tuple[Message, ...] = ()
    size_bytes: int = 0


def continued(past: Transcript, state: RunState) -> Transcript:
    """``past`` with the turns that came since."""
    fresh: list[Message] = []
    for turn in state.turns[past.turns :]:
        if turn.purpose != "entry" and turn.status == "settled":
            fresh.extend(turn_messages(state, turn))
    size_bytes = past.size_bytes + sum(map(json_bytes, fresh))
    return Transcript(len(state.turns), (*past.messages, *fresh), size_bytes)


def shown_bytes(view: View, past: Transcript) -> int:
    """``view_bytes`` of a view that begins with the messages of ``past``, without encoding those again."""
    rest = view.messages[len(past.messages) :]
    commas = len(past.messages) - (not rest) if past.messages else 0
    return view_bytes(replace(view, messages=rest)) + past.size_bytes + commas
