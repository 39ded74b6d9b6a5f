"""Owns reading JSON and JSON Lines as flat, readable lines: ``path: value``; lists of records as tables.

Never: interpreting what the data means.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from counterfoil.adapters.readers.layout import Layout
from counterfoil.adapters.readers.load import corrupt, decode, empty, read_bytes
from counterfoil.adapters.readers.tables import grid_of
from counterfoil.ports.reader import ParsedDocument, ReadLimits

_DEPTH_MAX = 200  # reading is recursive; data made to be read nest a handful deep
_COLUMNS_MAX = 60  # records with more keys are listed key by key
_TITLES = ("title", "name", "headline")


class JsonReader:
    """Reads ``.json`` and ``.jsonl`` files."""

    suffixes: ClassVar[tuple[str, ...]] = (".json", ".jsonl", ".ndjson", ".geojson")
    version = 2

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file; see ``ports.reader.Reader``."""
        value = _parse(decode(read_bytes(path, limits)))
        layout = Layout(limits)
        try:
            _lay_out("", value, layout, 0)
        except RecursionError as error:
            raise corrupt("JSON", "it is nested too deeply") from error
        segments = layout.segments()
        if not segments:
            raise empty()
        title = next(
            (str(value[k]) for k in _TITLES if isinstance(value, dict) and isinstance(value.get(k), str)), None
        )
        return ParsedDocument(
            title=title or os.path.basename(path),
            media_type="application/json",
            segments=segments,
            warnings=layout.warnings,
        )


def _parse(text: str) -> Any:
    try:
        return json.loads(text, parse_float=str, parse_int=str)
    except RecursionError as error:
        raise corrupt("JSON", "it is nested too deeply") from error
    except ValueError as first:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise corrupt("JSON", first) from first
        try:
            return [json.loads(line, parse_float=str, parse_int=str) for line in lines]
        except (ValueError, RecursionError):
            raise corrupt("JSON", first) from first


def _lay_out(path: str, value: Any, layout: Layout, depth: int) -> None:
    if depth > _DEPTH_MAX:
        raise corrupt("JSON", "it is nested too deeply")
    if isinstance(value, list) and _is_records(value):
        _records(path, value, layout)
    elif isinstance(value, dict):
        scalars = [(k, v) for k, v in value.items() if not isinstance(v, (dict, list))]
        _lines([(f"{path}{k}", v) for k, v in scalars], layout)
        for key, inner in value.items():
            if isinstance(inner, (dict, list)) and inner:
                _lay_out(f"{path}{key}.", inner, layout, depth + 1)
    elif isinstance(value, list):
        flat = [v for v in value if not isinstance(v, (dict, list))]
        if flat:
            _lines([(path.rstrip(".") or "value", v) for v in flat], layout)
        for number, inner in enumerate(value):
            if isinstance(inner, (dict, list)):
                _lay_out(f"{path}{number}.", inner, layout, depth + 1)
    else:
        _lines([(path.rstrip(".") or "value", value)], layout)


def _lines(pairs: list[tuple[str, Any]], layout: Layout) -> None:
    for key, value in pairs:
        layout.prose(f"{key}: {_text(value)}", "item")


def _text(value: Any) -> str:
    if value is None:
        return "null"
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _is_records(value: list[Any]) -> bool:
    if len(value) < 2 or not all(isinstance(v, dict) and v for v in value):
        return False
    keys = {k for v in value for k in v}
    flat = all(not isinstance(x, (dict, list)) for v in value for x in v.values())
    return flat and len(keys) <= _COLUMNS_MAX


def _records(path: str, value: list[dict[str, Any]], layout: Layout) -> None:
    keys = list(dict.fromkeys(k for v in value for k in v))
    rows = [keys, *_rows(value, keys)]
    grid = grid_of(rows, title=path.rstrip(".") or None, header_rows=1)
    if grid is not None:
        layout.table(grid)


def _rows(value: list[dict[str, Any]], keys: list[str]) -> Iterator[list[str]]:
    for record in value:
        yield [_text(record[k]) if k in record and record[k] is not None else "" for k in keys]
