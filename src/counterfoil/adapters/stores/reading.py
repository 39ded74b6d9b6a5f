"""Owns how rows become events, listings and verdicts again.

Never: trust in what is read (every blob is proven before it is given out), or a result left half fetched: it would
hold its connection to an old state of the store.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, bindparam, func, select

from counterfoil.adapters.stores.prepared import Prepared, PreparedAmong, Row
from counterfoil.adapters.stores.records import (
    Anchor,
    changed,
    checked,
    decoded,
    intact,
    judge,
    require_verified,
    unknown_run,
)
from counterfoil.adapters.stores.schema import blobs, events, leases, runs
from counterfoil.core.errors import LedgerBroken
from counterfoil.core.record.codec import Namer, names_like
from counterfoil.core.record.events import Event
from counterfoil.ports.ledger import Lease, RunListing, StoredEvent, Verification

BLOBS_PER_QUERY = 100  # at most 20 MB of pages

_BLOBS = PreparedAmong(select(blobs.c.name, blobs.c.size, blobs.c.body), blobs.c.name)
_OF_RUN = select(events).where(events.c.run_id == bindparam("run_id"))
_EVENTS = Prepared(_OF_RUN.order_by(events.c.seq))
_EVENT = Prepared(_OF_RUN.where(events.c.seq == bindparam("seq")))

Damage = Callable[[Exception], bool]  # whether an error means that what is stored was damaged


def stored_events(connection: Connection, run_id: str) -> tuple[StoredEvent, ...]:
    """A Run's events as stored, oldest first.

    Raises:
        TypeError: a payload that is no longer one of bytes.
    """
    return tuple(map(_stored, _EVENTS.rows(connection, run_id=run_id)))


def _stored(row: Row) -> StoredEvent:
    event = StoredEvent(*row)
    if not isinstance(event.payload, bytes):  # SQLite keeps whatever it is given
        raise TypeError(f"the payload of event {event.seq} is {type(event.payload).__name__}")
    return event


def decoded_events(connection: Connection, run_id: str, name_blob: Namer) -> tuple[tuple[StoredEvent, Event], ...]:
    """A Run's events beside their decoded form."""
    stored = stored_events(connection, run_id)
    if not stored:
        raise unknown_run(run_id)
    return decoded(stored, BlobReader(connection, stored, name_blob).fetch)


def proven_events(
    connection: Connection, run_id: str, name_blob: Namer, damage: Damage
) -> tuple[tuple[StoredEvent, Event], ...]:
    """A Run's events once they verify. What is intact is read once; what is not is read again, to say why."""
    try:
        stored = stored_events(connection, run_id)
        anchor, _ = _listed(connection, run_id)
        pairs = intact(run_id, stored, anchor, BlobReader(connection, stored, name_blob).fetch)
        if pairs is not None:
            return pairs
    except Exception as error:
        if not isinstance(error, LedgerBroken) and not damage(error):
            raise
        connection.rollback()  # a server refuses everything else in a transaction that failed
    require_verified(verdict(connection, run_id, name_blob, damage))
    return decoded_events(connection, run_id, name_blob)  # says what verifies and cannot be read: it was purged


class BlobReader:
    """Reads the blobs of a Run about in the order in which its events refer to them, some with each query.

    An error that is ``damage`` is taken for a blob that was changed, without losing the others of its query.
    """

    def __init__(
        self, connection: Connection, stored: Sequence[StoredEvent], name_blob: Namer, damage: Damage | None = None
    ) -> None:
        self._connection = connection
        self._names = names_like(event.payload for event in stored)
        self._places = {name: place for place, name in enumerate(self._names)}
        self._read = 0  # how many of the names were read so far
        self._name_blob = name_blob
        self._damage = damage
        self._at_hand: dict[str, bytes] = {}  # each proven

    def fetch(self, name: str) -> bytes:
        """A blob's bytes, proven to be the ones that were named; ``KeyError`` when it is gone."""
        body = self._at_hand.get(name)
        if body is not None:
            return body
        place = self._places[name]
        if place >= self._read:
            self._read = place + BLOBS_PER_QUERY
            self._at_hand = self._sound(self._names[place : self._read])
        if name not in self._at_hand:  # it is gone, or was read long ago, or one of its query is damaged
            self._at_hand |= {row[0]: self._proven(*row) for row in self._rows([name])}
        return self._at_hand[name]

    def _sound(self, names: Sequence[str]) -> dict[str, bytes]:
        """The blobs of ``names`` that are what was written; the others are told of when they are asked for."""
        sound: dict[str, bytes] = {}
        for row in self._rows(names):
            with contextlib.suppress(LedgerBroken):
                sound[row[0]] = self._proven(*row)
        return sound

    def _proven(self, name: str, size: int, body: bytes) -> bytes:
        return checked(name, _unpacked(name, size, body), self._name_blob)

    def _rows(self, names: Sequence[str]) -> Sequence[Row]:
        try:
            return _BLOBS.rows(self._connection, names)
        except Exception as error:
            if self._damage is None or not self._damage(error):
                raise
            self._connection.rollback()  # a server refuses everything else in a transaction that failed
            if len(names) == 1:
                raise changed(names[0]) from error
            return ()


def listings(connection: Connection) -> tuple[RunListing, ...]:
    """All Runs, newest first."""
    query = select(runs.c.run_id, runs.c.question, runs.c.status, runs.c.phase, runs.c.at)
    query = query.order_by(runs.c.at.desc(), runs.c.run_id.desc())
    return tuple(RunListing(*row) for row in connection.execute(query).all())


def lease_of(connection: Connection, run_id: str) -> Lease | None:
    """The lease that a Run was last driven under."""
    query = select(leases.c.holder, leases.c.epoch, leases.c.until).where(leases.c.run_id == run_id)
    found = connection.execute(query).first()
    return None if found is None else Lease(*found)


def verdict(connection: Connection, run_id: str, name_blob: Namer, damage: Damage) -> Verification:
    """Whether a Run's chain, blobs and end are as they were written, even when some cannot be read at all."""
    try:
        return _verdict(connection, run_id, name_blob, damage)
    except Exception as error:
        if not damage(error):
            raise
        connection.rollback()  # a server refuses everything else in a transaction that failed
        seq = _first_unreadable(connection, run_id, damage)
        return Verification(run_id, 0, "", seq, f"the store cannot be read there: {error}")


def _verdict(connection: Connection, run_id: str, name_blob: Namer, damage: Damage) -> Verification:
    anchor, listing = _listed(connection, run_id)
    stored = stored_events(connection, run_id)
    if not stored and anchor is None:
        raise unknown_run(run_id)
    fetch = BlobReader(connection, stored, name_blob, damage).fetch
    return judge(run_id, stored, anchor, listing, fetch)


def _listed(connection: Connection, run_id: str) -> tuple[Anchor, RunListing] | tuple[None, None]:
    columns = (runs.c.run_id, runs.c.question, runs.c.status, runs.c.phase, runs.c.at, runs.c.seq, runs.c.head)
    found = connection.execute(select(*columns).where(runs.c.run_id == run_id)).first()
    if found is None:
        return None, None
    return Anchor(found.seq if isinstance(found.seq, int) else -1, str(found.head)), RunListing(*found[:5])


def _first_unreadable(connection: Connection, run_id: str, damage: Damage) -> int:
    """The first event that cannot be read by itself; the first of all when not even their number can be."""
    seq = 1
    try:
        last = connection.execute(select(func.max(events.c.seq)).where(events.c.run_id == run_id)).scalar() or 0
        while seq <= last:
            for row in _EVENT.rows(connection, run_id=run_id, seq=seq):
                _stored(row)
            seq += 1
    except Exception as error:
        if not damage(error):
            raise
    return seq


def _unpacked(name: str, size: int, body: bytes) -> bytes:
    """Unpack a blob, never to more than it should be: a changed one must not fill the memory."""
    if isinstance(body, bytes) and len(body) == size:
        return body
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(body, size + 1)
    except (zlib.error, TypeError, ValueError, OverflowError) as error:
        raise changed(name) from error
    if len(raw) != size or not unpacker.eof or unpacker.unused_data:
        raise changed(name)
    return raw
