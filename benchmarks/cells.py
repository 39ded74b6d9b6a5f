"""Samples random table cells of given PDFs so that a person can check them by eye.

Prints page, row, label, section, headers, scale and unit of each. Never: judges a cell itself.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

from counterfoil.adapters.readers.pdf import PdfReader
from counterfoil.core.evidence.passages import Cell, Passage, Span
from counterfoil.ports.reader import ReadLimits

LIMITS = ReadLimits(file_bytes_max=200_000_000, segment_chars_max=100_000, passage_chars_max=400)


def words(span: Span | None) -> str | None:
    return None if span is None else " ".join(span.text.split())


def entry(name: str, page: int | None, passage: Passage, cell: Cell) -> dict[str, object]:
    table = passage.table
    assert table is not None
    return {
        "file": name,
        "page": page,
        "row": " ".join(passage.text.split()),
        "value": cell.value.text,
        "label": words(table.label),
        "section": words(table.section),
        "header": [words(h) for h in cell.header],
        "scale": words(cell.scale),
        "multiplier": cell.multiplier,
        "unit": cell.unit,
        "title": words(table.title),
    }


def collect(paths: list[Path]) -> tuple[list[dict[str, object]], int, float]:
    cells: list[dict[str, object]] = []
    pages = 0
    started = time.process_time()
    for path in paths:
        document = PdfReader().read(str(path), LIMITS)
        for warning in document.warnings:
            print(f"{path.name}: {warning}", file=sys.stderr)
        pages += max((s.page or 0) for s in document.segments)
        for segment in document.segments:
            for passage in segment.passages:
                if passage.table is not None:
                    cells.extend(entry(path.name, segment.page, passage, c) for c in passage.table.cells)
    return cells, pages, time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("pdf", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cells, pages, seconds = collect(given.pdf)
    chosen = random.Random(given.seed).sample(cells, min(given.count, len(cells)))
    if given.json:
        print(json.dumps(chosen, ensure_ascii=False, indent=1))
        return
    print(f"{len(cells)} cells on {pages} pages in {seconds:.1f} s CPU\n")
    for number, cell in enumerate(chosen, 1):
        print(f"{number}. {cell['file']} p. {cell['page']}   value {cell['value']}")
        for key in ("row", "label", "section", "header", "title"):
            print(f"     {key:8} {cell[key]}")
        print(f"     scale    {cell['scale']}  x {cell['multiplier']}  unit {cell['unit']}\n")


if __name__ == "__main__":
    main()
