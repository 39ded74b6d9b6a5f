"""Owns the candidate answer: what a model submits for publication.

Never: the judgement on it (see ``findings``) or its delivery.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterfoil.core.evidence.facts import Calculation

GapState = Literal["not_found", "unresolved"]


class Gap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something asked for that the answer does not give, and why."""

    row: str = ""
    field: str = ""
    state: GapState = "not_found"
    why: str = ""
    search_calls: tuple[str, ...] = ()


class Candidate(msgspec.Struct, frozen=True):
    """A Publication before judgement. ``body`` is Markdown with ``[E7]``, ``[C1]`` marks."""

    id: str
    body: str
    calculations: tuple[Calculation, ...] = ()
    gaps: tuple[Gap, ...] = ()
    finish: bool = False
