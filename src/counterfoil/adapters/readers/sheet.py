"""Owns reading tables of figures: CSV, TSV and spreadsheets, one passage per row.

Never: formulas or macros (stored values only), charts, formats of cells beyond dates and per cent.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import math
import os
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, ClassVar

from counterfoil.adapters.readers.layout import Layout
from counterfoil.adapters.readers.load import check_archive, corrupt, decode, empty, read_bytes
from counterfoil.adapters.readers.tables import grid_of
from counterfoil.core.errors import DocumentUnreadable
from counterfoil.ports.reader import ParsedDocument, ReadLimits

_DELIMITERS = ",;\t|"
_SNIFF_LINES = 50
_CELLS_MAX = 1_000_000  # of one sheet: what fits in memory with the rest
_FIELD_CHARS_MAX = 10_000_000  # an unclosed quotation mark would otherwise make one field of the whole file
_WHOLE_MAX = 1e15  # beyond this a float no longer counts units
_ARCHIVES = (".xlsx", ".xlsm", ".xlsb", ".ods")
_XLS_MAGIC = b"\xd0\xcf\x11\xe0"


class SheetReader:
    """Reads ``.csv``, ``.tsv``, ``.xlsx``, ``.xls`` and kin."""

    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
    version = 4

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file; see ``ports.reader.Reader``."""
        suffix = os.path.splitext(path)[1].lower()
        data = read_bytes(path, limits)
        layout = Layout(limits)
        if suffix in (".csv", ".tsv", ".tab"):
            media_type = "text/csv" if suffix == ".csv" else "text/tab-separated-values"
            _add(_csv_rows(decode(data), suffix), None, layout)
        else:
            media_type = (
                "application/vnd.ms-excel"
                if suffix == ".xls"
                else "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            )
            _workbook(data, suffix, limits, layout, progress)
        segments = layout.segments()
        if not segments:
            raise empty()
        return ParsedDocument(
            title=os.path.basename(path), media_type=media_type, segments=segments, warnings=layout.warnings
        )


def _protected() -> DocumentUnreadable:
    return DocumentUnreadable(
        "the spreadsheet is protected with a password", code="ENCRYPTED", hint="save a copy without one"
    )


def _csv_rows(text: str, suffix: str) -> list[list[str]]:
    delimiter = "," if suffix == ".csv" else "\t"
    if suffix == ".csv":
        delimiter = _delimiter(text.split("\n", _SNIFF_LINES)[:_SNIFF_LINES])
    csv.field_size_limit(_FIELD_CHARS_MAX)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise corrupt("CSV", error) from error


def _delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that parts most lines into the same number of fields, more than one."""
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = [len(r) for r in csv.reader(lines, delimiter=delimiter) if r]
        usual = max(set(widths), key=widths.count, default=1)
        score = widths.count(usual) / max(1, len(widths)) * min(usual, 8) if usual > 1 else 0.0
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _workbook(
    data: bytes, suffix: str, limits: ReadLimits, layout: Layout, progress: Callable[[int, int], None] | None
) -> None:
    if data.startswith(_XLS_MAGIC) and suffix != ".xls":
        raise _protected()
    if suffix in _ARCHIVES:
        check_archive(data, "a spreadsheet", limits)
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    from counterfoil.adapters.readers.sheet_percent import percent_places

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = book.sheet_names
        percent = percent_places(data) if suffix in (".xlsx", ".xlsm") else {}
        for number, name in enumerate(names):
            sheet = book.get_sheet_by_name(name)
            if sheet.total_height * sheet.total_width > _CELLS_MAX:
                raise DocumentUnreadable(
                    f"the sheet {name!r} has {sheet.total_height:,} rows and {sheet.total_width:,} columns: "
                    "too many to read",
                    code="TOO_LARGE",
                    hint="split it, or save the part you need as CSV",
                )
            layout.heading(name)
            first_row, first_column = sheet.start or (0, 0)
            shown = percent.get(name, frozenset())
            rows = [
                [_cell(c, percent=(first_row + y, first_column + x) in shown) for x, c in enumerate(row)]
                for y, row in enumerate(sheet.to_python())
            ]
            _add(rows, None, layout)
            layout.flush()
            if progress is not None:
                progress(number + 1, len(names))
    except PasswordError as error:
        raise _protected() from error
    except (CalamineError, OSError, ValueError, KeyError) as error:
        raise corrupt("a spreadsheet", error) from error


def _cell(value: Any, *, percent: bool = False) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if percent and isinstance(value, (int, float)) and math.isfinite(value):
        return f"{(Decimal(repr(value)) * 100).normalize():f}%"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _WHOLE_MAX else repr(value)
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    if isinstance(value, (dt.date, dt.datetime, dt.time)):
        return value.isoformat()
    return str(value)


def _add(rows: Sequence[Sequence[str]], title: str | None, layout: Layout) -> None:
    """Add the tables of one sheet: blank rows part them where a new header follows."""
    for block in _blocks(rows):
        grid = grid_of(block, title=title)
        if grid is None:
            continue
        if grid.width == 1:
            for row in (*grid.header, *grid.body):
                layout.prose(row[0])
        else:
            layout.table(grid)


def _blocks(rows: Sequence[Sequence[str]]) -> list[list[Sequence[str]]]:
    out: list[list[Sequence[str]]] = [[]]
    for i, row in enumerate(rows):
        if any(str(c).strip() for c in row):
            out[-1].append(row)
        elif len(out[-1]) > 2 and i + 1 < len(rows):
            out.append([])
    return [b for b in out if b]
