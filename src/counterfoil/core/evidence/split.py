"""Owns cutting running text into quotable passages: headings, list items, groups of whole sentences.

Works for any script. Every passage is verbatim (``text[start:end]``), in order, without overlap,
and together they cover all text that is not blank. Never: markup of a file format, tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from counterfoil.core.evidence.passages import Passage, PassageKind

Range = tuple[int, int]

# A sentence ends at one of these, with the quotes and brackets that close behind it.
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？｡؟۔।॥]+[\"'”’»」』）)\]]*")
_BLANK_LINE = re.compile(r"\n[^\S\n]*(?=\n)")
_ITEM = re.compile(r"[^\S\n]*(?:[•·▪◦‣●○■□➢–—*-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])[^\S\n]+\S")
_MARKDOWN_HEADING = re.compile(r"[^\S\n]*#{1,6}[^\S\n]+\S")
_LEAD = re.compile(r"(?:^|[\s(\[„“\"'‚«])([^\s(\[„“\"'‚«]+)$")
_CLAUSE = re.compile(r"[;:，；：、—–](?=\S|\s)|,(?=\s)")
_TERMINAL = re.compile(r"[.!?…。！？:;,；，]['\"”’»)\]]*$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")
_HEADING_CHARS_MAX = 100  # longer lines without a full stop are prose, not headings
_HEADING_WORDS_MAX = 14
_CUT_SHARE = 0.5  # a clause boundary in the first half would leave stubs: words are then the better cut
_LEAD_CHARS = 24  # the longest abbreviation looked up is far shorter

# Full stops after these do not end a sentence: English, German, French and Spanish usage.
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        """
        mr mrs ms dr prof sr jr st co corp inc ltd llc plc bros no nos vs etc al fig figs eq sec art vol pp ed eds est
        approx dept div gen gov sen rep rev hon col sgt capt lt cmdr ave blvd rd jan feb mar apr jun jul aug sep sept
        adj mgmt govt intl natl oct nov dec mon tue wed thu fri sat sun e.g i.e cf ca viz resp incl excl max min avg
        bzw usw z.b d.h u.a o.ä s.o s.u vgl abs bd hrsg nr str tel abb bspw bzgl ggf evtl inkl exkl zzgl mio mrd tsd
        jh jhd hr fr dipl ing univ zt sog mind dgl m.w v.a i.d.r z.t u.u z.zt
        m mme mlle p.ex env av sra ud uds pág núm
        """,
    )
)


def split_text(text: str, chars_max: int, offset: int = 0) -> tuple[Passage, ...]:
    """Cut ``text`` into passages of at most ``chars_max``; ``offset`` is added to every position."""
    if chars_max < 1:
        raise ValueError("chars_max must be at least 1")
    out: list[Passage] = []
    heading: str | None = None
    for start, end, kind in _blocks(text):
        for a, b in pack(text, start, end, chars_max):
            out.append(Passage(a + offset, b + offset, text[a:b], kind, heading))
        if kind == "heading":
            heading = " ".join(text[start:end].lstrip("# \t").split())
    return tuple(out)


def pack(text: str, start: int, end: int, chars_max: int) -> list[Range]:
    """Group the sentences of ``text[start:end]`` into trimmed ranges of at most ``chars_max``."""
    out: list[Range] = []
    for a, b in sentences(text, start, end):
        if b - a > chars_max:
            out.extend(_cut(text, a, b, chars_max))
        elif out and b - out[-1][0] <= chars_max:
            out[-1] = (out[-1][0], b)
        else:
            out.append((a, b))
    return out


def sentences(text: str, start: int, end: int) -> list[Range]:
    """Return the trimmed ranges of the sentences in ``text[start:end]``; together they cover it."""
    out: list[Range] = []
    last = start
    for match in _END.finditer(text, start, end):
        if _ends_sentence(text, match, end):
            _trimmed(text, last, match.end(), out)
            last = match.end()
    _trimmed(text, last, end, out)
    return out


def _trimmed(text: str, start: int, end: int, out: list[Range]) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        out.append((start, end))


def _ends_sentence(text: str, match: re.Match[str], end: int) -> bool:
    mark = match.group()
    if mark[0] != "." or mark.startswith(".."):
        return not _next_is_lower(text, match.end(), end)
    if _next_is_lower(text, match.end(), end):
        return False
    lead = _LEAD.search(text, max(0, match.start() - _LEAD_CHARS), match.start())
    word = lead.group(1) if lead else ""
    if word.isdigit() and len(word) <= 2:
        return False  # "3. Oktober", "Item 1. Business", numbered headings
    if word.lower() in _ABBREVIATIONS:
        return False
    return not (_INITIALS.fullmatch(word) and word != "I")


def _next_is_lower(text: str, position: int, end: int) -> bool:
    while position < end and (text[position].isspace() or text[position] in "\"'“„«(["):
        position += 1
    return position < end and text[position].islower()


def _cut(text: str, start: int, end: int, chars_max: int) -> Iterator[Range]:
    """Cut one overlong sentence at a clause, else at a word, else hard."""
    while end - start > chars_max:
        stop = _cut_point(text, start, start + chars_max)
        parts: list[Range] = []
        _trimmed(text, start, stop, parts)
        yield from parts
        start = stop
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _cut_point(text: str, start: int, limit: int) -> int:
    earliest = start + int((limit - start) * _CUT_SHARE)
    clause = 0
    for match in _CLAUSE.finditer(text, earliest, limit):
        clause = match.end()
    if clause > start:
        return clause
    if text[limit : limit + 1].isspace():
        return limit
    for position in range(limit - 1, start, -1):
        if text[position].isspace():
            return position
    return limit


def _blocks(text: str) -> Iterator[tuple[int, int, PassageKind]]:
    """Yield paragraphs, list items and headings in order; blank lines and item marks part them."""
    last = 0
    for match in _BLANK_LINE.finditer(text):
        yield from _paragraph(text, last, match.end())
        last = match.end()
    yield from _paragraph(text, last, len(text))


def _paragraph(text: str, start: int, end: int) -> Iterator[tuple[int, int, PassageKind]]:
    lines = _lines(text, start, end)
    if not lines:
        return
    if len(lines) == 1 and _is_heading(text[lines[0][0] : lines[0][1]], alone=True):
        yield lines[0][0], lines[0][1], "heading"
        return
    block: Range | None = None
    kind: PassageKind = "text"
    for a, b in lines:
        line = text[a:b]
        if _is_heading(line, alone=False):
            if block:
                yield block[0], block[1], kind
            block, kind = None, "text"
            yield a, b, "heading"
        elif _ITEM.match(line):
            if block:
                yield block[0], block[1], kind
            block, kind = (a, b), "item"
        else:
            block = (block[0], b) if block else (a, b)
    if block:
        yield block[0], block[1], kind


def _lines(text: str, start: int, end: int) -> list[Range]:
    out: list[Range] = []
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        _trimmed(text, start, stop, out)
        start = stop + 1
    return out


def _is_heading(line: str, *, alone: bool) -> bool:
    """Tell a heading by its shape; a line inside a paragraph needs stronger signs than one alone."""
    if _MARKDOWN_HEADING.match(line):
        return True
    if len(line) > _HEADING_CHARS_MAX or len(line.split()) > _HEADING_WORDS_MAX:
        return False
    if _TERMINAL.search(line) or not any(c.isalpha() for c in line):
        return False
    if alone:
        return not _ITEM.match(line) or line[:1].isdigit()
    return line.isupper() and len(line.split()) > 1
