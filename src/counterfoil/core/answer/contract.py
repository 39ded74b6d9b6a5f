"""Owns the structured task: question, rows, fields, constraints, definition of done.

Never: limits (policies own those) or what has been found so far (the state does).
"""

from __future__ import annotations

from typing import Literal

import msgspec

FieldType = Literal[
    "text", "money", "number", "percent", "ratio", "count", "date", "duration", "list", "boolean", "url"
]  # fmt: skip
TaskKind = Literal["research", "build", "data", "writing", "outreach", "ops"]


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A required fact about every row. ``unit`` and ``scale`` are as asked ("USD", "millions")."""

    name: str
    type: FieldType = "text"
    unit: str | None = None
    scale: str | None = None
    period: str | None = None


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing compared, possibly bound to domains or to documents (ids, file names, parts of titles)."""

    name: str
    domains: tuple[str, ...] = ()
    docs: tuple[str, ...] = ()


class Contract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The task as admitted. Empty ``rows`` and ``fields`` mean a plain question answered in prose."""

    question: str
    kind: TaskKind = "research"
    rows: tuple[Row, ...] = ()
    fields: tuple[Field, ...] = ()
    domains: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    period: str | None = None
    done: tuple[str, ...] = ()

    def cells(self) -> tuple[tuple[str, str], ...]:
        """Every (row, field) that an answer must fill or declare missing; ``url`` fields are the Host's."""
        return tuple((row.name, field.name) for row in self.rows for field in self.fields if field.type != "url")

    def row(self, name: str) -> Row | None:
        """The row of that name, case ignored."""
        return next((row for row in self.rows if row.name.casefold() == name.casefold()), None)

    def field(self, name: str) -> Field | None:
        """The field of that name, case ignored."""
        return next((field for field in self.fields if field.name.casefold() == name.casefold()), None)


class TimeAnchor(msgspec.Struct, frozen=True):
    """The day that "today" and "the last year" refer to; fixed at admission, never rewritten."""

    as_of: str  # ISO date
    zone: str = "unknown"  # only a caller can name one


CellState = Literal["open", "found", "conflict", "not_found", "unresolved"]
