"""Owns reading Markdown: headings, prose, list items and pipe tables, verbatim where it is prose.

Never: rendering, HTML inside Markdown beyond leaving it as text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from counterfoil.adapters.readers.layout import Layout
from counterfoil.adapters.readers.load import decode, empty, read_bytes
from counterfoil.adapters.readers.tables import grid_of
from counterfoil.ports.reader import ParsedDocument, ReadLimits

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.S)
_FIELD = re.compile(r"^(title|date|updated|lang|language)\s*:\s*['\"]?(.+?)['\"]?\s*$", re.M | re.I)
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class MarkdownReader:
    """Reads ``.md`` files."""

    suffixes: ClassVar[tuple[str, ...]] = (".md", ".markdown", ".mdown", ".mkd")
    version = 3

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file; see ``ports.reader.Reader``."""
        text = decode(read_bytes(path, limits))
        front = _FRONT_MATTER.match(text)
        fields = {k.lower(): v for k, v in _FIELD.findall(front.group(1))} if front else {}
        body = text[front.end() :] if front else text
        layout = Layout(limits)
        comments: list[str] = [front.group(1)] if front else []
        title = _lay_out(body, layout, comments)
        segments = layout.segments()
        if not segments:
            raise empty()
        return ParsedDocument(
            title=fields.get("title") or title or os.path.basename(path),
            media_type="text/markdown",
            segments=segments,
            language=fields.get("lang") or fields.get("language"),
            published=_iso(fields.get("date")),
            updated=_iso(fields.get("updated")),
            warnings=layout.warnings,
            dropped="\n".join(comments),
        )


def _iso(value: str | None) -> str | None:
    found = _ISO_DATE.match(value or "")
    return found.group() if found else None


def _lay_out(text: str, layout: Layout, comments: list[str]) -> str | None:
    """Add top-level blocks in order; return the first heading. Comments are no text and go to ``comments``."""
    from markdown_it import MarkdownIt

    lines = text.split("\n")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    title: str | None = None
    for index, token in enumerate(tokens):
        if token.level != 0 or token.map is None:
            continue
        source = "\n".join(lines[token.map[0] : token.map[1]]).strip("\n")
        if token.type == "heading_open":
            words = _inline(tokens[index + 1])
            title = title or words
            layout.heading(words)
        elif token.type == "table_open":
            _table(tokens, index, layout)
        elif token.type == "html_block" and source.lstrip().startswith("<!--"):
            comments.append(source)
        elif token.type != "hr":
            layout.prose(source)
    return title


def _inline(token: Token) -> str:
    return "".join(
        t.content if t.type in ("text", "code_inline") else " " if t.type.endswith("break") else ""
        for t in token.children or ()
    ).strip()


def _table(tokens: list[Token], start: int, layout: Layout) -> None:
    rows: list[list[str]] = []
    header_rows = 0
    for token in tokens[start + 1 :]:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "thead_close":
            header_rows = len(rows)
        elif token.type == "inline" and rows:
            rows[-1].append(_inline(token))
    grid = grid_of(rows, header_rows=header_rows)
    if grid is not None:
        layout.table(grid)
