"""Owns reading one page into text and passages.

A page whose tables trip the analysis keeps its words as plain text. Never: other pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pypdfium2 as pdfium

from counterfoil.adapters.readers.pdf.cells import reads_as_value
from counterfoil.adapters.readers.pdf.compose import PageText, row_passages
from counterfoil.adapters.readers.pdf.glyphs import PageGlyphs, PageSource
from counterfoil.adapters.readers.pdf.lines import Line, lines
from counterfoil.adapters.readers.pdf.prose import prose_passages
from counterfoil.adapters.readers.pdf.tables import ReadTable, read_tables
from counterfoil.core.evidence.passages import Passage
from counterfoil.core.evidence.split import split_text

_FIGURES_MIN = 3  # words that are numbers; a page with fewer has no table worth a look
_LARGEST_LINES_MAX = 3
_LARGEST_SHARE = 0.97  # of the largest line's height: lines that belong to the same title


@dataclass(slots=True)
class ReadPage:
    """A page's text and passages; ``trouble`` says what went wrong, if anything."""

    text: str
    passages: list[Passage]
    largest: str = ""  # the page's largest text, for a title
    trouble: Literal["", "tables", "page"] = ""


def read_page(document: pdfium.PdfDocument, index: int, chars_max: int) -> ReadPage:
    """Read the page at ``index``."""
    try:
        source = PageSource(document, index)
    except pdfium.PdfiumError:
        return ReadPage("", [], trouble="page")
    try:
        return _read(source, chars_max)
    except Exception:  # noqa: BLE001  # a page that defeats its reading must not take the document along
        return _plain(source, chars_max)
    finally:
        source.close()


def _plain(source: PageSource, chars_max: int) -> ReadPage:
    """The page's text as the library gives it, without lines or tables."""
    try:
        text = source.plain_text()
    except Exception:  # noqa: BLE001  # nothing of the page can be had; the document says so in a warning
        return ReadPage("", [], trouble="page")
    return ReadPage(text, list(split_text(text, chars_max)), "", "tables")


def _read(source: PageSource, chars_max: int) -> ReadPage:
    glyphs = source.glyphs()
    if not glyphs.words:
        return ReadPage("", [])
    found, in_columns = lines(glyphs.words)
    is_bold = _boldness(source, glyphs)
    try:
        tables = [] if in_columns or not _has_figures(glyphs) else read_tables(found, source.rules, is_bold)
        page, passages = _compose(glyphs, found, tables, chars_max, is_bold)
        trouble: Literal["", "tables"] = ""
    except Exception:  # noqa: BLE001  # no layout, however odd, may cost a page its text
        for word in glyphs.words:
            word.unit = -1
        page, passages = _compose(glyphs, found, [], chars_max, is_bold)
        trouble = "tables"
    return ReadPage(page.text, passages, _largest(found), trouble)


def _compose(
    glyphs: PageGlyphs, found: list[Line], tables: list[ReadTable], chars_max: int, is_bold: Callable[[Line], bool]
) -> tuple[PageText, list[Passage]]:
    page = PageText(glyphs.words, found, [row for table in tables for row in table.rows])
    rows = row_passages(page, tables, chars_max)
    for text_line in page.lines:
        if text_line.unit >= 0 and not any(p.start <= text_line.start < p.end for p in rows):
            text_line.unit = -1  # a row too long to quote is split like prose
    header_lines = {n for table in tables for n in table.header_lines}
    title_lines = {n for table in tables for n in table.title_lines}
    rest = prose_passages(page, header_lines, title_lines, chars_max, is_bold)
    return page, sorted([*rows, *rest], key=lambda p: p.start)


def _has_figures(glyphs: PageGlyphs) -> bool:
    count = 0
    for word in glyphs.words:
        if word.text[0] in "0123456789$(€£¥-–—+.%" and reads_as_value(word.text):
            count += 1
            if count >= _FIGURES_MIN:
                return True
    return False


def _boldness(source: PageSource, glyphs: PageGlyphs) -> Callable[[Line], bool]:
    known: dict[int, bool] = {}

    def is_bold(line: Line) -> bool:
        word = next((w for w in line.words if not w.raised and any(c.isalpha() for c in w.text)), line.words[0])
        if word.i not in known:
            known[word.i] = source.is_bold(glyphs.first_char[word.i])
        return known[word.i]

    return is_bold


def _largest(found: list[Line]) -> str:
    lettered = [line for line in found if sum(c.isalpha() for c in line.text) > 2]
    if not lettered:
        return ""
    tallest = max(line.h for line in lettered)
    same = [line for line in lettered if line.h >= _LARGEST_SHARE * tallest]
    return " ".join(line.text for line in same[:_LARGEST_LINES_MAX])
