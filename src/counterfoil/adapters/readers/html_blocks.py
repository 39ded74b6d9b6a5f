"""Owns walking an HTML tree into blocks in reading order: headings, prose, list items, data tables.

Also collects what a person would not see. Never: deciding what is main text, metadata.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

BlockKind = Literal["heading", "text", "item", "table"]

_SKIPPED_TAGS = """
    script style noscript template svg canvas iframe object embed head math audio video select option
"""
_SKIPPED = frozenset(_SKIPPED_TAGS.split())
_CODE = frozenset(("script", "style", "head"))  # no text; a page's metadata are looked at elsewhere
_BREAKS_TAGS = """
    address article aside blockquote body br center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody
    td tfoot th thead tr ul caption
"""
_BREAKS = frozenset(_BREAKS_TAGS.split())
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CHROME = frozenset(("nav", "footer", "aside", "form", "header"))
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|$)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)",
    re.I,
)
_SPACE = re.compile(r"[^\S\u3000]+")
_COLUMNS_MAX = 200  # spans can claim millions of cells; no table that people read is wider
_DEPTH_MAX = 400  # walking is recursive; pages made by people nest a few dozen deep
_CELL_DEPTH_MAX = 100  # inside one cell; what nests deeper is taken as plain text


@dataclass(slots=True)
class Block:
    """One block. Tables have ``rows`` (spans repeated), a caption and the number of header rows when marked."""

    kind: BlockKind
    text: str
    chrome: bool = False  # stands in navigation, header, footer or a form
    rows: list[list[str]] = field(default_factory=list)
    caption: str | None = None
    header_rows: int | None = None
    is_data: bool = False


class Walker:
    """Walks one tree."""

    def __init__(self) -> None:
        self.hidden: list[str] = []
        self._deep = 0
        self._wide = 0
        self._blocks: list[Block] = []
        self._run: list[str] = []
        self._kind: BlockKind = "text"

    def blocks(self, root: Any) -> list[Block]:
        """Return the blocks of ``root`` in reading order."""
        body = root.find("body")
        self._walk(body if body is not None else root, False, 0)
        self._end(False)
        return self._blocks

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was left out of the blocks, in sentences."""
        out = []
        if self._deep:
            out.append(f"{self._deep} parts nested more than {_DEPTH_MAX} levels deep were left out")
        if self._wide:
            out.append(f"{self._wide} table rows were cut after {_COLUMNS_MAX} columns")
        return tuple(out)

    def _walk(self, node: Any, chrome: bool, depth: int) -> None:
        tag = node.tag
        if not isinstance(tag, str):
            self._hide(node.text)  # a comment
            return
        if tag in _SKIPPED or depth > _DEPTH_MAX or _is_hidden(node):
            self._leave_out(node, depth)
            return
        chrome = chrome or tag in _CHROME
        if tag == "table" and _is_data_table(node):
            self._end(chrome)
            self._table(node, chrome)
            return
        breaks = tag in _BREAKS
        if breaks and tag != "br":
            self._end(chrome)
        before, self._kind = self._kind, _kind_of(tag, self._kind)
        self._text(node.text, keep_lines=tag == "pre")
        for child in node:
            self._walk(child, chrome, depth + 1)
            self._text(child.tail, keep_lines=tag == "pre")
        if tag == "br":
            self._run.append("\n")
        elif breaks:
            self._end(chrome)
        self._kind = before

    def _text(self, text: str | None, *, keep_lines: bool) -> None:
        if text:
            self._run.append(text if keep_lines else _SPACE.sub(" ", text))

    def _end(self, chrome: bool) -> None:
        lines = [_SPACE.sub(" ", line).strip() for line in "".join(self._run).split("\n")]
        text = "\n".join(line for line in lines if line)
        self._run = []
        if text:
            self._blocks.append(Block(self._kind, text, chrome))

    def _leave_out(self, node: Any, depth: int) -> None:
        if node.tag in _CODE:
            return
        text = node.text_content()
        self._deep += depth > _DEPTH_MAX and bool(text.strip())
        self._hide(text)

    def _hide(self, text: str | None) -> None:
        folded = " ".join((text or "").split())
        if folded:
            self.hidden.append(folded)

    def _table(self, table: Any, chrome: bool) -> None:
        caption = next((self._inline(c) for c in table.iter("caption")), None) or None
        rows, header_rows = self._grid(table)
        text = "\n".join(" ".join(c for c in row if c) for row in rows)
        if text.strip():
            self._blocks.append(Block("table", text, chrome, rows, caption, header_rows, is_data=True))

    def _grid(self, table: Any) -> tuple[list[list[str]], int | None]:
        """Expand row and column spans; return the rows and how many are marked as headers."""
        rows: list[list[str]] = []
        pending: dict[int, tuple[int, str]] = {}
        marked = 0
        counting = True
        for tr in table.iter("tr"):
            row: list[str] = []
            cells = [c for c in tr if c.tag in ("td", "th")]
            cut = False
            for cell in cells:
                _carry(row, pending)
                text = self._inline(cell)
                width, height = _span(cell, "colspan"), _span(cell, "rowspan")
                kept = min(width, _COLUMNS_MAX - len(row))
                cut = cut or (kept < width and bool(text))
                for _ in range(kept):
                    if height > 1:
                        pending[len(row)] = (height - 1, text)
                    row.append(text)
            _carry(row, pending)
            self._wide += cut
            rows.append(row)
            is_header = bool(cells) and (all(c.tag == "th" for c in cells) or _in_head(tr))
            counting = counting and is_header
            marked += counting
        return rows, marked or None

    def _inline(self, node: Any) -> str:
        """The text of a cell or caption in one line; what a person would not see goes where hidden text goes."""
        parts: list[str] = []
        self._gather(node, parts, 0)
        return _SPACE.sub(" ", "".join(parts)).strip()

    def _gather(self, node: Any, parts: list[str], depth: int) -> None:
        if not isinstance(node.tag, str):
            self._hide(node.text)
        elif node.tag in _SKIPPED or _is_hidden(node):
            self._leave_out(node, depth)
        elif depth > _CELL_DEPTH_MAX:
            parts.append(node.text_content())
        else:
            parts.append(" " if node.tag == "br" else node.text or "")
            for child in node:
                self._gather(child, parts, depth + 1)
                parts.append(child.tail or "")


def _kind_of(tag: str, current: BlockKind) -> BlockKind:
    if tag in _HEADINGS:
        return "heading"
    if tag in ("li", "dd"):
        return "item"
    return "text" if tag in ("p", "div", "td", "section", "article", "body") and current != "item" else current


def _is_hidden(node: Any) -> bool:
    if node.get("hidden") is not None or node.get("aria-hidden") == "true":
        return True
    style = node.get("style")
    return bool(style and _HIDDEN_STYLE.search(style))


def _is_data_table(table: Any) -> bool:
    """Tell a data table from one used for layout: at least two by two, with no block structure inside."""
    if next((t for t in table.iter("table") if t is not table), None) is not None:
        return False
    rows = list(table.iter("tr"))
    widths = [sum(1 for c in row if c.tag in ("td", "th")) for row in rows]
    if len([w for w in widths if w]) < 2 and table.find(".//th") is None:
        return False
    if max(widths, default=0) < 2:
        return False
    return not _has_long_cells(rows)


def _has_long_cells(rows: list[Any]) -> bool:
    cells = [c for row in rows for c in row if c.tag in ("td", "th")]
    return any(len(list(c.iter("p"))) > 3 or any(True for _ in c.iter(*_HEADINGS)) for c in cells[:200])


def _carry(row: list[str], pending: dict[int, tuple[int, str]]) -> None:
    while len(row) in pending:
        left, text = pending.pop(len(row))
        if left > 1:
            pending[len(row)] = (left - 1, text)
        row.append(text)


def _in_head(row: Any) -> bool:
    parent = row.getparent()
    return parent is not None and parent.tag == "thead"


def _span(cell: Any, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return max(1, int(value)) if value.isdecimal() and len(value) < 6 else 1
