"""Owns findings: what a publication check has against a candidate, where, and what would satisfy it."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One objection. ``where`` is the offending text, ``needed`` the nearest thing that would satisfy."""

    code: str
    where: str
    needed: str = ""
    warning: bool = False  # shown, but does not reject
