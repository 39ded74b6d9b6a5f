"""Owns the ledger that lives in this process: for tests.

Never: less than the durable ones do. Events go through the same bytes, chain and blobs.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence

import msgspec

from counterfoil.adapters.stores.purged import PURGED, PURGED_QUESTION, deciding, is_purged
from counterfoil.adapters.stores.records import (
    Anchor,
    as_fetch,
    decoded,
    draft,
    end_of,
    intact,
    judge,
    purge_of,
    renewed,
    require_lease,
    require_seq,
    require_verified,
    seal,
    unknown_run,
)
from counterfoil.core.errors import LedgerBroken
from counterfoil.core.record.codec import keyed_namer, names_like
from counterfoil.core.record.events import Event
from counterfoil.ports.ledger import Lease, Purged, RunListing, StoredEvent, Verification


class MemoryLedger:
    """A ledger in dictionaries. What is appended lives as long as the object."""

    def __init__(self) -> None:
        self.rows: dict[str, list[StoredEvent]] = {}
        self.blobs: dict[str, bytes] = {}
        self.listings: dict[str, RunListing] = {}
        self.anchors: dict[str, Anchor] = {}
        self.leases: dict[str, Lease] = {}
        self._name = keyed_namer(secrets.token_bytes(32))
        self._closed = False

    async def append(
        self,
        run_id: str,
        expected_seq: int,
        events: Sequence[Event],
        *,
        at: int,
        epoch: int,
        listing: RunListing,
        lease: Lease | None = None,
    ) -> tuple[StoredEvent, ...]:
        """Append all events or none."""
        self._require_open()
        drafts = draft(events, self._name)
        rows = self.rows.get(run_id, [])
        last = end_of(rows)
        require_lease(run_id, epoch, lease, self.leases.get(run_id))
        require_seq(run_id, expected_seq, last.seq)
        if not drafts:
            return ()
        sealed = seal(run_id, last, drafts, at=at, epoch=epoch)
        for item in drafts:
            self.blobs.update(item.encoded.blobs)
        self.rows[run_id] = [*rows, *sealed]
        self.listings[run_id] = msgspec.structs.replace(listing, run_id=run_id)
        self.anchors[run_id] = end_of(sealed)
        if lease is not None:
            self.leases[run_id] = lease
        return sealed

    async def renew(self, run_id: str, *, epoch: int, until: int) -> None:
        """Give the lease another end."""
        self._require_open()
        self.leases[run_id] = renewed(run_id, epoch, until, self.leases.get(run_id))

    async def lease(self, run_id: str) -> Lease | None:
        """The lease that the Run was last driven under."""
        self._require_open()
        return self.leases.get(run_id)

    async def stored(self, run_id: str) -> tuple[StoredEvent, ...]:
        """Events as stored, oldest first."""
        self._require_open()
        return tuple(self.rows.get(run_id, ()))

    async def events(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """Events with their decoded form."""
        stored = await self.stored(run_id)
        if not stored:
            raise unknown_run(run_id)
        return decoded(stored, as_fetch(self.blobs, self._name))

    async def proven(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """Events with their decoded form, once they are proven."""
        stored = await self.stored(run_id)
        with contextlib.suppress(LedgerBroken):  # ``verify`` tells what is wrong
            pairs = intact(run_id, stored, self.anchors.get(run_id), as_fetch(self.blobs, self._name))
            if pairs is not None:
                return pairs
        require_verified(await self.verify(run_id))
        return await self.events(run_id)

    async def runs(self) -> tuple[RunListing, ...]:
        """All Runs, newest first."""
        self._require_open()
        return tuple(sorted(self.listings.values(), key=lambda listing: (listing.at, listing.run_id), reverse=True))

    async def verify(self, run_id: str) -> Verification:
        """Recompute the chain."""
        stored = await self.stored(run_id)
        anchor = self.anchors.get(run_id)
        if not stored and anchor is None:
            raise unknown_run(run_id)
        return judge(run_id, stored, anchor, self.listings.get(run_id), as_fetch(self.blobs, self._name))

    async def purge(self, run_id: str, *, at: int, why: str) -> Purged:
        """Delete the content of a settled Run."""
        found = purge_of(
            run_id,
            await self.stored(run_id),
            await self.stored(deciding(run_id)),
            at=at,
            why=why,
            name_blob=self._name,
        )
        if found is None:
            return Purged(run_id, 0, 0)
        self.blobs.update(found.bodies)
        self.rows[run_id].append(found.record)
        self.anchors[run_id] = end_of([found.record])
        self.listings[run_id] = msgspec.structs.replace(self.listings[run_id], question=PURGED_QUESTION)
        return Purged(run_id, len(found.names), self._delete(set(found.names)))

    async def sweep(self) -> int:
        """Delete blobs that no event refers to."""
        self._require_open()
        return self._delete(set(self.blobs))

    def _delete(self, names: set[str]) -> int:
        """Delete those of the names that no Run needs. Of a purged Run only the record of its purge needs any."""
        for rows in self.rows.values():
            purged = is_purged(rows)
            for event in rows:
                if not purged or event.type == PURGED:
                    names.difference_update(names_like((event.payload,)))
        for name in names:
            del self.blobs[name]
        return len(names)

    async def close(self) -> None:
        """Refuse further use."""
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise LedgerBroken("The ledger was closed.", code="STORE_CLOSED", hint="Open the store again.")
