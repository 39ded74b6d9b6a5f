"""Owns what every ledger does to records before they are stored and after they are read.

Never: a database. Sealing, decoding and verifying are the same whatever holds the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from counterfoil.adapters.stores.purged import (
    PURGED,
    Fetch,
    deciding,
    is_purged,
    listing_flaw,
    purged_names,
    require_content,
    require_settled,
)
from counterfoil.core.errors import LeaseLost, LedgerBroken, LedgerConflict, NotFoundError
from counterfoil.core.record.chain import GENESIS, check_chain, link
from counterfoil.core.record.codec import Encoded, Namer, blob_names, decode, encode
from counterfoil.core.record.events import BlobPurged, Event, actor_of
from counterfoil.ports.ledger import Lease, RunListing, StoredEvent, Verification


class Draft(msgspec.Struct, frozen=True):
    """An event encoded and not yet chained."""

    actor: str
    encoded: Encoded


class Anchor(msgspec.Struct, frozen=True):
    """The end of a Run's chain as noted beside its listing: shows when the newest events were cut off."""

    seq: int
    hash: str


def draft(events: Sequence[Event], name_blob: Namer) -> tuple[Draft, ...]:
    """Encode events: the part of an append that needs no lock."""
    return tuple(Draft(actor_of(event), encode(event, name_blob)) for event in events)


def seal(run_id: str, last: Anchor, drafts: Sequence[Draft], *, at: int, epoch: int) -> tuple[StoredEvent, ...]:
    """Chain drafts to the end of a Run."""
    sealed: list[StoredEvent] = []
    prev = last.hash
    for seq, item in enumerate(drafts, start=last.seq + 1):
        kind, payload = item.encoded.type, item.encoded.payload
        made = link(prev, run_id, seq, at, item.actor, kind, payload, epoch)
        sealed.append(StoredEvent(run_id, seq, at, item.actor, kind, payload, prev, made, epoch))
        prev = made
    return tuple(sealed)


class Purge(msgspec.Struct, frozen=True):
    """A purge to be written: its record, and the blobs that the Run needs no more."""

    names: tuple[str, ...]
    record: StoredEvent
    bodies: dict[str, bytes]  # that the record itself needs


def purge_of(
    run_id: str, stored: Sequence[StoredEvent], over: Sequence[StoredEvent], *, at: int, why: str, name_blob: Namer
) -> Purge | None:
    """The purge of a Run; None when it was purged before. ``over``: the events of the Run that ``deciding`` names.

    Raises:
        NotFoundError: there is no such Run.
        RefusedError: it is not settled.
    """
    if not stored:
        raise unknown_run(run_id)
    require_settled(deciding(run_id), over)
    if is_purged(stored):
        return None
    names = names_in(stored)
    drafts = draft([BlobPurged(names, why)], name_blob)
    [record] = seal(run_id, end_of(stored), drafts, at=at, epoch=stored[-1].epoch)
    return Purge(names, record, drafts[0].encoded.blobs)


def end_of(stored: Sequence[StoredEvent]) -> Anchor:
    """Where a chain ends; the genesis when it is empty."""
    return Anchor(stored[-1].seq, stored[-1].hash) if stored else Anchor(0, GENESIS)


def require_seq(run_id: str, expected: int, found: int) -> None:
    """Refuse an append that does not continue the Run."""
    if expected != found:
        raise conflict(run_id, f"it has {found} events where this writer expected {expected}")


def require_lease(run_id: str, epoch: int, taken: Lease | None, held: Lease | None) -> None:
    """Refuse an append under ``epoch`` (of the lease ``taken``, if it takes one) to a Run that ``held`` protects."""
    if held is None:  # a new Run, or one of a time before leases were stored
        return
    if taken is None:
        lawful = epoch == held.epoch
    else:
        lawful = taken.epoch > held.epoch or (taken.epoch, taken.holder) == (held.epoch, held.holder)
    if not lawful:
        raise lease_lost(run_id, epoch, held)


def renewed(run_id: str, epoch: int, until: int, held: Lease | None) -> Lease:
    """The lease of ``epoch`` with another end."""
    if held is None or held.epoch != epoch:
        raise lease_lost(run_id, epoch, held)
    return Lease(held.holder, epoch, until)


def lease_lost(run_id: str, epoch: int, held: Lease | None) -> LeaseLost:
    """The refusal of a writer whose lease is over."""
    now = "nobody has it now" if held is None else f"{held.holder} has it now, under lease {held.epoch}"
    return LeaseLost(
        f"Run {run_id} is no longer driven under lease {epoch}: {now}.",
        code="LEASE_LOST",
        hint="Nothing was written. Whoever has the lease goes on from the ledger; stop here.",
    )


def conflict(run_id: str, why: str) -> LedgerConflict:
    """The refusal of a second writer."""
    return LedgerConflict(
        f"Run {run_id} was written by somebody else: {why}.",
        code="LEDGER_CONFLICT",
        hint="Nothing was written. Another process works on this Run; let it end, then resume.",
    )


def unknown_run(run_id: str) -> NotFoundError:
    """There is no such Run in this store."""
    return NotFoundError(
        f"There is no Run {run_id} in this store.",
        code="RUN_NOT_FOUND",
        hint="`counterfoil runs` lists the Runs; `--store` names another store.",
    )


def names_in(stored: Sequence[StoredEvent]) -> tuple[str, ...]:
    """Every blob that some events refer to, each once."""
    return tuple(dict.fromkeys(name for event in stored for name in blob_names(event.payload)))


def decoded(stored: Sequence[StoredEvent], fetch: Fetch) -> tuple[tuple[StoredEvent, Event], ...]:
    """Events beside their decoded form. ``fetch`` raises ``KeyError`` for a blob that is gone."""
    require_content(stored)
    pairs: list[tuple[StoredEvent, Event]] = []
    for event in stored:
        try:
            pairs.append((event, decode(event.type, event.payload, fetch)))
        except LedgerBroken as error:
            message = f"Event {event.seq} of Run {event.run_id}: {error.message}"
            raise LedgerBroken(message, code=error.code, hint=error.hint) from error
    return tuple(pairs)


def intact(
    run_id: str, stored: Sequence[StoredEvent], anchor: Anchor | None, fetch: Fetch
) -> tuple[tuple[StoredEvent, Event], ...] | None:
    """Events beside their decoded form when ``judge`` would find nothing: reading an event proves the blobs it names.

    None when something is wrong, or was purged; ``judge`` says what. It may also be raised as in ``decoded``.
    """
    if is_purged(stored) or check_chain(run_id, stored) is not None or _cut(end_of(stored), anchor) is not None:
        return None
    return decoded(stored, fetch)


def require_verified(proof: Verification) -> None:
    """Refuse to believe a Run that does not verify."""
    if proof.first_bad is not None:
        raise LedgerBroken(
            f"Run {proof.run_id} does not verify: event {proof.first_bad} is the first bad one ({proof.why})",
            code="CHAIN_BROKEN",
            hint="restore the store from a copy made before it was changed",
        )


def checked(name: str, body: bytes, name_blob: Namer) -> bytes:
    """A blob's bytes, proven to be the ones that were named."""
    if name_blob(body) != name:
        raise changed(name)
    return body


def changed(name: str) -> LedgerBroken:
    """A blob that no longer is what its name says."""
    return LedgerBroken(
        f"Blob {name[:12]}… was changed after it was written.",
        code="BLOB_CHANGED",
        hint="Run `counterfoil verify` on this Run: it names the first event that depends on it.",
    )


def judge(
    run_id: str, stored: Sequence[StoredEvent], anchor: Anchor | None, listing: RunListing | None, fetch: Fetch
) -> Verification:
    """The verdict on a Run: its chain, then the blobs it names, then whether its end is still there."""
    head = end_of(stored)
    broken = check_chain(run_id, stored)
    sound = stored if broken is None else stored[: broken.seq - 1]
    purged, unreadable = _purged(stored, fetch)
    flaw = _first_bad_blob(sound, fetch, purged)
    if flaw is None and broken is None:
        flaw = unreadable
    if flaw is None and broken is not None:
        flaw = (broken.seq, broken.why)
    if flaw is None:
        flaw = _cut(head, anchor)
    if flaw is not None:
        return Verification(run_id, len(stored), head.hash, *flaw, purged=len(purged or ()))
    differs = "" if listing is None else listing_flaw(stored, listing, fetch)
    return Verification(run_id, len(stored), head.hash, purged=len(purged or ()), listing=differs)


def _purged(stored: Sequence[StoredEvent], fetch: Fetch) -> tuple[frozenset[str] | None, tuple[int, str] | None]:
    """The blobs that a Run says were deleted, None when it does not say which: then the flaw is in that record."""
    try:
        return purged_names(stored, fetch), None
    except LedgerBroken as error:
        seq = next(event.seq for event in stored if event.type == PURGED)
        return None, (seq, error.message)


def _first_bad_blob(
    stored: Sequence[StoredEvent], fetch: Fetch, purged: frozenset[str] | None
) -> tuple[int, str] | None:
    sound: set[str] = set()
    for event in stored:
        try:
            names = set(blob_names(event.payload)) - sound
        except LedgerBroken as error:
            return event.seq, error.message
        for name in names:
            why = _blob_flaw(name, fetch, purged is None or name in purged)
            if why is not None:
                return event.seq, why
        sound |= names
    return None


def _blob_flaw(name: str, fetch: Fetch, purged: bool) -> str | None:
    try:
        fetch(name)
    except KeyError:
        return None if purged else f"blob {name[:12]}… that it refers to is missing"
    except LedgerBroken:
        return f"blob {name[:12]}… that it refers to was changed after it was written"
    return None


def _cut(head: Anchor, anchor: Anchor | None) -> tuple[int, str] | None:
    if anchor is None:
        return head.seq + 1, "the Run's listing is missing, so nothing shows that these are all of its events"
    if anchor == head:
        return None
    if anchor.seq > head.seq:
        return head.seq + 1, f"the newest events are missing: {anchor.seq} were written"
    first = head.seq if anchor.seq == head.seq else anchor.seq + 1
    return max(first, 1), f"the listing notes that the chain ends at event {anchor.seq}, with another hash"


def as_fetch(blobs: Mapping[str, bytes], name_blob: Namer) -> Fetch:
    """A fetch over blobs at hand that proves each before it gives it out."""
    return lambda name: checked(name, blobs[name], name_blob)
