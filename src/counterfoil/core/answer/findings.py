"""Owns findings: what a publication check has against a candidate, where, and what would satisfy it."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One objection. ``where`` is the offending text, ``needed`` the nearest thing that would satisfy.

    ``line`` counts from 1; None for what the body lacks, or what stands outside it.
    """

    code: str
    where: str
    needed: str = ""
    warning: bool = False  # shown, but does not reject
    line: int | None = None


def line_of(body: str, position: int) -> int:
    """The line, from 1, on which a position of ``body`` stands."""
    return body.count("\n", 0, position) + 1
