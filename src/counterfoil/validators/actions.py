"""Owns ACTION_CLAIMED, and the warning FORBIDDEN_WORDING: an answer does not say that it bought, booked or sent.

Never: what sources say that others did; quoted words are theirs.
"""

from __future__ import annotations

import re

import msgspec

from counterfoil.core.answer.actions import Said, find_claims, find_wording
from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.answer.quotations import find_quotations
from counterfoil.core.record.state import RunState

_NEEDED = "what the sources say about it; this Run can search, read and publish, and did nothing else"


class Actions(msgspec.Struct, frozen=True):
    """The body without its quotations."""

    name: str = "actions@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each claimed action; one warning for each forbidden action that is worded at all."""
        body = _unquoted(candidate.body)
        found = [_finding("ACTION_CLAIMED", said, candidate.body, _NEEDED) for said in find_claims(body)]
        worded = {said.action: said for said in reversed(list(find_wording(body, state.contract.forbidden)))}
        for action, said in worded.items():
            found.append(_finding("FORBIDDEN_WORDING", said, candidate.body, f"no urging to {action}", warning=True))
        return tuple(found)


def _unquoted(body: str) -> str:
    for quotation in find_quotations(body, 2):
        blank = re.sub(r"[^\n]", " ", body[quotation.start : quotation.end])
        body = body[: quotation.start] + blank + body[quotation.end :]
    return body


def _finding(code: str, said: Said, body: str, needed: str, *, warning: bool = False) -> Finding:
    where = " ".join(body[max(0, said.start - 20) : said.end + 60].split())
    return Finding(code, where, needed, warning, line_of(body, said.start))
