"""Owns the events of reviews: the author's own look at a first answer, and a reviewer's verdict on the accepted one.

Never: a say in what is delivered, finished or found; a review is a fact of a Run beside those.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterfoil.core.answer.counting import Count
from counterfoil.core.record.content import Content
from counterfoil.core.record.outcome import Review, StopReason

Verdict = Literal["pass", "fail"]


class SelfReviewAsked(msgspec.Struct, frozen=True, tag=True):
    """The author is asked to look at ``publication`` before it is judged; that happens once in a Run."""

    publication: str


class PublicationWithdrawn(msgspec.Struct, frozen=True, tag=True):
    """The author went on working when it had looked at the candidate, which is never judged. Its debit stands."""

    publication: str
    request: str  # in which it looked


class ReviewerAsked(msgspec.Struct, frozen=True, tag=True):
    """A reviewer is to look at the accepted Publication. The Run ends for ``reason`` whatever comes of it.

    ``refused``: the policy that leaves nothing for the request, which then is not made.
    """

    publication: str
    reason: StopReason
    policy: str | None = None
    refused: str | None = None


class ReviewSettled(msgspec.Struct, frozen=True, tag=True):
    """What came of the review. ``said`` is the reviewer's own word, ``measured`` what code counted; counts overrule."""

    publication: str
    verdict: Review
    said: Verdict | None = None
    why: Content[tuple[str, ...]] = ()
    measured: Content[tuple[Count, ...]] = ()


ReviewEvent = SelfReviewAsked | PublicationWithdrawn | ReviewerAsked | ReviewSettled
