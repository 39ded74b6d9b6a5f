"""Owns finding the cells of a workbook that show a share as per cent: 0.125 is shown as 12.5%.

Never: any other format of a cell; a workbook whose styles cannot be read has no such cells.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from io import BytesIO

from lxml import etree

Places = frozenset[tuple[int, int]]  # row and column, from 0
_BUILT_IN = frozenset(["9", "10"])  # 0% and 0.00%
_QUOTED = re.compile(r'"[^"]*"|\\.')
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def percent_places(data: bytes) -> dict[str, Places]:
    """Return for every sheet, by name, where its cells are shown as per cent."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as book:
            styles = _percent_styles(book)
            return {name: _places(book, path, styles) for name, path in _sheets(book)} if styles else {}
    except (zipfile.BadZipFile, SyntaxError, KeyError, OSError, ValueError):
        return {}


def _elements(book: zipfile.ZipFile, path: str, *names: str) -> Iterator[etree._Element]:
    with book.open(path) as part:
        found = etree.iterparse(part, tag=[f"{{*}}{name}" for name in names], resolve_entities=False, no_network=True)
        for _, element in found:
            yield element
            element.clear()


def _percent_styles(book: zipfile.ZipFile) -> frozenset[str]:
    """Return the numbers of the cell styles whose format ends in a percent sign."""
    own = {
        e.get("numFmtId", "")
        for e in _elements(book, "xl/styles.xml", "numFmt")
        if "%" in _QUOTED.sub("", e.get("formatCode", ""))
    }
    formats: list[str] = []
    for group in _elements(book, "xl/styles.xml", "cellXfs"):
        formats = [str(style.get("numFmtId", "")) for style in group]
    return frozenset(str(i) for i, number in enumerate(formats) if number in own or number in _BUILT_IN)


def _sheets(book: zipfile.ZipFile) -> list[tuple[str, str]]:
    targets = {
        e.get("Id"): posixpath.normpath(posixpath.join("xl", e.get("Target", ""))).lstrip("/")
        for e in _elements(book, "xl/_rels/workbook.xml.rels", "Relationship")
    }
    sheets = [
        (e.get("name", ""), targets.get(e.get(_RELATION), "")) for e in _elements(book, "xl/workbook.xml", "sheet")
    ]
    return [(name, path) for name, path in sheets if path in book.namelist()]


def _places(book: zipfile.ZipFile, path: str, styles: frozenset[str]) -> Places:
    found = set()
    for cell in _elements(book, path, "c"):
        reference = _REFERENCE.fullmatch(cell.get("r", ""))
        if reference and cell.get("s") in styles:
            column = 0
            for letter in reference[1]:
                column = column * 26 + ord(letter) - ord("A") + 1
            found.add((int(reference[2]) - 1, column - 1))
    return frozenset(found)
