"""Owns how waiting appends become rows: statements built once, one transaction for everything that waits.

Never: beginning or ending a transaction; whoever calls does.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future

from sqlalchemy import BindParameter, Connection, bindparam, func, select

from counterfoil.adapters.stores.dialect import Dialect
from counterfoil.adapters.stores.records import Anchor, Draft, end_of, require_seq, seal
from counterfoil.adapters.stores.schema import blobs, events, runs
from counterfoil.core.errors import LedgerConflict
from counterfoil.core.record.chain import GENESIS
from counterfoil.core.record.events import Event
from counterfoil.ports.ledger import RunListing, StoredEvent

ZLIB_LEVEL = 3  # on text within a tenth of the default's size, in two thirds of its time
NAMES_PER_QUERY = 500  # databases limit the variables of a statement

Appended = tuple[StoredEvent, ...]


class Job:
    """An append that waits for the writer."""

    def __init__(
        self, run_id: str, expected_seq: int, events: Sequence[Event], at: int, epoch: int, listing: RunListing
    ) -> None:
        self.run_id = run_id
        self.expected_seq = expected_seq
        self.events = events
        self.at = at
        self.epoch = epoch
        self.listing = listing
        self.drafts: tuple[Draft, ...] = ()
        self.done: Future[Appended] = Future()


class Batch:
    """Writes jobs inside an open transaction, in the order in which they came."""

    def __init__(self, store: Dialect) -> None:
        run: BindParameter[str] = bindparam("run")
        newest = select(func.max(events.c.seq)).where(events.c.run_id == run).scalar_subquery()
        self._end = select(events.c.seq, events.c.hash).where(events.c.run_id == run, events.c.seq == newest)
        self._known = select(blobs.c.name).where(blobs.c.name.in_(bindparam("names", expanding=True)))
        self._add_events = events.insert()
        self._add_blobs = store.insert(blobs).on_conflict_do_nothing()
        listing = store.insert(runs)
        changes = {column.name: listing.excluded[column.name] for column in runs.c if not column.primary_key}
        self._put_listing = listing.on_conflict_do_update(index_elements=[runs.c.run_id], set_=changes)

    def write(self, connection: Connection, jobs: Sequence[Job]) -> list[Appended | LedgerConflict]:
        """What became of each job. Any exception means that the transaction must not be committed."""
        ends: dict[str, Anchor] = {}
        listings: dict[str, dict[str, object]] = {}
        outcomes: list[Appended | LedgerConflict] = []
        bodies: dict[str, bytes] = {}
        for job in jobs:
            last = ends.get(job.run_id) or self._find_end(connection, job.run_id)
            try:
                require_seq(job.run_id, job.expected_seq, last.seq)
            except LedgerConflict as error:
                outcomes.append(error)
                continue
            sealed = seal(job.run_id, last, job.drafts, at=job.at, epoch=job.epoch)
            outcomes.append(sealed)
            if sealed:
                ends[job.run_id] = end_of(sealed)
                listings[job.run_id] = _listing_row(job, ends[job.run_id])
                bodies.update({name: body for item in job.drafts for name, body in item.encoded.blobs.items()})
        self._insert(connection, outcomes, listings, bodies)
        return outcomes

    def _find_end(self, connection: Connection, run_id: str) -> Anchor:
        found = connection.execute(self._end, {"run": run_id}).first()
        return Anchor(0, GENESIS) if found is None else Anchor(found.seq, found.hash)

    def _insert(
        self,
        connection: Connection,
        outcomes: Sequence[Appended | LedgerConflict],
        listings: dict[str, dict[str, object]],
        bodies: dict[str, bytes],
    ) -> None:
        rows = [_event_row(event) for outcome in outcomes if isinstance(outcome, tuple) for event in outcome]
        if not rows:
            return
        for names in chunks(tuple(bodies)):
            known = set(connection.execute(self._known, {"names": names}).scalars())
            fresh = [_blob_row(name, bodies[name]) for name in names if name not in known]
            if fresh:
                connection.execute(self._add_blobs, fresh)
        connection.execute(self._add_events, rows)
        connection.execute(self._put_listing, list(listings.values()))


def chunks(names: Sequence[str]) -> Iterator[list[str]]:
    """The names in pieces that a statement can take."""
    for first in range(0, len(names), NAMES_PER_QUERY):
        yield list(names[first : first + NAMES_PER_QUERY])


def _event_row(event: StoredEvent) -> dict[str, object]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def _blob_row(name: str, body: bytes) -> dict[str, object]:
    return {"name": name, "size": len(body), "body": zlib.compress(body, ZLIB_LEVEL)}


def _listing_row(job: Job, end: Anchor) -> dict[str, object]:
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
