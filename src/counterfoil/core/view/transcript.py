"""Owns the past turns of a Run as messages, made once each: a turn whose calls are closed never changes.

What a request left out to fit stays left out of later ones, so that views begin alike from turn to turn.
Never: a turn that still waits for a receipt; a request is only made when there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import msgspec
from msgspec.structs import replace

from counterfoil.core.exchange import AssistantTurn, Message, ToolResult, View
from counterfoil.core.record.review_steps import spoken
from counterfoil.core.record.state import RunState
from counterfoil.core.view.digest import Steps, digest_of, note_of, step_of
from counterfoil.core.view.messages import turn_messages
from counterfoil.core.view.size import json_bytes, view_bytes


class Transcript(msgspec.Struct, frozen=True):
    """Messages of the first ``turns`` turns, as the latest request showed them and what came since.

    ``size_bytes``: of their JSON, without what stands between them. ``summed_up``: the oldest turns with a reply, for
    which a note stands before the messages of the others; of those ``steps`` holds one each. ``dropped``: calls whose
    results are digests, or in turns that the note stands for.
    """

    turns: int = 0
    messages: tuple[Message, ...] = ()
    size_bytes: int = 0
    steps: tuple[Steps, ...] = ()
    summed_up: Steps = Steps()
    dropped: tuple[str, ...] = ()


def continued(past: Transcript, state: RunState) -> Transcript:
    """``past`` with the turns that came since, fitted as the latest request was."""
    fresh: list[Message] = []
    steps: list[Steps] = []
    for turn in state.turns[past.turns :]:
        if spoken(turn):
            said = turn_messages(state, turn)
            fresh.extend(said)
            steps.append(step_of(said))
    size_bytes = past.size_bytes + sum(map(json_bytes, fresh))
    whole = Transcript(
        len(state.turns),
        (*past.messages, *fresh),
        size_bytes,
        (*past.steps, *steps),
        past.summed_up,
        past.dropped,
    )
    last = state.turns[-1] if state.turns else None
    if last is None or (last.summed_up, last.dropped) == (past.summed_up.turns, past.dropped):
        return whole
    return _fitted(whole, last.summed_up, last.dropped)


def _fitted(whole: Transcript, summed_up: int, dropped: tuple[str, ...]) -> Transcript:
    """``whole`` with those results as digests, and a note for so many of the oldest turns."""
    fresh, more = frozenset(dropped) - frozenset(whole.dropped), summed_up - whole.summed_up.turns
    rest = whole.messages[bool(whole.summed_up.turns) :]
    rest = rest[[*turn_starts(rest), len(rest)][more] :] if more else rest
    shown = tuple(_shortened(message) if _among(message, fresh) else message for message in rest)
    steps = reduce(Steps.then, whole.steps[:more], whole.summed_up)
    if steps.turns:
        shown = (note_of(steps), *shown)
    size_bytes = sum(map(json_bytes, shown))
    return Transcript(whole.turns, shown, size_bytes, whole.steps[more:], steps, dropped)


def turn_starts(messages: Sequence[Message]) -> list[int]:
    """Where each turn begins among ``messages``."""
    return [place for place, message in enumerate(messages) if isinstance(message, AssistantTurn)]


def _among(message: Message, calls: frozenset[str]) -> bool:
    return isinstance(message, ToolResult) and message.ok and message.call_id in calls


def _shortened(message: Message) -> Message:
    return replace(message, content=digest_of(message.content)) if isinstance(message, ToolResult) else message


def shown_bytes(view: View, past: Transcript) -> int:
    """``view_bytes`` of a view that begins with the messages of ``past``, without encoding those again."""
    rest = view.messages[len(past.messages) :]
    commas = len(past.messages) - (not rest) if past.messages else 0
    return view_bytes(replace(view, messages=rest)) + past.size_bytes + commas
