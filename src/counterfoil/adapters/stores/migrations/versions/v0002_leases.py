"""Owns the table of leases.

Never: a change after a release; later ones get their own file.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table. Runs of before have no row, and so take any writer until somebody takes a lease."""
    op.create_table(
        "leases",
        sa.Column("run_id", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
