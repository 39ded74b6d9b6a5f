"""Owns turning one file into rows for the index: read, describe, compress. Runs here or in a worker.

Never: the index file, other files. A file that cannot be used becomes a ``Failed``, never an exception.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from counterfoil.adapters.corpus.store import SegmentRow
from counterfoil.adapters.corpus.title_page import Routing, describe
from counterfoil.adapters.corpus.tokens import cjk_spaced
from counterfoil.core.errors import DocumentUnreadable
from counterfoil.core.evidence.passages import Passage
from counterfoil.core.text.instructions import EXCERPT_CHARS, find_instructions
from counterfoil.core.text.languages import language_of
from counterfoil.ports.reader import ParsedDocument, ParsedSegment, Reader, ReadLimits

TOO_LARGE_TO_READ = "reading it needs more memory than a file may take; split it"
_HEAD_CHARS = 900
_TITLE_CHARS_MAX = 90
_TITLES_CHARS_MAX = 2000
_FIGURE = re.compile(r"\d[\d.,]*")
_SURROGATE = re.compile("[\ud800-\udfff\x00]")
_LANGUAGE_SEGMENTS = 4  # pages that tell in which language a document is written
_HASH_BLOCK = 1 << 20
_INSTRUCTIONS_MAX = 10  # excerpts kept of one document: enough to see what it is up to; the rest are counted
_COUNTED_MAX = 1000  # of one text: a file made of nothing else is not counted to its end


class Progress(msgspec.Struct, frozen=True, tag=True):
    """How far the reader is within the file, in its own units (pages)."""

    done: int
    total: int


class Prepared(msgspec.Struct, frozen=True, tag=True):
    """Everything the index stores of one document."""

    sha256: str
    title: str
    media_type: str
    segments: tuple[SegmentRow, ...]
    routing: Routing
    language: str | None = None
    published: str | None = None
    updated: str | None = None
    dates_guessed: bool = False
    warnings: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()


class Failed(msgspec.Struct, frozen=True, tag=True):
    """Why a file is skipped."""

    sha256: str
    code: str
    message: str


class SegmentBody(msgspec.Struct, frozen=True, array_like=True):
    """What ``read`` needs of a segment; stored compressed."""

    text: str
    passages: tuple[Passage, ...]


Outcome = Prepared | Failed


def prepare(
    reader: Reader, path: str, name: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None
) -> Outcome:
    """Read the file and return its rows, or why it is skipped."""
    digest = ""
    try:
        digest = sha256_of(path)
        parsed = reader.read(path, limits, progress)
        if not any(s.text.strip() for s in parsed.segments):
            return Failed(digest, "EMPTY", "the file holds no text")
        return _prepared(parsed, digest, name)
    except DocumentUnreadable as error:
        return Failed(digest, error.code, _clean(f"{error.message.rstrip('.')}; next: {error.hint}"))
    except OSError as error:
        return Failed(digest, "UNREADABLE", f"the file cannot be opened: {error.strerror or error}")
    except MemoryError:
        return Failed(digest, "TOO_LARGE_TO_READ", TOO_LARGE_TO_READ)
    except Exception as error:  # noqa: BLE001  # a reader's defect on a hostile file must cost that file only
        return Failed(digest, "READER_FAILED", f"the reader failed: {type(error).__name__}: {_clean(str(error))[:200]}")


def sha256_of(path: str) -> str:
    """Return the hexadecimal sha256 of the file's bytes."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while block := file.read(_HASH_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def decode_body(payload: bytes) -> SegmentBody:
    """Return the text and passages of a stored segment."""
    return _BODY.decode(zlib.decompress(payload))


_BODY = msgspec.msgpack.Decoder(SegmentBody)


def _prepared(parsed: ParsedDocument, digest: str, name: str) -> Prepared:
    segments = tuple(_row(i, s) for i, s in enumerate(parsed.segments))
    title = _clean(parsed.title).strip() or name
    return Prepared(
        sha256=digest,
        title=title,
        media_type=parsed.media_type,
        segments=segments,
        routing=describe(name, title, [s.text for s in parsed.segments]),
        language=parsed.language or language_of(" ".join(s.text for s in parsed.segments[:_LANGUAGE_SEGMENTS])),
        published=parsed.published,
        updated=parsed.updated,
        dates_guessed=parsed.dates_guessed,
        warnings=tuple(_clean(w) for w in parsed.warnings),
        instructions=_instructions(parsed),
    )


def _instructions(parsed: ParsedDocument) -> tuple[str, ...]:
    """Excerpts of the whole document that speak to an assistant: hidden text first, then title and pages.

    Excerpts of a page are the very ones that scanning this page alone would give.
    """
    pages = [s.text for s in parsed.segments]
    hits = [*_hits(parsed.dropped), *_hits(parsed.title)]
    for number, page in enumerate(pages):
        hits += [*(_across(pages[number - 1], page) if number else ()), *_hits(page)]
    found = [_clean(hit) for hit in dict.fromkeys(hits)]
    left = len(found) - _INSTRUCTIONS_MAX
    more = (f"and {left} more passages of this document speak to an assistant",) if left > 0 else ()
    return (*found[:_INSTRUCTIONS_MAX], *more)


def _hits(text: str) -> tuple[str, ...]:
    return find_instructions(text, hits_max=_COUNTED_MAX)


def _across(before: str, page: str) -> tuple[str, ...]:
    """What begins on one page and ends on the next."""
    end, start = before[-EXCERPT_CHARS:], page[:EXCERPT_CHARS]
    both = _hits(f"{end}\n{start}")
    return both if len(both) > len(_hits(end)) + len(_hits(start)) else ()


def _row(index: int, segment: ParsedSegment) -> SegmentRow:
    text = segment.text
    passages = segment.passages
    if _SURROGATE.search(text):  # one for one, so that every span stays where it is
        text = _clean(text)
        passages = tuple(msgspec.structs.replace(p, text=_clean(p.text)) for p in passages)
    heading = _clean(segment.heading) if segment.heading else None
    headings = dict.fromkeys(p.heading for p in passages if p.heading)
    if heading:
        headings.setdefault(heading)
    headings.update(dict.fromkeys(p.text for p in passages if p.kind == "heading"))
    payload = zlib.compress(msgspec.msgpack.encode(SegmentBody(text, passages)), 6)
    return SegmentRow(
        index=index,
        page=segment.page,
        heading=heading,
        head=_head(text),
        figures=sum(1 for _ in _FIGURE.finditer(text)),
        body=cjk_spaced(text),
        heading_words=cjk_spaced(_clean("\n".join(h for h in headings if h))),
        payload=payload,
    )


def _head(text: str) -> str:
    """Return the page's beginning and, below it, the lines further down that could be titles."""
    later = (line.strip() for line in text[_HEAD_CHARS:].splitlines()[1:])
    titles = [line for line in later if 0 < len(line) <= _TITLE_CHARS_MAX and not any(c.isdigit() for c in line)]
    return text[:_HEAD_CHARS] + "".join(f"\n{line}" for line in titles)[:_TITLES_CHARS_MAX]


def _clean(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)
