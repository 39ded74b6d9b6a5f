"""Owns how rows become events, listings and verdicts again.

Never: trust in what is read (every blob is proven before it is given out), or a result left half fetched: it would
hold its connection to an old state of the store.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

from sqlalchemy import Connection, func, select

from counterfoil.adapters.stores.records import (
    Anchor,
    as_fetch,
    changed,
    checked,
    decoded,
    judge,
    names_in,
    unknown_run,
)
from counterfoil.adapters.stores.schema import blobs, events, leases, runs
from counterfoil.adapters.stores.writing import chunks
from counterfoil.core.record.codec import Namer
from counterfoil.core.record.events import Event
from counterfoil.ports.ledger import Lease, RunListing, StoredEvent, Verification

Damage = Callable[[Exception], bool]  # whether an error means that what is stored was damaged


def stored_events(connection: Connection, run_id: str) -> tuple[StoredEvent, ...]:
    """A Run's events as stored, oldest first."""
    query = select(events).where(events.c.run_id == run_id).order_by(events.c.seq)
    return tuple(StoredEvent(*row) for row in connection.execute(query).all())


def decoded_events(connection: Connection, run_id: str, name_blob: Namer) -> tuple[tuple[StoredEvent, Event], ...]:
    """A Run's events beside their decoded form."""
    stored = stored_events(connection, run_id)
    if not stored:
        raise unknown_run(run_id)
    bodies: dict[str, bytes] = {}
    for names in chunks(names_in(stored)):
        query = select(blobs.c.name, blobs.c.size, blobs.c.body).where(blobs.c.name.in_(names))
        bodies.update({name: _unpacked(name, size, body) for name, size, body in connection.execute(query).all()})
    return decoded(stored, as_fetch(bodies, name_blob))


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
    found = connection.execute(select(runs.c.seq, runs.c.head).where(runs.c.run_id == run_id)).first()
    anchor = None if found is None else Anchor(found.seq if isinstance(found.seq, int) else -1, str(found.head))
    stored = stored_events(connection, run_id)
    if not stored and anchor is None:
        raise unknown_run(run_id)

    def fetch(name: str) -> bytes:
        try:
            row = connection.execute(select(blobs.c.size, blobs.c.body).where(blobs.c.name == name)).first()
        except Exception as error:
            if damage(error):
                connection.rollback()
                raise changed(name) from error
            raise
        if row is None:
            raise KeyError(name)
        return checked(name, _unpacked(name, row.size, row.body), name_blob)

    return judge(run_id, stored, anchor, fetch)


def _first_unreadable(connection: Connection, run_id: str, damage: Damage) -> int:
    """The first event that cannot be read by itself; the first of all when not even their number can be."""
    seq = 1
    try:
        last = connection.execute(select(func.max(events.c.seq)).where(events.c.run_id == run_id)).scalar() or 0
        while seq <= last:
            connection.execute(select(events).where(events.c.run_id == run_id, events.c.seq == seq)).first()
            seq += 1
    except Exception as error:
        if not damage(error):
            raise
    return seq


def _unpacked(name: str, size: int, body: bytes) -> bytes:
    """Unpack a blob, never to more than it should be: a changed one must not fill the memory."""
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(body, size + 1)
    except (zlib.error, TypeError, ValueError, OverflowError) as error:
        raise changed(name) from error
    if len(raw) != size or not unpacker.eof or unpacker.unused_data:
        raise changed(name)
    return raw
