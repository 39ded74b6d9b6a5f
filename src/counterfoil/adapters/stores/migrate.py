"""Owns bringing a store to the schema of this version, and its blob key.

Never: loading the migration machinery for a store that is new or already current; a downgrade.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy import Connection, inspect, select

from counterfoil.adapters.stores.dialect import Dialect
from counterfoil.adapters.stores.schema import BLOB_KEY, HEAD, REVISIONS, VERSION_TABLE, metadata, store_meta, version
from counterfoil.core.errors import LedgerBroken

MIGRATIONS = Path(__file__).parent / "migrations"


def ensure_schema(store: Dialect) -> bytes:
    """Make the store current if it is not, and return its blob key.

    Raises:
        LedgerBroken: a later version wrote it, or it is some other program's database.
    """
    with store.reader.connect() as connection:
        if _revision(connection) == HEAD:
            return _blob_key(connection)
    with store.writer.begin() as connection:
        store.lock_schema(connection)
        _bring_up(connection)  # looks again: another process may have been faster
        return _blob_key(connection)


def upgrade(connection: Connection) -> None:
    """Run every migration that the store has not seen, inside the open transaction."""
    # Imported here: it costs most of a second, and only a store of an earlier version ever needs it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _bring_up(connection: Connection) -> None:
    found = _revision(connection)
    if found == HEAD:
        return
    if found and found not in REVISIONS:
        raise LedgerBroken(
            f"The store has schema {found!r}, which this version does not know (it knows up to {HEAD}).",
            code="STORE_NEWER",
            hint="Nothing was changed. Upgrade counterfoil, or name another store with --store.",
        )
    if found is None:
        _create(connection)
    else:
        upgrade(connection)
    _make_blob_key(connection)


def _create(connection: Connection) -> None:
    if inspect(connection).get_table_names():
        raise LedgerBroken(
            "There are tables of another program in the store.",
            code="STORE_FOREIGN",
            hint="Nothing was changed. Name another file, or an empty database or schema, with --store.",
        )
    metadata.create_all(connection)
    version.create(connection)
    connection.execute(version.insert().values(version_num=HEAD))


def _revision(connection: Connection) -> str | None:
    """The store's revision: empty before the first migration, None when it is no store yet."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(select(version.c.version_num)).scalar_one_or_none() or ""


def _make_blob_key(connection: Connection) -> None:
    query = select(store_meta.c.key).where(store_meta.c.key == BLOB_KEY)
    if connection.execute(query).first() is None:
        connection.execute(store_meta.insert().values(key=BLOB_KEY, value=secrets.token_bytes(32)))


def _blob_key(connection: Connection) -> bytes:
    key = connection.execute(select(store_meta.c.value).where(store_meta.c.key == BLOB_KEY)).scalar_one_or_none()
    if key is None or len(key) > 64:  # the longest key that the hash takes
        raise LedgerBroken(
            "The store has lost the key that its blobs are named with.",
            code="STORE_KEY_LOST",
            hint="Its events are still there, but the texts they refer to cannot be proven. Restore a backup.",
        )
    return bytes(key)
