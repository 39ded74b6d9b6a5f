"""Owns finding JSON objects in what a model wrote: alone, in a fenced block, or with prose around them.

Never: repairing them. What does not decode is named with its position.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

OPENINGS_MAX = 20  # braces tried as the beginning of an object: a text of nothing but braces is not tried at each


class Found(msgspec.Struct, frozen=True):
    """An object, and where in the text it stands."""

    value: dict[str, Any]
    start: int
    end: int


def find_objects(text: str) -> tuple[tuple[Found, ...], str | None]:
    """The outermost JSON objects of ``text`` in order, and why the first brace that begins none does not."""
    decoder = json.JSONDecoder(parse_constant=_refused)
    found: list[Found] = []
    problem: str | None = None
    place = text.find("{")
    for _ in range(OPENINGS_MAX):
        if place < 0:
            break
        try:
            value, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as wrong:
            problem = problem or f"{wrong.msg} at line {wrong.lineno}, column {wrong.colno}"
            end = place + 1
        except (ValueError, RecursionError) as wrong:
            problem = problem or str(wrong)
            end = place + 1
        else:
            found.append(Found(value, place, end))
        place = text.find("{", end)
    return tuple(found), problem


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")
