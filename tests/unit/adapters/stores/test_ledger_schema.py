"""The schema, its migrations, and what is done with a store that has another one."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from tests.unit.adapters.stores.sqlite_bench import append

from counterfoil.adapters.stores.migrate import MIGRATIONS, upgrade
from counterfoil.adapters.stores.schema import HEAD, REVISIONS, VERSION_TABLE, metadata
from counterfoil.adapters.stores.sqlite import SqliteStore, open_sqlite
from counterfoil.core.errors import LedgerBroken
from counterfoil.ports.ledger import Lease


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as raw:
        names = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: raw.execute(f"PRAGMA table_info({name})").fetchall() for name in sorted(names)}


def migrated(path: Path) -> Path:
    path.touch()
    store = SqliteStore(path, 0)
    with store.writer.begin() as connection:
        upgrade(connection)
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    store.writer.dispose()
    return path


def migrated_to(revision: str, path: Path) -> Path:
    path.touch()
    store = SqliteStore(path, 0)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.writer.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    store.writer.dispose()
    return path


def fresh(path: Path) -> Path:
    asyncio.run(open_sqlite(path).close())
    return path


def execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(statement)


def test_a_migrated_store_is_like_a_new_one(tmp_path: Path) -> None:
    assert tables(migrated(tmp_path / "migrated.db")) == tables(fresh(tmp_path / "fresh.db"))


def test_the_revisions_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    assert tuple(reversed([revision.revision for revision in script.walk_revisions()])) == REVISIONS
    assert script.get_heads() == [HEAD]


def test_a_store_of_an_earlier_version_is_migrated_when_opened(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    execute(path, f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    fresh(path)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall() == [(HEAD,)]
        assert raw.execute("SELECT key, length(value) FROM store_meta").fetchall() == [("blob_key", 32)]


def test_a_store_made_by_revision_0001_gets_leases_and_keeps_its_runs(tmp_path: Path) -> None:
    path = fresh(tmp_path / "ledger.db")
    ledger = open_sqlite(path)
    before = append(ledger, 0)
    asyncio.run(ledger.close())
    execute(path, "DROP TABLE leases")
    execute(path, f"UPDATE {VERSION_TABLE} SET version_num = '0001'")
    assert tables(path) == tables(migrated_to("0001", tmp_path / "0001.db"))
    ledger = open_sqlite(path)
    assert tables(path) == tables(fresh(tmp_path / "fresh.db"))
    assert asyncio.run(ledger.stored("r1")) == before and asyncio.run(ledger.lease("r1")) is None
    append(ledger, 1)
    append(ledger, 2, lease=Lease("boot/1/1", 1, 5))
    assert asyncio.run(ledger.verify("r1")).first_bad is None
    asyncio.run(ledger.close())


def test_a_later_store_is_left_alone(tmp_path: Path) -> None:
    path = fresh(tmp_path / "ledger.db")
    execute(path, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    before = path.read_bytes()
    with pytest.raises(LedgerBroken) as refused:
        open_sqlite(path)
    assert refused.value.code == "STORE_NEWER" and "'9999'" in refused.value.message
    assert path.read_bytes() == before


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    execute(path, "CREATE TABLE photos (name TEXT)")
    with pytest.raises(LedgerBroken) as refused:
        open_sqlite(path)
    assert refused.value.code == "STORE_FOREIGN"
    assert list(tables(path)) == ["photos"]


@pytest.mark.parametrize("statement", ["DELETE FROM store_meta", "UPDATE store_meta SET value = zeroblob(99)"])
def test_a_lost_blob_key_is_named(tmp_path: Path, statement: str) -> None:
    path = fresh(tmp_path / "ledger.db")
    execute(path, statement)
    with pytest.raises(LedgerBroken) as refused:
        open_sqlite(path)
    assert refused.value.code == "STORE_KEY_LOST"
