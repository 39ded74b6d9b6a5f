"""Owns the things that a tally counts one by one: requests, calls, readings, candidates.

Never: a sum; ``tally`` adds them up.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate

Number = int | float


class Request(msgspec.Struct, frozen=True):
    """A model request: what it offered, and what became of it."""

    purpose: str
    offered: tuple[str, ...]
    dropped: tuple[str, ...]
    worst: dict[str, Number] = {}
    status: str = "reserved"
    silent: bool = False
    wait_ms: int | None = None  # of a failure
    category: str = ""  # of a failure
    policy: str | None = None  # of a failure
    ended_at: int = 0
    model: str = ""


class CallTally(msgspec.Struct, frozen=True):
    """A tool call: which request asked for it, how often its effect was reserved and lost."""

    tool: str
    request: str
    status: str = "proposed"
    reservations: int = 0
    unknowns: int = 0


class ReadTally(msgspec.Struct, frozen=True):
    """A segment that was read: evidence ``first`` to ``first + count - 1``."""

    handle: str
    segment: int
    first: int
    count: int
    call_id: str
    text: str


class Judged(msgspec.Struct, frozen=True):
    """A candidate and its judgement."""

    candidate: Candidate
    phase: str
    status: str = "proposed"


class HelperTally(msgspec.Struct, frozen=True):
    """A part of a split, as its parent recorded it."""

    call_id: str
    carve: dict[str, Number] = {}
    status: str = ""  # as the parent was told
    ends: int = 0  # how often it was
    returns: int = 0  # how often a budget came back
