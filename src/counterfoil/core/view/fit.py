"""Owns input fitting: a view that is too large shows older results as digests, then a note for whole older turns.

It is fitted in steps, with room left, so that the beginning of a view stays the same for some turns.
Never: touching the question, the contract, the table, or one half of a call and its result; cutting a text; deleting
anything on the ledger.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

import msgspec
from msgspec.structs import replace

from counterfoil.core.exchange import ToolResult, View
from counterfoil.core.view.digest import Steps, digest_of, note_of, step_of
from counterfoil.core.view.size import json_bytes, view_bytes
from counterfoil.core.view.transcript import Transcript, turn_starts

ROOM_PERCENT = 75  # what a step fits a view into, of its limit: the rest is room for the turns until the next step
LAST_TURNS = 2  # what the model is working on: left whole as long as anything older can make room


class Fitted(msgspec.Struct, frozen=True):
    """A view within its limit. ``dropped``: calls that this fitting shows as digests or not at all, in order.

    ``summed_up``: of how many of the oldest turns a note stands in the view.
    """

    view: View
    size_bytes: int
    dropped: tuple[str, ...] = ()
    summed_up: int = 0


def fit_view(
    view: View, bytes_max: int, past: Transcript | None = None, size_bytes: int | None = None
) -> Fitted | None:
    """``view`` within ``bytes_max``; None when it is larger even as short as it gets.

    ``past``: the turns that it begins with, and how they were fitted before. ``size_bytes``: its size, where known.
    """
    past = past or Transcript()
    size = view_bytes(view) if size_bytes is None else size_bytes
    if size <= bytes_max:
        return Fitted(view, size, (), past.summed_up.turns)
    fitting = _Fitting(view, past, size)
    turns, room = len(fitting.turns), bytes_max * ROOM_PERCENT // 100
    older = max(0, turns - LAST_TURNS)
    fitting.shorten(range(older), room)
    fitting.sum_up(older, room)
    fitting.shorten(range(older, turns), bytes_max)
    fitting.sum_up(turns - 1, bytes_max)
    return fitting.done() if fitting.size <= bytes_max else None


class _Fitting:
    """A view while it is made smaller: its turns, each as the messages that belong together."""

    def __init__(self, view: View, past: Transcript, size: int) -> None:
        noted = bool(past.summed_up.turns)
        note, messages = view.messages[:noted], view.messages[noted:]
        starts = [0, *turn_starts(messages)[1:]]
        self.turns = [list(messages[start:end]) for start, end in zip(starts, [*starts[1:], None], strict=True)]
        self._sizes = [[json_bytes(message) + 1 for message in turn] for turn in self.turns]  # each with its comma
        self._view, self._past = view, past
        steps = (*past.steps, *map(step_of, self.turns[len(past.steps) :]))
        self._steps = list(accumulate(steps, Steps.then, initial=past.summed_up))  # of the first 0, 1, 2, … turns here
        self._sum = 0  # turns summed up beside those that were before
        self._dropped: list[str] = []
        self._pinned = size - sum(json_bytes(message) + 1 for message in note) - sum(map(sum, self._sizes))

    @property
    def size(self) -> int:
        """Bytes of the view as it is now."""
        return self._size_with(self._sum)

    def shorten(self, turns: range, size_max: int) -> None:
        """Show results of ``turns`` as digests, oldest first, until the view is within ``size_max``."""
        size, known = self.size, set(self._past.dropped)
        for turn in turns[max(0, self._sum - turns.start) :]:
            for place, message in enumerate(self.turns[turn]):
                if size <= size_max:
                    return
                if isinstance(message, ToolResult) and message.ok and message.call_id not in known:
                    short = replace(message, content=digest_of(message.content))
                    saved = self._sizes[turn][place] - json_bytes(short) - 1
                    if saved > 0:
                        self.turns[turn][place] = short
                        self._sizes[turn][place] -= saved
                        self._dropped.append(message.call_id)
                        size -= saved

    def sum_up(self, turns_max: int, size_max: int) -> None:
        """Let a note stand for the oldest turns, for as few of them as bring the view within ``size_max``."""
        choices = range(self._sum, turns_max)
        self._sum += bisect_left(choices, True, key=lambda turns: self._size_with(turns) <= size_max)

    def _size_with(self, summed_up: int) -> int:
        steps = self._steps[summed_up]
        note = json_bytes(note_of(steps)) + 1 if steps.turns else 0
        return self._pinned + note + sum(map(sum, self._sizes[summed_up:]))

    def done(self) -> Fitted:
        """The view as it is now, with what it left out."""
        rest = (message for turn in self.turns[self._sum :] for message in turn)
        steps, known = self._steps[self._sum], {*self._past.dropped, *self._dropped}
        messages = (note_of(steps), *rest) if steps.turns else tuple(rest)
        gone = (message for turn in self.turns[: self._sum] for message in turn if isinstance(message, ToolResult))
        hidden = [result.call_id for result in gone if result.call_id not in known]
        return Fitted(replace(self._view, messages=messages), self.size, (*self._dropped, *hidden), steps.turns)
