"""Owns the shape of read material: segments, quotable passages, table rows.

A segment is what one read returns (a page); a passage is what a citation may quote.
Never: file formats, handles, or evidence IDs (those exist only inside a Run).
"""

from __future__ import annotations

from typing import Literal

import msgspec

PassageKind = Literal["heading", "text", "item", "row"]


class Span(msgspec.Struct, frozen=True):
    """A verbatim piece of a segment: ``segment.text[start:end] == text`` (code points)."""

    text: str
    start: int
    end: int


class Cell(msgspec.Struct, frozen=True):
    """One value of a table row with everything a reader needs to understand it.

    ``header`` holds the column header, outermost level first, each level verbatim with its own span.
    ``scale`` is the phrase that scales this very cell ("In millions", "%", "$ in thousands, except
    per share"), ``None`` when the document does not say. ``multiplier`` is that phrase as a decimal
    string ("1000000", "1000", "1"), ``None`` when unknown. ``unit`` is "USD", "EUR", "percent",
    "shares", "count", "per share" and the like, ``None`` when unknown.
    """

    value: Span
    header: tuple[Span, ...] = ()
    scale: Span | None = None
    multiplier: str | None = None
    unit: str | None = None


class TableRow(msgspec.Struct, frozen=True):
    """What stands beside a table row: its table's title, its section, its label, its cells."""

    label: Span | None
    cells: tuple[Cell, ...]
    title: Span | None = None
    section: Span | None = None  # the sub-heading above the row ("Current assets:")


class Passage(msgspec.Struct, frozen=True):
    """A quotable part of a segment. ``text`` is verbatim: ``segment.text[start:end]``.

    Passages of one segment are ordered, do not overlap, and hold at most reader/passage-chars.
    """

    start: int
    end: int
    text: str
    kind: PassageKind = "text"
    heading: str | None = None  # nearest heading above, for context; not part of the quote
    table: TableRow | None = None  # only for kind "row"


class Segment(msgspec.Struct, frozen=True):
    """A page-sized part of a document. ``page`` is 1-based as a viewer counts; None without pages."""

    document: str  # the document's id in its corpus or web
    index: int  # 0-based
    count: int  # segments in the whole document
    text: str
    passages: tuple[Passage, ...]
    page: int | None = None
    heading: str | None = None


class Document(msgspec.Struct, frozen=True):
    """What is known of a document as a whole. ``published`` is an ISO date where the format states one."""

    id: str
    url: str
    title: str
    media_type: str
    segments: int
    content_hash: str  # sha256 of the file's bytes, hexadecimal
    language: str | None = None
    published: str | None = None
    updated: str | None = None
    dates_guessed: bool = False
    subject: str | None = None  # company or main subject, from the title page
    period: str | None = None  # "FY2018", "Q2 2023": the period the document reports on, normalised
    form: str | None = None  # "10-K", "10-Q", "8-K", "earnings release", ...
    instructions: tuple[str, ...] = ()  # text anywhere in the document, hidden text too, that reads like an order
