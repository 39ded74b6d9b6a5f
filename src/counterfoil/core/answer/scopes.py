"""Owns what a citation in Markdown covers: its sentence, bullet or table row, a paragraph when it closes one.

Never: whether a mark exists or fits. Positions are those of the body; marks stay inside the text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.marks import Mark, find_marks

ScopeKind = Literal["sentence", "bullet", "row", "quote", "heading"]
Line = tuple[int, int]

_BULLET = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)]|\(?[a-z][.)])\s+")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?:\d{1,2}(?:\.\d{1,2})*[.)]?\s+)?")
_QUOTE = re.compile(r"\s{0,3}(?:>\s?)+")
_RULE_ROW = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_MARKS_ONLY = re.compile(r"(?:\s|\[[^\]]*\]|【[^】]*】|[.,;:()])*")
_SOURCE_LINE = re.compile(
    r"\s*[*_]{0,2}(?:sources?|quellen?|data|note|table|tabelle|caption|来源|出典)\b", re.IGNORECASE
)
_LEADING_MARKS = re.compile(r"(?:\s*(?:\[\s*[ECFRS]\d[^\]]*\]|【\s*[ECFRS]\d[^】]*】))+[.,;]?")


class TableCellText(msgspec.Struct, frozen=True):
    """A cell of a Markdown table row: ``body[start:end]`` and the header above it."""

    start: int
    end: int
    header: str


class Scope(msgspec.Struct, frozen=True):
    """A claim and what is cited for it: ``body[start:end] == text``, list and heading marks left out.

    ``own`` are the ids inside the text, ``inherited`` those that cover it from outside: the closing citation of
    its paragraph, a table's header, caption or source line. ``caption`` is the text beside a table.
    """

    text: str
    start: int
    end: int
    kind: ScopeKind
    own: tuple[str, ...] = ()
    inherited: tuple[str, ...] = ()
    cells: tuple[TableCellText, ...] = ()
    caption: str = ""

    @property
    def cited(self) -> tuple[str, ...]:
        """Every id that covers this text, its own first."""
        return tuple(dict.fromkeys(self.own + self.inherited))


class _Block(msgspec.Struct):
    kind: Literal["paragraph", "bullet", "table", "quote", "heading"]
    lines: list[Line]


def split_scopes(body: str) -> tuple[Scope, ...]:
    """Every scope of a Markdown body, in order."""
    marks = find_marks(body)
    blocks = list(_blocks(body))
    out: list[Scope] = []
    for index, block in enumerate(blocks):
        before = blocks[index - 1] if index else None
        after = blocks[index + 1] if index + 1 < len(blocks) else None
        if block.kind == "table":
            out.extend(_table(body, marks, block, before, after))
        elif block.kind == "paragraph":
            out.extend(_paragraph(body, marks, block.lines[0][0], block.lines[-1][1]))
        else:
            out.extend(_single(body, marks, block, after))
    return tuple(out)


def _ids(marks: tuple[Mark, ...], start: int, end: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i for m in marks if start <= m.start < end for i in m.ids))


def _blocks(body: str) -> Iterator[_Block]:
    current: _Block | None = None
    for start, end in _lines(body):
        line = body[start:end]
        if not line.strip() or _FENCE.match(line):
            if current:
                yield current
            current = None
            continue
        kind = _kind(line)
        goes_on = current is not None and (
            (kind == current.kind and kind in ("paragraph", "table", "quote"))
            or (kind == "paragraph" and current.kind == "bullet")
        )
        if current is not None and goes_on:
            current.lines.append((start, end))
            continue
        if current:
            yield current
        current = _Block(kind, [(start, end)])
    if current:
        yield current


def _lines(body: str) -> Iterator[Line]:
    start = 0
    for line in body.splitlines(keepends=True):
        yield start, start + len(line.rstrip("\r\n"))
        start += len(line)


def _kind(line: str) -> Literal["paragraph", "bullet", "table", "quote", "heading"]:
    if _HEADING.match(line):
        return "heading"
    if _QUOTE.match(line):
        return "quote"
    if line.lstrip().startswith("|"):
        return "table"
    return "bullet" if _BULLET.match(line) else "paragraph"


def _single(body: str, marks: tuple[Mark, ...], block: _Block, after: _Block | None) -> Iterator[Scope]:
    """A bullet, heading or quotation is one scope; a quotation also takes the marks of an attribution below it."""
    prefix = {"bullet": _BULLET, "heading": _HEADING, "quote": _QUOTE}[block.kind]
    start, end = block.lines[0][0], block.lines[-1][1]
    lead = prefix.match(body, start, end)
    start = lead.end() if lead else start
    inherited: tuple[str, ...] = ()
    if block.kind == "quote" and after is not None and after.kind == "paragraph":
        a, b = after.lines[0][0], after.lines[-1][1]
        if _MARKS_ONLY.fullmatch(body, a, b) or body[a:b].lstrip().startswith(("—", "–", "-- ")):
            inherited = _ids(marks, a, b)
    kind: ScopeKind = "bullet" if block.kind == "bullet" else "quote" if block.kind == "quote" else "heading"
    yield Scope(body[start:end], start, end, kind, _ids(marks, start, end), inherited)


def _paragraph(body: str, marks: tuple[Mark, ...], start: int, end: int) -> Iterator[Scope]:
    ranges = _with_trailing_marks(body, sentences(body, start, end))
    closing: tuple[str, ...] = ()
    last = [m for m in marks if start <= m.start < end]
    if last and _MARKS_ONLY.fullmatch(body, last[-1].start, end):
        closing = _ids(marks, ranges[-1][0], end)
    for a, b in ranges:
        own = _ids(marks, a, b)
        yield Scope(body[a:b], a, b, "sentence", own, tuple(i for i in closing if i not in own))


def _with_trailing_marks(body: str, ranges: list[Line]) -> list[Line]:
    """Give marks that stand behind a full stop ("It costs $18. [E3]") to the sentence they follow."""
    out: list[Line] = []
    for start, end in ranges:
        lead = _LEADING_MARKS.match(body, start, end)
        if lead and out:
            out[-1] = (out[-1][0], lead.end())
            start = lead.end() + len(body[lead.end() : end]) - len(body[lead.end() : end].lstrip())
        if start < end:
            out.append((start, end))
    return out


def _table(
    body: str, marks: tuple[Mark, ...], block: _Block, before: _Block | None, after: _Block | None
) -> Iterator[Scope]:
    ruled = len(block.lines) > 1 and _RULE_ROW.fullmatch(body, *block.lines[1]) is not None
    header = _cells(body, *block.lines[0]) if ruled else []
    names = [body[a:b].strip() for a, b in header]
    outside: tuple[str, ...] = _ids(marks, *block.lines[0]) if ruled else ()
    caption = ""
    for neighbour, is_above in ((before, True), (after, False)):
        text = _beside(body, neighbour, is_above=is_above)
        if neighbour is not None and text:
            outside += _ids(marks, neighbour.lines[0][0], neighbour.lines[-1][1])
            caption = f"{caption} {text}".strip()
    first = 2 if ruled else 0
    if ruled:
        yield Scope(body[slice(*block.lines[0])], *block.lines[0], "heading", _ids(marks, *block.lines[0]))
    for start, end in block.lines[first:]:
        if _RULE_ROW.fullmatch(body, start, end):
            continue
        cells = tuple(
            TableCellText(a, b, names[i] if i < len(names) else "") for i, (a, b) in enumerate(_cells(body, start, end))
        )
        own = _ids(marks, start, end)
        inherited = tuple(dict.fromkeys(i for i in outside if i not in own))
        yield Scope(body[start:end], start, end, "row", own, inherited, cells, caption)


def _beside(body: str, block: _Block | None, *, is_above: bool) -> str:
    """The text of a caption or source line: above, a short paragraph; below, a line that says it is one."""
    if block is None or block.kind not in ("paragraph", "heading"):
        return ""
    text = body[block.lines[0][0] : block.lines[-1][1]]
    if is_above:
        single = len(sentences(text, 0, len(text))) == 1
        return text if single and (block.kind == "heading" or len(block.lines) == 1) else ""
    return text if _SOURCE_LINE.match(text) or _MARKS_ONLY.fullmatch(text) else ""


def _cells(body: str, start: int, end: int) -> list[Line]:
    edges = [i for i in range(start, end) if body[i] == "|" and (i == start or body[i - 1] != "\\")]
    bounds = [*edges, end] if edges and body[edges[-1] + 1 : end].strip() else edges
    return [(a + 1, b) for a, b in itertools.pairwise(bounds)]
