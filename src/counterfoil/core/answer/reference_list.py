"""Owns the list of sources that a draft carries: a References section, footnotes, link definitions.

Never: which document an entry means (``core.evidence.naming`` says). Spans are positions in the draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

Span = tuple[int, int]

_TITLES = (
    r"references?|sources?|citations?|bibliography|works? cited|footnotes?|endnotes?|source list|list of sources"
    r"|quellen(?:verzeichnis|angaben)?|literatur(?:verzeichnis)?|fußnoten|einzelnachweise|belege"
    r"|références|bibliographie|fuentes|referencias|来源|參考文獻|参考文献|出典"
)
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_TITLE_LINE = re.compile(
    rf"^[ \t]{{0,3}}(?:#{{1,6}}[ \t]+)?[*_]{{0,3}}(?:\d{{1,2}}\.[ \t]+)?(?:{_TITLES})(?:[ \t]+used)?"
    r"[*_]{0,3}:?[*_]{0,3}[ \t#]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*+•][ \t]+)?(?:"
    r"\[\^?(?P<square>[\w-]{1,24})\]:?|【(?P<cjk>\d{1,4})】|(?P<number>\d{1,4})[.):](?=[ \t])"
    r"|\*\*\[?(?P<bold>[A-Z]?\d{1,6})\]?\*\*|(?P<calc>[CF]\d{1,6}):)[ \t]*(?P<text>.*)$"
)
_BULLET = re.compile(r"^[ \t]*[-*+•][ \t]+(?P<text>\S.*)$")
_FOOTNOTE = re.compile(
    r"^[ \t]{0,3}\[\^(?P<id>[^\]\s]{1,40})\]:[ \t]*(?P<text>.*(?:\n(?:[ \t]{2,}|\t)\S.*)*)", re.MULTILINE
)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[(?P<id>[^\]\[^]{1,60})\]:[ \t]+(?P<text>\S.*)$", re.MULTILINE)
_OWN_REPORT = re.compile(r"^- chain head: `", re.MULTILINE)
_OWN_SECTIONS = re.compile(r"^## (?:Quotes|Budget|Receipt|Warnings|Calculations)$", re.MULTILINE)


class Entry(msgspec.Struct, frozen=True):
    """A source as the draft lists it, by the id that the text uses for it ("1", "note", "E3")."""

    id: str
    text: str
    start: int
    end: int


class ReferenceList(msgspec.Struct, frozen=True):
    """Every entry, and the spans of the draft that are lists of sources and claim nothing."""

    entries: tuple[Entry, ...] = ()
    spans: tuple[Span, ...] = ()


def find_references(draft: str) -> ReferenceList:
    """The sources that ``draft`` lists, wherever they stand."""
    entries: list[Entry] = []
    spans: list[Span] = []
    for start, end in (*_sections(draft), *_trailing(draft)):
        if not any(a <= start < b for a, b in spans):
            entries += _entries(draft, start, end)
            spans.append((start, end))
    for pattern in (_FOOTNOTE, _DEFINITION):
        for match in pattern.finditer(draft):
            if not any(a <= match.start() < b for a, b in spans):
                entries.append(Entry(match["id"], match["text"], match.start(), match.end()))
                spans.append(match.span())
    return ReferenceList(tuple(entries), tuple(sorted(spans)))


def _sections(draft: str) -> Iterator[Span]:
    """Sections whose title says that they list sources; a line of such a title needs an entry below it."""
    own = _OWN_REPORT.search(draft) is not None
    titles = [*_TITLE_LINE.finditer(draft), *(_OWN_SECTIONS.finditer(draft) if own else ())]
    headings = list(_HEADING.finditer(draft))
    for title in titles:
        level = len(title[0].lstrip()) - len(title[0].lstrip().lstrip("#"))
        following = (h for h in headings if h.start() >= title.end() and (not level or len(h[1]) <= level))
        end = next((h.start() for h in following), len(draft))
        if level or _starts_with_entry(draft, title.end(), end):
            yield title.start(), end


def _starts_with_entry(draft: str, start: int, end: int) -> bool:
    first = next((line for line in draft[start:end].splitlines() if line.strip()), "")
    return _ENTRY.match(first) is not None or _BULLET.match(first) is not None


def _trailing(draft: str) -> Iterator[Span]:
    """Lines at the end that all begin with a number in square brackets, without a title above them."""
    end = len(draft)
    start = end
    for line in reversed(draft.splitlines(keepends=True)):
        entry = _ENTRY.match(line.rstrip("\r\n"))
        if line.strip() and not (entry and (entry["square"] or entry["cjk"])):
            break
        end -= len(line)
        if line.strip():
            start = end
    if start < len(draft):
        yield start, len(draft)


def _entries(draft: str, start: int, end: int) -> Iterator[Entry]:
    """Entries line by line; lines that begin none go on with the one before; unnumbered ones count from 1."""
    found: list[tuple[str, list[str], int, int]] = []
    position = start
    for line in draft[start:end].splitlines(keepends=True):
        at, bare = position, line.rstrip("\r\n")
        position += len(line)
        entry, bullet = _ENTRY.match(bare), _BULLET.match(bare)
        if entry:
            name = next(entry[group] for group in ("square", "cjk", "number", "bold", "calc") if entry[group])
            found.append((name, [entry["text"]], at, at + len(bare)))
        elif bullet:
            found.append((str(len(found) + 1), [bullet["text"]], at, at + len(bare)))
        elif bare.strip() and found and not _HEADING.match(bare):
            name, texts, first, _ = found[-1]
            texts.append(bare.strip())
            found[-1] = (name, texts, first, at + len(bare))
    for name, texts, first, last in found:
        yield Entry(name, " ".join(texts), first, last)
