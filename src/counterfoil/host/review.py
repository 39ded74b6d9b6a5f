"""Owns the doing of reviews: a candidate taken back by its author, and the verdict on the accepted answer.

Never: asking (the performer does), or a change to what is delivered, finished or found.
"""

from __future__ import annotations

from counterfoil.core.answer.reviewing import Opinion, read_opinion, unmet
from counterfoil.core.record import commands as c
from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.core.record.measured import measured
from counterfoil.core.record.review_steps import reviewer_turn
from counterfoil.core.record.state import RunState
from counterfoil.host.journal import Journal

WITHDRAWN = "PUBLICATION_WITHDRAWN"
_HINT = "publish again when the work is done; that answer is checked as it is"


def withdraw(journal: Journal, command: c.WithdrawPublication) -> None:
    """Take the candidate back, and close what its reply had asked for behind it."""
    state = journal.state
    call_id = next(p.call_id for p in state.publications if p.candidate.id == command.publication)
    behind = [call for call in state.open_calls if state.calls[call].request == state.calls[call_id].request]
    why = f"you went on working when you had looked at {command.publication}; it was taken back unchecked"
    journal.record(r.PublicationWithdrawn(command.publication, command.request))
    journal.record(e.ToolCallFailed(call_id, WITHDRAWN, "", why, _HINT))
    for call in behind:
        if call != call_id:
            journal.record(e.ToolCallRefused(call, WITHDRAWN, why, hint=_HINT))


def review_of(state: RunState) -> r.ReviewSettled:
    """The verdict: the reviewer's word where it gave one, a failure where a count is not met, else inconclusive."""
    asked, accepted = state.reviewing, state.accepted
    if asked is None or accepted is None:
        raise ValueError("there is no review to settle")
    counted = measured(accepted.candidate, state)
    opinion, missing = _opinion(state, asked)
    if opinion is None:
        return r.ReviewSettled(asked.publication, "inconclusive", None, (missing,), counted)
    short = unmet(counted)
    passed = opinion.verdict == "pass" and not short
    why = (*short, *opinion.why)
    return r.ReviewSettled(asked.publication, "passed" if passed else "failed", opinion.verdict, why, counted)


def _opinion(state: RunState, asked: r.ReviewerAsked) -> tuple[Opinion | None, str]:
    """The reviewer's opinion, or None and why there is none."""
    if asked.refused:
        return None, f"{asked.refused} left nothing for the reviewer's request"
    turn = reviewer_turn(state)
    if turn is None or turn.status == "unknown":
        return None, "the process ended before the reviewer's reply came"
    if turn.status != "settled":
        return None, f"the reviewer's request failed: {turn.category}: {turn.why}"
    return read_opinion(turn.text)
