"""Owns what a purge means for a Run: when it may happen, what it records, what is still told of the Run after it.

Never: a database, or deleting anything.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

import msgspec

from counterfoil.core.errors import RefusedError
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.codec import decode
from counterfoil.core.record.events import BlobPurged, ContractConfirmed, RunAdmitted, RunSettled
from counterfoil.core.record.helpers import parent_of
from counterfoil.ports.ledger import RunListing, StoredEvent

Fetch = Callable[[str], bytes]  # raises KeyError for a blob that is not there

PURGED = BlobPurged.__name__
PURGED_QUESTION = "(purged)"  # what the listing shows: the question is content too


class _Structure(msgspec.Struct):
    """The fields of events that are no content, and so can be read without blobs."""

    status: str = ""
    to: str = ""


_STRUCTURE = msgspec.json.Decoder(_Structure)


def is_purged(stored: Sequence[StoredEvent]) -> bool:
    """Whether a Run recorded the deletion of its content."""
    return any(event.type == PURGED for event in stored)


def purged_names(stored: Sequence[StoredEvent], fetch: Fetch) -> frozenset[str]:
    """The blobs whose deletion a Run recorded.

    Raises:
        LedgerBroken: the record of it cannot be read.
    """
    events = (decode(event.type, event.payload, fetch) for event in stored if event.type == PURGED)
    return frozenset(name for event in events if isinstance(event, BlobPurged) for name in event.blobs)


def require_content(stored: Sequence[StoredEvent]) -> None:
    """Refuse to read a Run whose content was deleted."""
    for event in stored:
        if event.type == PURGED:
            day = datetime.datetime.fromtimestamp(event.at / 1000, datetime.UTC).date().isoformat()
            raise RefusedError(
                f"The content of Run {event.run_id} was purged on {day}: what it read and answered is deleted.",
                code="CONTENT_PURGED",
                hint="`counterfoil verify` still proves its chain, and `counterfoil trace` shows what is left of it.",
            )


def deciding(run_id: str) -> str:
    """The Run whose end allows the purge: a helper's parent, which reads it back until then, else the Run itself."""
    return parent_of(run_id) or run_id


def require_settled(run_id: str, stored: Sequence[StoredEvent]) -> None:
    """Refuse to purge a Run that may still need its content."""
    if not any(event.type == RunSettled.__name__ for event in stored):
        raise RefusedError(
            f"Run {run_id} is not settled, so its content is still needed.",
            code="RUN_NOT_SETTLED",
            hint="Let it end (`counterfoil resume`) or cancel it, then purge it.",
        )


def listing_flaw(stored: Sequence[StoredEvent], listing: RunListing, fetch: Fetch) -> str:
    """How a listing differs from what an intact chain says, empty when it does not."""
    if not stored or stored[0].type != RunAdmitted.__name__:
        return ""
    told = {
        "question": PURGED_QUESTION if is_purged(stored) else _question(stored, fetch),
        "status": _latest(stored, "RunSettled", "running", lambda fields: fields.status),
        "phase": _latest(stored, "PhaseChanged", Phase.RESEARCH.value, lambda fields: fields.to),
        "at": stored[0].at,
    }
    wrong = [name for name, value in told.items() if getattr(listing, name) != value]
    if not wrong:
        return ""
    parts = (f"{name} {getattr(listing, name)!r} where the events say {told[name]!r}" for name in wrong)
    return f"The listing was changed: it has {', '.join(parts)}."


def _question(stored: Sequence[StoredEvent], fetch: Fetch) -> str:
    question = ""
    for event in stored:
        if event.type in (RunAdmitted.__name__, ContractConfirmed.__name__):
            decoded = decode(event.type, event.payload, fetch)
            if isinstance(decoded, RunAdmitted):
                question = decoded.snapshot.contract.question
            elif isinstance(decoded, ContractConfirmed):
                question = decoded.contract.question
    return question


def _latest(stored: Sequence[StoredEvent], type: str, default: str, read: Callable[[_Structure], str]) -> str:
    found = next((event for event in reversed(stored) if event.type == type), None)
    return default if found is None else read(_STRUCTURE.decode(found.payload))
