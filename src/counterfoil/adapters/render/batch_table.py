"""Owns the table of a batch: a line for each cell that was asked, with its quote and where that stands.

Never: a formula that a spreadsheet would run; a text that looks like one is marked as text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from counterfoil.adapters.render.plain import one_line

COLUMNS = (
    "place", "question", "status", "row", "field", "state", "value", "unit", "period", "kind",
    "quote", "title", "page", "url", "why", "run_id",
)  # fmt: skip
_SAID = ("row", "field", "state", "value", "unit", "period", "kind")
BETWEEN = " | "  # several citations of one cell
_FORMULA = ("=", "+", "@", "-", "\t", "\r")  # what spreadsheets read as one
_NUMERIC = frozenset("0123456789.,-+ %")


class Cited(msgspec.Struct, frozen=True):
    """A quote and where it stands; ``page`` as a viewer counts it."""

    quote: str
    title: str
    page: int | None
    url: str


class TableLine(msgspec.Struct, frozen=True):
    """One cell of one question. ``citations``: every quote behind its value; ``why``: what is missing or wrong."""

    place: int
    question: str
    status: str
    run_id: str
    row: str = ""
    field: str = ""
    state: str = ""
    value: str = ""
    unit: str = ""
    period: str = ""
    kind: str = ""
    why: str = ""
    citations: tuple[Cited, ...] = ()


def lines_of(place: int, report: dict[str, Any]) -> Iterator[TableLine]:
    """The lines of a Run from its report (DESIGN section 12, as builtins)."""
    publication = report["publication"] or {"body": "", "citations": []}
    quotes = {cited["id"]: _cited(cited) for cited in publication["citations"]}
    begun: dict[str, Any] = {
        "place": place,
        "question": report["question"],
        "status": report["status"],
        "run_id": report["run_id"],
    }
    why = {(gap["row"], gap["field"]): gap["why"] for gap in report["gaps"]}
    for cell in report["evidence_table"]:
        said: dict[str, Any] = {key: cell[key] or "" for key in _SAID}
        yield TableLine(
            **begun,
            **said,
            why=why.get((cell["row"], cell["field"]), ""),
            citations=tuple(quotes[name] for name in cell["evidence"] if name in quotes),
        )
    if not report["evidence_table"]:
        body = next((line for line in publication["body"].splitlines() if line.strip()), "")
        gaps = "; ".join(text for text in why.values() if text)
        state = "found" if quotes else "unresolved"
        yield TableLine(**begun, state=state, value=body, why=gaps, citations=tuple(quotes.values()))


def _cited(citation: dict[str, Any]) -> Cited:
    return Cited(**{key: citation[key] for key in ("quote", "title", "page", "url")})


def render_batch_csv(lines: Sequence[TableLine]) -> str:
    """The table as CSV (RFC 4180) with a header line; several citations of one cell stand behind each other."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for line in lines:
        writer.writerow([_inert(_text_of(line, column)) for column in COLUMNS])
    return out.getvalue()


def _text_of(line: TableLine, column: str) -> str:
    if column in Cited.__struct_fields__:
        return BETWEEN.join("" if (part := getattr(cited, column)) is None else str(part) for cited in line.citations)
    return str(getattr(line, column))


def _inert(value: str) -> str:
    """A cell that no spreadsheet runs; a negative number stays one."""
    text = one_line(value)
    runs = text.startswith(_FORMULA) and not (text[0] in "+-" and set(text) <= _NUMERIC)
    return f"'{text}" if runs else text
