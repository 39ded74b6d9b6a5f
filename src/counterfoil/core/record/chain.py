"""Owns the hash chain: how a record commits to the one before it, and where a stored chain stops being true.

Never: I/O, or a re-encoding. A hash covers the stored fields exactly as they are stored.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

import msgspec

_size = struct.Struct(">Q").pack
GENESIS = "0" * 64
_DOMAIN = b"counterfoil/event/1"  # a hash made for another purpose or version never passes for one of these


class Record(Protocol):
    """The stored fields that a hash covers, and the hash."""

    @property
    def run_id(self) -> str: ...  # noqa: D102
    @property
    def seq(self) -> int: ...  # noqa: D102
    @property
    def at(self) -> int: ...  # noqa: D102
    @property
    def actor(self) -> str: ...  # noqa: D102
    @property
    def type(self) -> str: ...  # noqa: D102
    @property
    def payload(self) -> bytes: ...  # noqa: D102
    @property
    def prev_hash(self) -> str: ...  # noqa: D102
    @property
    def hash(self) -> str: ...  # noqa: D102
    @property
    def epoch(self) -> int: ...  # noqa: D102


class Break(msgspec.Struct, frozen=True):
    """The first sequence at which a chain is not intact, and how."""

    seq: int
    why: str


def link(prev_hash: str, run_id: str, seq: int, at: int, actor: str, type: str, payload: bytes, epoch: int) -> str:
    """The hash of a record. Each field is preceded by its length, so no two records share an encoding.

    Values of a damaged store (undecodable text, a word where a number was) hash to something, never raise.
    """
    fields = (
        _DOMAIN,
        _sized(prev_hash),
        _sized_often(run_id),
        _sized(seq),
        _sized_often(at, actor, type),
        _sized(payload),
        _sized_often(epoch),
    )
    return hashlib.sha256(b"".join(fields)).hexdigest()


def _sized(field: str | int | bytes) -> bytes:
    raw = field if isinstance(field, bytes) else str(field).encode("utf-8", "surrogateescape")
    return _size(len(raw)) + raw


@lru_cache(maxsize=64, typed=True)
def _sized_often(*fields: str | int | bytes) -> bytes:
    """For what stays the same from one record to the next."""
    return b"".join(map(_sized, fields))


def check_chain(run_id: str, records: Iterable[Record]) -> Break | None:
    """The first break of a Run's chain, records given in stored order from the first; None when it is intact.

    A chain cannot show that its newest records were cut off: compare its head with one noted elsewhere.
    """
    prev = GENESIS
    for expected, record in enumerate(records, start=1):
        made = link(prev, run_id, expected, record.at, record.actor, record.type, record.payload, record.epoch)
        if record.hash != made or record.prev_hash != prev or record.seq != expected or record.run_id != run_id:
            return Break(expected, _flaw(run_id, expected, prev, record))
        prev = made
    return None


def _flaw(run_id: str, expected: int, prev: str, record: Record) -> str:
    if record.run_id != run_id:
        return f"the event belongs to Run {record.run_id!r}"
    if record.seq != expected:
        return f"event {expected} is missing or out of order: event {record.seq} stands in its place"
    if record.prev_hash != prev:
        return "it does not name the event before it: one of the two was changed or replaced"
    return "its content does not match its hash: it was changed after it was written"
