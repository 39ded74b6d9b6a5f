"""Owns the tables of a store and the names of their revisions.

Never: a database's own dialect, or a table that nothing uses. A change here needs a migration beside it.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, String, Table, Text

# Oldest first. A store at the last one is opened without loading the migration machinery.
REVISIONS = ("0001", "0002")
HEAD = REVISIONS[-1]
VERSION_TABLE = "counterfoil_schema"
BLOB_KEY = "blob_key"

metadata = MetaData()

store_meta = Table(
    "store_meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

runs = Table(  # one line per Run; ``seq`` and ``head`` anchor the end of its chain
    "runs",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("question", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("head", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
)

blobs = Table(  # ``body`` is compressed where it is shorter than ``size``, which it must unpack to
    "blobs",
    metadata,
    Column("name", Text, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

leases = Table(  # who drives a Run: every append is checked against it
    "leases",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("until", BigInteger, nullable=False),
)

# Kept apart from ``metadata``: the migration machinery owns this table and would report it as a stranger.
version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))
