"""The port to new identifiers."""

from __future__ import annotations

from typing import Protocol


class Ids(Protocol):
    """Makes identifiers that nobody can guess."""

    def run_id(self) -> str:
        """A new Run id, safe in file names and URLs, sortable by time."""
        ...
