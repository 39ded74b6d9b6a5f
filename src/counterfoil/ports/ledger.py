"""The port to the ledger: append-only, durable, hash-chained events of Runs, and a listing of Runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from counterfoil.core.record.events import Event


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as stored. ``payload`` is the stored bytes that the hash covers; ``at`` is in milliseconds."""

    run_id: str
    seq: int  # from 1, without holes
    at: int
    actor: str
    type: str
    payload: bytes
    prev_hash: str
    hash: str
    epoch: int


class RunListing(msgspec.Struct, frozen=True):
    """One line of ``counterfoil runs``."""

    run_id: str
    question: str
    status: str  # "running" until settled
    phase: str
    at: int  # admission, milliseconds since the epoch


class Lease(msgspec.Struct, frozen=True):
    """Who drives a Run. A taker's epoch is higher than every one before, so that a late write can be told."""

    holder: str
    epoch: int
    until: int  # milliseconds since the epoch; the store does not watch the clock, whoever takes over does


class Verification(msgspec.Struct, frozen=True):
    """Whether a chain is intact; ``first_bad`` is the first sequence that is not, ``why`` says how.

    ``listing`` says how the Run's line in ``counterfoil runs`` differs from what its events say, empty when it does
    not: the line is only a copy, so a chain beside a wrong one is intact.
    """

    run_id: str
    events: int
    head: str
    first_bad: int | None = None
    why: str = ""
    purged: int = 0  # blobs whose deletion the Run recorded itself
    listing: str = ""


class Purged(msgspec.Struct, frozen=True):
    """What a purge did; blobs that it did not delete are those that other Runs refer to."""

    run_id: str
    blobs: int  # that the Run's events refer to and say no more
    deleted: int


class Ledger(Protocol):
    """Stores events. Every method raises ``LedgerBroken`` when the store itself cannot be used."""

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
        """Append in one durable transaction (blobs, events, listing, lease), all or nothing.

        With ``lease`` (of the same ``epoch``) the Run is driven under it from here on: it must be newer than the one
        that the Run has, or the same holder's. A Run that never had a lease takes any writer.

        Raises:
            LeaseLost: the Run is driven under another lease than this writer's.
            LedgerConflict: the Run's last sequence is not ``expected_seq``.
        """
        ...

    async def renew(self, run_id: str, *, epoch: int, until: int) -> None:
        """Let the lease of ``epoch`` last until ``until``, milliseconds since the epoch.

        Raises:
            LeaseLost: the Run has another lease, or none.
        """
        ...

    async def lease(self, run_id: str) -> Lease | None:
        """The lease that the Run was last driven under, over or not; None when it never had one."""
        ...

    async def stored(self, run_id: str) -> tuple[StoredEvent, ...]:
        """Events as stored, oldest first; empty for an unknown Run."""
        ...

    async def events(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """Events with their decoded form, blobs filled in, oldest first.

        Raises:
            NotFoundError: there is no such Run.
            RefusedError: its content was purged.
        """
        ...

    async def proven(self, run_id: str) -> tuple[tuple[StoredEvent, Event], ...]:
        """As ``events``, once chain, blobs and end are found to be as ``verify`` wants them: in one reading.

        Raises:
            NotFoundError: there is no such Run.
            LedgerBroken: it does not verify; names the first bad event.
            RefusedError: its content was purged.
        """
        ...

    async def runs(self) -> tuple[RunListing, ...]:
        """All Runs, newest first."""
        ...

    async def verify(self, run_id: str) -> Verification:
        """Recompute the chain over the stored bytes and the blobs they name.

        Raises:
            NotFoundError: there is no such Run.
        """
        ...

    async def purge(self, run_id: str, *, at: int, why: str) -> Purged:
        """Delete the content of a settled Run and record that; its chain stays provable. Once is enough.

        A helper is its parent's: it can be purged when that is settled, however it ended itself.

        Raises:
            NotFoundError: there is no such Run.
            RefusedError: it, or the Run whose helper it is, is not settled.
        """
        ...

    async def sweep(self) -> int:
        """Delete blobs that no event refers to, which only damage leaves behind; how many there were."""
        ...

    async def close(self) -> None:
        """Release the store."""
        ...
