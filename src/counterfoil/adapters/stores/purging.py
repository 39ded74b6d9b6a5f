"""Owns the deletion of content from a SQL store, inside an open transaction.

Never: a blob that a Run still needs, or a deletion without its record in the chain of the Run.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, delete, select, update

from counterfoil.adapters.stores.dialect import Dialect
from counterfoil.adapters.stores.purged import PURGED, PURGED_QUESTION, deciding
from counterfoil.adapters.stores.reading import stored_events
from counterfoil.adapters.stores.records import purge_of
from counterfoil.adapters.stores.schema import blobs, events, runs
from counterfoil.adapters.stores.writing import blob_row, chunks, row_of
from counterfoil.core.record.codec import Namer, names_like
from counterfoil.ports.ledger import Purged

ROWS_AT_ONCE = 2_000


def purge(connection: Connection, store: Dialect, run_id: str, *, at: int, why: str, name_blob: Namer) -> Purged:
    """Record that a Run's content is deleted, and delete what no other Run needs."""
    store.lock_all(connection)
    stored, over = stored_events(connection, run_id), stored_events(connection, deciding(run_id))
    found = purge_of(run_id, stored, over, at=at, why=why, name_blob=name_blob)
    if found is None:
        return Purged(run_id, 0, 0)
    for name, body in found.bodies.items():
        connection.execute(store.insert(blobs).on_conflict_do_nothing(), blob_row(name, body))
    connection.execute(events.insert(), row_of(found.record))
    changes = update(runs).where(runs.c.run_id == run_id)
    connection.execute(changes.values(question=PURGED_QUESTION, seq=found.record.seq, head=found.record.hash))
    return Purged(run_id, len(found.names), _delete_unneeded(connection, set(found.names)))


def sweep(connection: Connection, store: Dialect) -> int:
    """Delete every blob that no Run needs."""
    store.lock_all(connection)
    return _delete_unneeded(connection, set(connection.execute(select(blobs.c.name)).scalars()))


def _delete_unneeded(connection: Connection, names: set[str]) -> int:
    for needed in _needed(connection):
        names.difference_update(needed)
        if not names:
            return 0
    deleted = 0
    for some in chunks(sorted(names)):
        deleted += connection.execute(delete(blobs).where(blobs.c.name.in_(some))).rowcount
    return deleted


def _needed(connection: Connection) -> Iterator[list[str]]:
    """The blobs that each event needs. Of a purged Run only the record of its purge needs any."""
    purged = set(connection.execute(select(events.c.run_id).where(events.c.type == PURGED)).scalars())
    query = select(events.c.run_id, events.c.type, events.c.payload).execution_options(yield_per=ROWS_AT_ONCE)
    with connection.execute(query) as rows:
        for run_id, type, payload in rows:
            if type == PURGED or run_id not in purged:
                yield names_like((payload,))
