"""Owns when the model is reminded, and of what: after work done, near the end of research, and of a list rewritten.

Never: a reminder for a list that did not change, a status that counts, or an ending.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from counterfoil.core.exchange import TableCell
from counterfoil.core.law import budget as ids
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.decide import left_ms
from counterfoil.core.record.notes import ReminderGiven, ReminderKind
from counterfoil.core.record.state import RunState
from counterfoil.core.view.situation import standing

_PROGRESS = (
    "A stretch of work is done. Look again at the question, at what the evidence shows and at what is open, and choose "
    "the next step by that. Your list of needs is a note: it does not have to be rewritten."
)
_REWRITING = (
    "The list of needs keeps being rewritten while no evidence arrives. A rewritten list is no progress: retrieve or "
    "compute what is missing, or publish what can be said and declare the rest as gaps. This is said once."
)
_FINALIZATION = "Research is about to end:"
_FINISHING = "Publish in time what the evidence carries, and declare the rest as gaps."


def due(state: RunState, now: int) -> tuple[ReminderGiven, ...]:
    """The reminders that a research request made ``now`` (milliseconds) carries."""
    if state.phase is not Phase.RESEARCH:
        return ()
    special = (*_rewriting(state), *_finalization(state, now))
    return special or tuple(_progress(state))


def told(state: RunState, table: Sequence[TableCell]) -> Iterator[tuple[str, str]]:
    """The reminders given since the latest reply, kind and text; an attempt that failed does not use them up."""
    unanswered = sum(1 for _ in takewhile(lambda turn: turn.status != "settled", reversed(state.turns)))
    for reminder in state.reminders:
        if reminder.turns >= len(state.turns) - unanswered:
            yield reminder.kind, _text(reminder.kind, state, table)


def _text(kind: ReminderKind, state: RunState, table: Sequence[TableCell]) -> str:
    if kind == "finalization":
        return "\n".join([_FINALIZATION, *standing(state, table), _FINISHING])
    return _REWRITING if kind == "rewriting" else _PROGRESS


def _given(state: RunState, kind: ReminderKind) -> bool:
    return any(reminder.kind == kind for reminder in state.reminders)


def _rewriting(state: RunState) -> Iterator[ReminderGiven]:
    limit = state.budget.known(ids.NEEDS_REWRITES)
    if limit is not None and state.needs_rewrites >= limit and not _given(state, "rewriting"):
        why = f"the needs were rewritten {state.needs_rewrites} times since evidence arrived"
        yield ReminderGiven("rewriting", why, ids.NEEDS_REWRITES)


def _finalization(state: RunState, now: int) -> Iterator[ReminderGiven]:
    """Once, when steps or time of research run out and no answer is accepted."""
    if state.accepted is not None or _given(state, "finalization"):
        return
    steps, seconds = state.budget.known(ids.NOTICE_STEPS), state.budget.known(ids.NOTICE_SECONDS)
    left = {
        "model requests": (state.budget.left(ids.MODEL_REQUESTS) or 0) - state.budget.require(ids.FINAL_RESERVE),
        "tool calls": state.budget.left(ids.TOOL_CALLS),
    }
    short = next((what for what, n in left.items() if steps is not None and n is not None and n <= steps), None)
    if short is not None:
        yield ReminderGiven("finalization", f"{left[short]:g} {short} are left for research", ids.NOTICE_STEPS)
    elif seconds is not None and (ms := left_ms(state, now, finalizing=False)) <= seconds * 1000:
        yield ReminderGiven("finalization", f"{ms / 1000:.0f} s are left for research", ids.NOTICE_SECONDS)


def _progress(state: RunState) -> Iterator[ReminderGiven]:
    """After so many completed turns or calls since the latest reminder of any kind."""
    turns_max, calls_max = state.budget.known(ids.REMINDER_TURNS), state.budget.known(ids.REMINDER_CALLS)
    since = state.turns[state.reminders[-1].turns if state.reminders else 0 :]
    worked = [turn for turn in since if turn.status == "settled" and turn.calls]
    if turns_max is not None and len(worked) >= turns_max:
        yield ReminderGiven("progress", f"{len(worked)} turns of work without a reminder", ids.REMINDER_TURNS)
        return
    done = sum(state.calls[call].status in ("settled", "failed") for turn in worked for call in turn.calls)
    if calls_max is not None and done >= calls_max:
        yield ReminderGiven("progress", f"{done} calls without a reminder", ids.REMINDER_CALLS)
