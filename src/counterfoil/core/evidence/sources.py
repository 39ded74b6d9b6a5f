"""Owns sources and evidence of one Run: handles that really open, passages with IDs.

Never: opening anything; a handle says where a document is, the Host decides whether it may be read.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.evidence.passages import Document, Passage, Segment


class Source(msgspec.Struct, frozen=True):
    """A document that this Run may read. ``handle`` is "S1", "S2", ... and valid in this Run only."""

    handle: str
    document: Document
    call_id: str
    registered_at: int  # milliseconds since the epoch


class Reading(msgspec.Struct, frozen=True):
    """A segment that was read. Its passages carry evidence IDs ``E{first}`` to ``E{first + n - 1}``."""

    handle: str
    segment: Segment
    first: int
    call_id: str
    read_at: int


class Evidence(msgspec.Struct, frozen=True):
    """One passage of a successful read, with where it stands."""

    id: str
    passage: Passage
    source: Source
    segment: int
    page: int | None
    call_id: str


def evidence_number(evidence_id: str) -> int | None:
    """The number in "E7", None when the text is no evidence ID."""
    digits = evidence_id[1:]
    return int(digits) if evidence_id[:1] == "E" and digits.isascii() and digits.isdigit() and len(digits) < 9 else None
