"""Owns LINK_BAD: a link in an answer leads to something that this Run has read.

Never: opening a link; the words of a cited passage may hold addresses of their own.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.answer.links import find_links, unusable
from counterfoil.core.evidence.naming import DocumentNames
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import find_marks

NEEDED = "a citation [E...] of what was read there, or the address of a source that was read"


class Links(msgspec.Struct, frozen=True):
    """Links of the body against the sources that were read; a place on the page itself is no source."""

    name: str = "links@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each link that is malformed, unsafe, or to something never read."""
        body = candidate.body
        read = dict.fromkeys(reading.handle for reading in state.readings)
        names = DocumentNames([state.sources[handle].document for handle in read])
        cited = dict.fromkeys(i for mark in find_marks(body) for i in mark.ids)
        quoted = [e.passage.text for i in cited if (e := state.evidence(i)) is not None]
        found: list[Finding] = []
        for link in find_links(body):
            wrong = unusable(link.target)
            known = link.target.startswith("#") or names.exactly(link.target)
            if not wrong and (known or any(link.target in text for text in (*quoted, state.contract.question))):
                continue
            needed = f"{NEEDED}; {wrong}" if wrong else NEEDED
            found.append(Finding("LINK_BAD", body[link.start : link.end], needed, line=line_of(body, link.start)))
        return tuple(found)
