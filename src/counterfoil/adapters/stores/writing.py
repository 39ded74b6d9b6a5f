"""Owns how waiting appends become rows: statements built once, one transaction for everything that waits.

Never: beginning or ending a transaction; whoever calls does.
"""

from __future__ import annotations

import zlib
from asyncio import Future
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, func, select

from counterfoil.adapters.stores.dialect import Dialect
from counterfoil.adapters.stores.prepared import Prepared, PreparedAmong
from counterfoil.adapters.stores.records import (
    Anchor,
    Draft,
    draft,
    end_of,
    renewed,
    require_lease,
    require_seq,
    seal,
)
from counterfoil.adapters.stores.schema import blobs, events, leases, runs
from counterfoil.core.errors import LedgerConflict
from counterfoil.core.record.chain import GENESIS
from counterfoil.core.record.codec import Namer
from counterfoil.core.record.events import Event
from counterfoil.ports.ledger import Lease, RunListing, StoredEvent

COMPRESSED_BYTES_MIN = 512  # below, unpacking costs more time than it saves space; such blobs are a tenth of a Run
ZLIB_LEVEL = 3  # on text within a tenth of the default's size, in two thirds of its time
NAMES_PER_QUERY = 500  # databases limit the variables of a statement

Appended = tuple[StoredEvent, ...]
Outcome = Appended | Lease | LedgerConflict


class Append:
    """An append that waits for the writer. ``done`` belongs to the event loop of whoever waits for it."""

    def __init__(
        self,
        run_id: str,
        expected_seq: int,
        events: Sequence[Event],
        at: int,
        epoch: int,
        listing: RunListing,
        lease: Lease | None,
        done: Future[Any],  # of Appended
    ) -> None:
        self.run_id = run_id
        self.expected_seq = expected_seq
        self.events = events
        self.at = at
        self.epoch = epoch
        self.listing = listing
        self.lease = lease
        self.done = done
        self.drafts: tuple[Draft, ...] = ()

    def prepare(self, name_blob: Namer) -> None:
        """Do what needs no transaction."""
        self.drafts = draft(self.events, name_blob)


class Renewal:
    """A lease that waits to get another end."""

    def __init__(self, run_id: str, epoch: int, until: int, done: Future[Any]) -> None:
        self.run_id = run_id
        self.epoch = epoch
        self.until = until
        self.done = done  # of Lease

    def prepare(self, name_blob: Namer) -> None:
        """There is nothing to do before the transaction."""


Job = Append | Renewal


class Tip(msgspec.Struct, frozen=True):
    """Where a Run stands: the end of its chain, and who drives it."""

    end: Anchor
    lease: Lease | None


NEW_RUN = Tip(Anchor(0, GENESIS), None)


class Batch:
    """Writes jobs inside an open transaction, in the order in which they came."""

    def __init__(self, store: Dialect) -> None:
        self._store = store
        of_run = events.alias()
        newest = select(func.max(of_run.c.seq)).where(of_run.c.run_id == runs.c.run_id).scalar_subquery()
        run_end = runs.join(events, (events.c.run_id == runs.c.run_id) & (events.c.seq == newest))
        driven = run_end.outerjoin(leases, leases.c.run_id == runs.c.run_id)
        tips = select(runs.c.run_id, events.c.seq, events.c.hash, leases.c.holder, leases.c.epoch, leases.c.until)
        tips = tips.select_from(driven)
        self._tips = PreparedAmong(tips, runs.c.run_id)
        self._add_events = Prepared(events.insert())
        self._add_blobs = Prepared(store.insert(blobs).on_conflict_do_nothing())
        self._put_listings = Prepared(_upsert(store, runs))
        self._put_leases = Prepared(_upsert(store, leases))

    def write(self, connection: Connection, jobs: Sequence[Job], *, again: bool = False) -> list[Outcome]:
        """What became of each job. Any exception means that the transaction must not be committed.

        ``again``: an attempt before this one may have been committed, so what it wrote is looked for first.
        """
        self._store.lock_runs(connection, sorted({job.run_id for job in jobs}))
        tips = self._find_tips(connection, jobs)
        outcomes: list[Outcome] = []
        rows: list[dict[str, object]] = []
        written: dict[str, Append] = {}
        taken: dict[str, Lease] = {}
        bodies: dict[str, bytes] = {}
        for job in jobs:
            tip = tips.get(job.run_id, NEW_RUN)
            if again and isinstance(job, Append) and (earlier := _stored_before(connection, job, tip)):
                outcomes.append(earlier)
                continue
            try:
                outcome = _renewal(job, tip) if isinstance(job, Renewal) else _append(job, tip)
            except LedgerConflict as error:
                outcomes.append(error)
                continue
            outcomes.append(outcome)
            if isinstance(outcome, Lease):
                taken[job.run_id] = outcome
                tips[job.run_id] = Tip(tip.end, outcome)
            elif outcome and isinstance(job, Append):
                rows += [row_of(event) for event in outcome]
                written[job.run_id] = job
                bodies.update({name: body for item in job.drafts for name, body in item.encoded.blobs.items()})
                if job.lease is not None:
                    taken[job.run_id] = job.lease
                tips[job.run_id] = Tip(end_of(outcome), job.lease or tip.lease)
        if written:
            if bodies:  # in one order for every process: two of them never wait for each other
                self._add_blobs.each(connection, [blob_row(name, bodies[name]) for name in sorted(bodies)])
            self._add_events.each(connection, rows)
            listed = [_listing_row(job, tips[run_id].end) for run_id, job in written.items()]
            self._put_listings.each(connection, listed)
        if taken:
            self._put_leases.each(connection, [{"run_id": run_id, **row_of(lease)} for run_id, lease in taken.items()])
        return outcomes

    def _find_tips(self, connection: Connection, jobs: Sequence[Job]) -> dict[str, Tip]:
        found: dict[str, Tip] = {}
        for run_ids in chunks(tuple({job.run_id: None for job in jobs})):
            for run_id, seq, hash, holder, epoch, until in self._tips.rows(connection, run_ids):
                lease = None if holder is None else Lease(holder, epoch, until)
                found[run_id] = Tip(Anchor(seq, hash), lease)
        return found


def _stored_before(connection: Connection, job: Append, tip: Tip) -> Appended | None:
    """What an earlier attempt at this append stored: exactly these events, at this place."""
    last = job.expected_seq + len(job.drafts)
    if not job.drafts or tip.end.seq < last:
        return None
    query = select(events).where(events.c.run_id == job.run_id, events.c.seq.between(job.expected_seq + 1, last))
    found = tuple(StoredEvent(*row) for row in connection.execute(query.order_by(events.c.seq)).all())
    before = Anchor(job.expected_seq, found[0].prev_hash) if found else tip.end
    return found if found == seal(job.run_id, before, job.drafts, at=job.at, epoch=job.epoch) else None


def _append(job: Append, tip: Tip) -> Appended:
    require_lease(job.run_id, job.epoch, job.lease, tip.lease)
    require_seq(job.run_id, job.expected_seq, tip.end.seq)
    return seal(job.run_id, tip.end, job.drafts, at=job.at, epoch=job.epoch)


def _renewal(job: Renewal, tip: Tip) -> Lease:
    return renewed(job.run_id, job.epoch, job.until, tip.lease)


def _upsert(store: Dialect, table: Table) -> Any:
    insert = store.insert(table)
    changes = {column.name: insert.excluded[column.name] for column in table.c if not column.primary_key}
    return insert.on_conflict_do_update(index_elements=list(table.primary_key), set_=changes)


def chunks(names: Sequence[str]) -> Iterator[list[str]]:
    """The names in pieces that a statement can take."""
    for first in range(0, len(names), NAMES_PER_QUERY):
        yield list(names[first : first + NAMES_PER_QUERY])


def row_of(item: StoredEvent | Lease) -> dict[str, object]:
    """The columns of an event or, but for its Run, of a lease."""
    return {name: getattr(item, name) for name in item.__struct_fields__}


def blob_row(name: str, body: bytes) -> dict[str, object]:
    """The columns of a blob: packed where that makes it shorter, else as it is, which its size tells."""
    packed = zlib.compress(body, ZLIB_LEVEL) if len(body) >= COMPRESSED_BYTES_MIN else body
    return {"name": name, "size": len(body), "body": packed if len(packed) < len(body) else body}


def _listing_row(job: Append, end: Anchor) -> dict[str, object]:
    listing = job.listing
    return {
        "run_id": job.run_id,
        "question": listing.question,
        "status": listing.status,
        "phase": listing.phase,
        "at": listing.at,
        "seq": end.seq,
        "head": end.hash,
    }
