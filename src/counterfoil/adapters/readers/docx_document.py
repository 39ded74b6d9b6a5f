"""Owns a Word document's content: headings, paragraphs, list items, tables in document order.

Never: macros, images, tracked changes beyond the text that stands.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from typing import Any

from docx import Document as open_docx
from docx.opc.exceptions import PackageNotFoundError
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml.etree import LxmlError

from counterfoil.adapters.readers.layout import Layout
from counterfoil.adapters.readers.load import check_archive, corrupt, empty, read_bytes
from counterfoil.adapters.readers.phrases import is_scale_line
from counterfoil.adapters.readers.tables import grid_of
from counterfoil.core.errors import DocumentUnreadable
from counterfoil.ports.reader import ParsedDocument, ReadLimits

_OLE_MAGIC = b"\xd0\xcf\x11\xe0"
_CAPTION_CHARS_MAX = 200
_NO_TITLES = frozenset({"word document", "document", "untitled", "microsoft word document"})
_HEADINGS = ("heading", "title", "überschrift", "titel")


def read_docx(path: str, limits: ReadLimits) -> ParsedDocument:
    """Read the file at ``path``; raise ``DocumentUnreadable`` saying why when it cannot be used."""
    data = read_bytes(path, limits)
    if data.startswith(_OLE_MAGIC):
        raise DocumentUnreadable(
            "the document is protected with a password or of the old .doc kind",
            code="ENCRYPTED",
            hint="save a copy as .docx without a password",
        )
    check_archive(data, "a Word document", limits)
    try:
        document = open_docx(io.BytesIO(data))
        layout = Layout(limits)
        title = _lay_out(document, layout)
        core = document.core_properties
        stated = _stated_title(core.title)
        published = core.created.date().isoformat() if core.created else None
        updated = core.modified.date().isoformat() if core.modified else None
        dropped = "\n".join(_unseen(document))
    except (PackageNotFoundError, LxmlError, KeyError, ValueError, AttributeError, zipfile.BadZipFile) as error:
        raise corrupt("a Word document", error) from error
    segments = layout.segments()
    if not segments:
        raise empty()
    return ParsedDocument(
        title=stated or title or os.path.basename(path),
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        segments=segments,
        language=(core.language or "").strip() or None,
        published=published,
        updated=updated,
        dates_guessed=bool(published or updated),  # properties of the file, not of what it says
        warnings=layout.warnings,
        dropped=dropped,
    )


def _unseen(document: Any) -> Iterator[str]:
    """Text of the file that does not stand on its pages: comments, and what its properties say."""
    core = document.core_properties
    yield from (comment.text for comment in document.comments)
    yield from filter(None, (core.comments, core.subject, core.keywords, core.category))


def _stated_title(title: str | None) -> str:
    """The document's own title; what a word processor writes into a new file is none."""
    stated = (title or "").strip()
    return "" if stated.casefold() in _NO_TITLES else stated


def _lay_out(document: Any, layout: Layout) -> str | None:
    title: str | None = None
    caption = ""  # a short paragraph that may turn out to be the title of a table
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            _table(block, caption or None, layout)
            caption = ""
            continue
        text = block.text.strip()
        if not text:
            continue
        if caption and is_scale_line(text):
            caption = f"{caption} {text}"
            continue
        if caption:
            layout.prose(caption)
            caption = ""
        style = _style(block)
        if style.startswith(_HEADINGS):
            title = title or text
            layout.heading(text)
        elif style == "caption" or (len(text) <= _CAPTION_CHARS_MAX and not text.endswith(".") and not _is_item(block)):
            caption = text
        else:
            layout.prose(block.text, "item" if _is_item(block) else "text")
    if caption:
        layout.prose(caption)
    return title


def _is_item(paragraph: Paragraph) -> bool:
    properties = paragraph._p.pPr
    return "list" in _style(paragraph) or (properties is not None and properties.numPr is not None)


def _style(paragraph: Paragraph) -> str:
    style = paragraph.style
    return (style.name or "").lower() if style is not None else ""


def _table(table: Table, caption: str | None, layout: Layout) -> None:
    rows = [[_cell_text(cell) for cell in row.cells] for row in table.rows]
    grid = grid_of(rows, title=caption)
    if grid is None:
        if caption:
            layout.prose(caption)
    elif grid.width == 1:
        for text in (caption, *(row[0] for row in (*grid.header, *grid.body))):
            layout.prose(text or "")
    else:
        layout.table(grid)


def _cell_text(cell: Any) -> str:
    inner = [" ".join(c.text for r in t.rows for c in r.cells) for t in cell.tables]
    return " ".join([cell.text, *inner]).strip()
