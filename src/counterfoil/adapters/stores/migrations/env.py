"""Owns how the migrations reach the store: through the connection and transaction of whoever runs them.

Never: a database address or a configuration file of its own.
"""

from __future__ import annotations

from alembic import context

from counterfoil.adapters.stores.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,  # SQLite changes a table by copying it
)
context.run_migrations()
