"""Owns reading a reviewer's reply, and what its word comes to beside what was counted.

Never: a pass against a count that is not met, or a verdict read out of prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from counterfoil.core.answer.counting import Count
from counterfoil.core.text.json_objects import find_objects


class Opinion(msgspec.Struct, frozen=True):
    """What a reviewer replies. ``verdict`` is its own word."""

    verdict: Literal["pass", "fail"]
    why: tuple[str, ...] = ()


def read_opinion(text: str) -> tuple[Opinion | None, str]:
    """The opinion in a reply, also from a fenced block or amid prose; or None and what is wrong with the reply."""
    objects, problem = find_objects(text)
    if problem or len(objects) != 1:  # an object inside one that broke off is nobody's verdict
        found = problem or ("it holds no JSON object" if not objects else f"it holds {len(objects)} JSON objects")
        return None, f"the reply is no verdict: {found}"
    try:
        return msgspec.convert(objects[0].value, Opinion), ""
    except msgspec.ValidationError as wrong:
        return None, f"the reply is no verdict: {wrong}"


def unmet(measured: Sequence[Count]) -> tuple[str, ...]:
    """A sentence for each ask that was counted and is not met."""
    return tuple(f"asked: {c.asked}; counted: {c.measured}" for c in measured if c.met is False)
