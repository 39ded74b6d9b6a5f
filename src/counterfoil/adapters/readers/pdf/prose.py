"""Owns what is quoted of a page outside its table rows: headings, paragraphs, list items.

Never: tables, the order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import median

from counterfoil.adapters.readers.pdf.compose import PageText, TextLine
from counterfoil.adapters.readers.pdf.lines import Line
from counterfoil.core.evidence.passages import Passage, PassageKind
from counterfoil.core.evidence.split import pack

_HEADING_CHARS_MAX = 140
_LARGER = 1.12  # a heading's height against the page's usual one
_PARAGRAPH_GAP = 1.3  # of the usual distance between lines
_SHORT_LINE = 0.8  # of the text width: a paragraph's last line
_ITEM = re.compile(r"(?:[•·▪◦‣●○■□➢*–—-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)|\d{1,2}\.)\s+\S")
_NUMBERED_HEADING = re.compile(r"(?:item|note|part|section|article|exhibit)\s+(?:\d+|[IVX]+)[A-Z]?\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"\W*(?:page )?(?:[A-Z]-)?\d{1,4}\W*|table of contents", re.IGNORECASE)


def prose_passages(
    page: PageText, table_lines: set[int], title_lines: set[int], chars_max: int, is_bold: Callable[[Line], bool]
) -> list[Passage]:
    """Return the passages of everything that is no row."""
    loose = [t for t in page.lines if t.unit < 0]
    if not loose:
        return []
    height = median(t.line.h for t in page.lines)
    out: list[Passage] = []
    for group, kind in _groups(loose, table_lines, title_lines, height, page.text, is_bold):
        start, end = group[0].start, group[-1].end
        if _PAGE_NUMBER.fullmatch(page.text[start:end]):
            continue
        out.extend(Passage(a, b, page.text[a:b], kind) for a, b in pack(page.text, start, end, chars_max))
    return out


def _groups(
    loose: list[TextLine],
    table_lines: set[int],
    title_lines: set[int],
    height: float,
    text: str,
    is_bold: Callable[[Line], bool],
) -> Iterator[tuple[list[TextLine], PassageKind]]:
    leading = _leading(loose)
    left, right = min(t.line.x0 for t in loose), max(t.line.x1 for t in loose)
    group: list[TextLine] = []
    kind: PassageKind = "text"
    for line in loose:
        own = _kind(line, table_lines, title_lines, height, text, is_bold)
        if group and _begins(group[-1], line, kind, own, leading, left + _SHORT_LINE * (right - left), text):
            yield group, kind
            group = []
        if not group:
            kind = own
        group.append(line)
    if group:
        yield group, kind


def _leading(loose: list[TextLine]) -> float:
    """The usual distance between the lines of a paragraph."""
    gaps = [a.line.y - b.line.y for a, b in pairwise(loose)]
    sane = [g for g, t in zip(gaps, loose, strict=False) if 0.5 * t.line.h < g < 1.8 * t.line.h]
    return median(sane) if sane else loose[0].line.h * 1.2


def _kind(
    line: TextLine,
    table_lines: set[int],
    title_lines: set[int],
    height: float,
    text: str,
    is_bold: Callable[[Line], bool],
) -> PassageKind:
    n = line.line.n
    words = text[line.start : line.end]
    if n in title_lines and len(words) <= _HEADING_CHARS_MAX:
        return "heading"
    if n in table_lines:
        return "text"
    if is_heading(words, line.line, height, is_bold):
        return "heading"
    return "item" if _ITEM.match(words) else "text"


def is_heading(words: str, line: Line, height: float, is_bold: Callable[[Line], bool]) -> bool:
    """Tell a heading by its face, its size, its capitals or its number."""
    if len(words) > _HEADING_CHARS_MAX or sum(c.isalpha() for c in words) < 3:
        return False
    if words.endswith((",", ";")) or _PAGE_NUMBER.fullmatch(words):
        return False
    if words.endswith(".") and not _NUMBERED_HEADING.match(words):
        return False
    if line.h > _LARGER * height or words.isupper() or _NUMBERED_HEADING.match(words):
        return True
    return is_bold(line)


def _begins(
    above: TextLine, line: TextLine, kind: PassageKind, own: PassageKind, leading: float, short: float, text: str
) -> bool:
    """Tell whether ``line`` begins a new group after ``above``."""
    gap = above.line.y - line.line.y
    if gap < -above.line.h or line.start > above.end + 1:
        return True  # another column, or rows stand between
    if own == "heading" and kind == "heading":
        return gap > 1.5 * above.line.h or abs(above.line.h - line.line.h) > 0.5
    if own != "text" or kind == "heading":
        return True
    if gap > _PARAGRAPH_GAP * max(leading, 0.9 * above.line.h):
        return True
    ends = text[above.end - 1 : above.end] in ".:!?"
    return ends and above.line.x1 < short and gap > 0
