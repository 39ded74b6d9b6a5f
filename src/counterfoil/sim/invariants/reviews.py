"""Owns what must hold of reviews: one look at a first answer, where it is due; a reviewer that changes nothing.

Never: the Host's own conditions as a witness; calls and requests are counted again from the events.
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.sim.history import History
from counterfoil.sim.tally import REQUESTS, RESERVE

OWN = frozenset({"publish_answer", "finish_research"})


def one_self_review_where_it_is_due(history: History) -> Iterator[str]:
    """A Run looks at its first answer once, in research, after four calls, with three requests left (QC-04)."""
    for record, event in history.of(r.SelfReviewAsked):
        before = record.before
        asked = [past for past in history.records if isinstance(past.event, r.SelfReviewAsked)]
        if len(asked) > 1:
            yield f"{event.publication} is looked at, and one was before"
        if list(before.candidates) != [event.publication] or before.candidates[event.publication].status != "proposed":
            yield f"{event.publication} is looked at, of {list(before.candidates)}"
        made = [c for c in before.calls.values() if c.status not in ("proposed", "refused") and c.tool not in OWN]
        left = before.limit(REQUESTS) - before.limit(RESERVE) - before.used.get(REQUESTS, 0)
        if before.phase != "research" or len(made) < 4 or left < 3:
            yield f"a look in {before.phase} after {len(made)} calls with {left} requests left"
    reviews = history.tally.purposes.get("self_review", 0)
    if reviews > 1:
        yield f"{reviews} requests for a self-review"


def what_is_taken_back_was_looked_at(history: History) -> Iterator[str]:
    """Only an answer that waits and was looked at is taken back, and never one that was judged (QC-04, TSK-09)."""
    for record, event in history.of(r.PublicationWithdrawn):
        asked = [p.event.publication for p in history.records if isinstance(p.event, r.SelfReviewAsked)]
        if asked != [event.publication] or record.before.candidates[event.publication].status != "proposed":
            yield f"{event.publication} was taken back, looked at were {asked}"


def a_review_changes_nothing(history: History) -> Iterator[str]:
    """From a reviewer's request on nothing but its verdict and the ending announced happens (TSK-09, QC-06)."""
    asked = next((p for p in history.records if isinstance(p.event, r.ReviewerAsked)), None)
    if asked is None or not isinstance(asked.event, r.ReviewerAsked):
        return
    accepted = (asked.before.accepted, asked.before.delivered, asked.before.finished, asked.before.no_answer)
    tally = history.tally
    if (tally.accepted, tally.delivered, tally.finished, tally.no_answer) != accepted or tally.accepted is None:
        yield f"after a review {tally.accepted} is the answer, it was {accepted[0]}"
    for record, event in history.of(e.RunSettled):
        due = (asked.event.reason, asked.event.policy)
        if not record.before.cancelled and (event.stop_reason, event.policy) != due:
            yield f"settled as {event.stop_reason} ({event.policy}), before the review it was {due}"
        if event.review == "not_run":
            yield "a reviewer was asked, and the ending says that none was"
    if sum(isinstance(p.event, r.ReviewerAsked) for p in history.records) > 1:
        yield "a reviewer was asked twice"


INVARIANTS = (one_self_review_where_it_is_due, what_is_taken_back_was_looked_at, a_review_changes_nothing)
