"""Owns EMPTY_ANSWER: a Publication that says nothing and declares no gap.

Never: judging how much is enough.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import without_marks


class EmptyAnswer(msgspec.Struct, frozen=True):
    """A body without a word; a body of declared gaps alone is an answer."""

    name: str = "empty_answer@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One EMPTY_ANSWER finding, or none."""
        if candidate.gaps or any(c.isalnum() for c in without_marks(candidate.body)):
            return ()
        return (Finding("EMPTY_ANSWER", candidate.body.strip(), "a sentence that answers, or a declared gap"),)
