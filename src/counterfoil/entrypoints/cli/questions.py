"""Owns the questions of a batch: a CSV file to contracts, every row checked before any work begins.

Never: guessing what a column means, or a row that is read past.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn, TypeVar, cast

from msgspec.structs import replace

from counterfoil.core.answer.contract import Contract, Row, TaskKind
from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.cli.options import KINDS, once, parse_field, parse_row, require_text

COLUMNS = ("question", "kind", "rows", "fields", "domains", "docs", "period", "done", "forbidden")
WITHIN = ";"  # between several values of one cell
DELIMITERS = ",;\t"
_T = TypeVar("_T")
_CELL_CHARS_MAX = 131_072  # what csv itself takes, unless a reader in the same process has raised its limit
_CSV_HINT = f"close every quotation mark; a cell holds at most {_CELL_CHARS_MAX:,} characters"
_LISTS = ("rows", "fields", "domains", "docs", "done", "forbidden")


def load_questions(path: str) -> tuple[Contract, ...]:
    """The contracts of a CSV file with a header line; only ``question`` must be there.

    Raises:
        UsageError: it is not there, not UTF-8, empty, or a line says something that a contract cannot.
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise UsageError(
            f"{path} is not UTF-8 text", code="QUESTIONS_UNREADABLE", hint="save it as CSV UTF-8"
        ) from wrong
    except OSError as wrong:
        raise UsageError(
            f"{path} cannot be read: {wrong.strerror}", code="QUESTIONS_UNREADABLE", hint="check the path"
        ) from wrong
    return parse_questions(text, Path(path).name)


def parse_questions(text: str, name: str) -> tuple[Contract, ...]:
    """The contracts in ``text``; ``name`` stands in error messages. Raises as ``load_questions``."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    header: list[str] = []
    contracts: list[Contract] = []
    try:
        for cells in reader:
            if any(len(cell) > _CELL_CHARS_MAX for cell in cells):
                _fail(f"{name}, line {reader.line_num}", "a cell is too long", _CSV_HINT)
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = _header(cells, name)
            else:
                contracts.append(_contract(header, cells, f"{name}, line {reader.line_num}"))
    except csv.Error as wrong:
        _fail(f"{name}, line {reader.line_num}", f"this is no CSV: {wrong}", _CSV_HINT)
    if not contracts:
        _fail(name, "it asks nothing", f"write a header line ({', '.join(COLUMNS[:4])}, …) and a question a line")
    return tuple(contracts)


def _delimiter(text: str) -> str:
    """The separator of the header line: spreadsheets of many languages write a semicolon."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(DELIMITERS, key=first.count)


def _header(cells: list[str], name: str) -> list[str]:
    names = [cell.strip().casefold() for cell in cells]
    hint = f"columns are: {', '.join(COLUMNS)}"
    for place, column in enumerate(names):
        if column not in COLUMNS:
            _fail(name, f"there is no column {cells[place]!r}", hint)
        if column in names[:place]:
            _fail(name, f"the column {column!r} stands twice", "keep one of them")
    if "question" not in names:
        _fail(name, "there is no column 'question'", hint)
    return names


def _contract(header: list[str], cells: list[str], where: str) -> Contract:
    if len(cells) > len(header):
        _fail(
            where, f"it has {len(cells)} cells, the header {len(header)}", "put a cell with commas in quotation marks"
        )
    values = {column: cell.strip() for column, cell in zip(header, cells, strict=False) if cell.strip()}
    if "question" not in values:
        _fail(where, "the question is empty", "ask something, or delete the line")
    for column, value in values.items():
        require_text(value, f"{where}: {column}")
    lists = {column: _several(values.get(column, "")) for column in _LISTS}
    kind = values.get("kind", "research")
    if kind not in KINDS:
        _fail(where, f"there is no kind {kind!r}", f"kinds are: {', '.join(KINDS)}")
    return Contract(
        question=values["question"],
        kind=cast(TaskKind, kind),
        rows=_rows(lists, where),
        fields=_at(where, lambda: once(tuple(parse_field(text) for text in lists["fields"]), "fields")),
        domains=lists["domains"],
        forbidden=lists["forbidden"],
        period=values.get("period"),
        done=lists["done"],
    )


def _rows(lists: Mapping[str, tuple[str, ...]], where: str) -> tuple[Row, ...]:
    rows = _at(where, lambda: once(tuple(parse_row(text) for text in lists["rows"]), "rows"))
    if lists["docs"] and not rows:
        _fail(where, "it names documents and no row to bind them to", "name the thing asked about in `rows`")
    return tuple(replace(row, docs=lists["docs"]) for row in rows)


def _at(where: str, read: Callable[[], _T]) -> _T:
    """``read()``, whose complaint names the line."""
    try:
        return read()
    except UsageError as wrong:
        raise UsageError(f"{where}: {wrong.message}", code=wrong.code, hint=wrong.hint) from wrong


def _several(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(WITHIN) if part.strip())


def _fail(where: str, what: str, hint: str) -> NoReturn:
    raise UsageError(f"{where}: {what}", code="QUESTIONS_INVALID", hint=hint)
