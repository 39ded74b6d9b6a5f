"""Owns an HTML page's content: main text in order, headings, lists, tables, metadata; nothing is executed or fetched.

What main-text extraction drops stays available: visible text as last segments, hidden text in ``dropped``.
Never: following links, trusting what the page says of itself.
"""

from __future__ import annotations

import logging
import re
from typing import Any

import trafilatura
from lxml import etree
from lxml import html as lxml_html

from counterfoil.adapters.readers.html_blocks import Block, Walker
from counterfoil.adapters.readers.html_meta import metadata
from counterfoil.adapters.readers.layout import Layout
from counterfoil.adapters.readers.load import corrupt, empty
from counterfoil.adapters.readers.tables import grid_of
from counterfoil.ports.reader import ParsedDocument, ReadLimits

_MAIN_BYTES_MAX = 3_000_000  # above this the whole body is taken: extraction would take many seconds
_MAIN_SHARE_MIN = 0.02  # of the body's characters: less is a failed extraction
_CODE = re.compile(r"<(script|style|template|noscript|head)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.I | re.S)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_REST_HEADING = "Elsewhere on the page"


def parse_html(text: str, name: str, limits: ReadLimits) -> ParsedDocument:
    """Return the document that the markup in ``text`` describes; ``name`` stands in for a missing title."""
    root, stopped = _parse(text)
    walker = Walker()
    blocks = walker.blocks(root) or _bare(text)
    known = metadata(root)
    main, rest = _split(blocks, _main_text(text))
    layout = Layout(limits)
    _lay_out(main, layout)
    if rest:
        layout.flush()
        layout.heading(_REST_HEADING)
        _lay_out(rest, layout)
    segments = layout.segments()
    if not main:
        raise empty()
    return ParsedDocument(
        title=known.title or next((b.text for b in main if b.kind == "heading"), None) or name,
        media_type="text/html",
        segments=segments,
        language=known.language,
        published=known.published,
        updated=known.updated,
        dates_guessed=known.guessed,
        warnings=(*stopped, *walker.warnings, *layout.warnings),
        dropped="\n".join([*walker.hidden, *known.hidden]),
    )


def _parse(text: str) -> tuple[Any, tuple[str, ...]]:
    """Return the tree, and what the parser gave up on, in sentences."""
    # Bytes and a named encoding: a declaration inside the text can then no longer mislead the parser.
    parser = lxml_html.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_pis=True)
    try:
        root = lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise corrupt("HTML", error) from error
    limits = dict.fromkeys(e.message.split(",")[0] for e in parser.error_log if e.type_name == "ERR_RESOURCE_LIMIT")
    return root, tuple(f"the page was read only up to a limit of the parser: {limit}" for limit in limits)


def _bare(text: str) -> list[Block]:
    """Return what is left without tags: for markup so broken that the parser keeps nothing of it."""
    words = " ".join(_TAG.sub(" ", _CODE.sub(" ", text)).split())
    return [Block("text", words)] if words else []


def _main_text(text: str) -> str:
    """Return the letters and digits of the main text; empty when extraction finds none."""
    if len(text) > _MAIN_BYTES_MAX:
        return ""
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it logs pages without main text as errors
    try:
        found = trafilatura.extract(text, fast=True, include_tables=True, include_comments=False, favor_recall=True)
    except Exception:  # noqa: BLE001  # the whole body then stands in for the main text: nothing is lost
        return ""
    return _key(found or "")


def _split(blocks: list[Block], main: str) -> tuple[list[Block], list[Block]]:
    """Part blocks into main text and the rest; a poor extraction makes everything main text."""
    total = sum(len(b.text) for b in blocks)
    if len(main) < total * _MAIN_SHARE_MIN or not main:
        return blocks, []
    kept: list[Block] = []
    rest: list[Block] = []
    for block in blocks:
        in_main = _key(block.text) in main if block.kind != "table" else not block.chrome and _any_cell_in(block, main)
        heading = block.kind == "heading" and not block.chrome
        (kept if in_main or heading else rest).append(block)
    return (kept, rest) if any(b.kind != "heading" for b in kept) else (blocks, [])


def _any_cell_in(block: Block, main: str) -> bool:
    cells = [_key(c) for row in block.rows for c in row if c]
    inside = sum(1 for c in cells if c and c in main)
    return block.is_data or inside * 2 >= len(cells)


def _key(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _lay_out(blocks: list[Block], layout: Layout) -> None:
    for block in blocks:
        if block.kind == "heading":
            layout.heading(block.text)
        elif block.kind == "table":
            grid = grid_of(block.rows, title=block.caption, header_rows=block.header_rows)
            if grid is not None:
                layout.table(grid)
        else:
            layout.prose(block.text, "item" if block.kind == "item" else "text")
