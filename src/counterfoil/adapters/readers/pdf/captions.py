"""Owns what stands above a table: its title and the phrase that scales all of it.

Looks upward from the header and stops at other prose. Never: the table's own rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from counterfoil.adapters.readers.pdf.cells import Piece
from counterfoil.adapters.readers.pdf.glyphs import Word
from counterfoil.adapters.readers.pdf.grid import Table
from counterfoil.adapters.readers.pdf.headers import Header
from counterfoil.adapters.readers.pdf.lines import Line
from counterfoil.adapters.readers.phrases import Phrase, find_phrase
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.periods import MONTHS

_LINES_MAX = 9
_TITLE_WORDS_MAX = 22
_LEAD_LINES_MAX = 4
_MONTHS = "|".join(sorted(MONTHS, key=len, reverse=True))
_ASIDE = re.compile(
    r"^\W*(?:unaudited|audited|continued|table of contents|\d{1,3}|as (?:of|at)\b.*|"
    r"(?:for )?(?:the )?(?:fiscal |first |second |third |fourth |three |six |nine |twelve |thirteen |\d+[- ])*"
    r"(?:years?|quarters?|months?|weeks?|periods?)\b.{0,60}\bended\b.*|"
    rf"(?:at )?(?:{_MONTHS})\.? \d{{1,2}}\b.{{0,60}}|(?:19|20)\d\d(?:\W+(?:and )?(?:19|20)\d\d)*)\W*$",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r":\s*$|\bfollow(?:s|ing)\b[^.]*\.?\s*$|\b(?:table|tables)\b[^.]*[.:]\s*$", re.IGNORECASE)
_PARAGRAPH_GAP_MAX = 1.6  # line heights
_PROSE_WORDS_MIN = 6
_SMALL_WORDS = frozenset(
    ["of", "and", "the", "in", "for", "to", "on", "by", "with", "from", "at", "a", "an", "as", "per", "or", "its"]
)


@dataclass(slots=True)
class Caption:
    """The words of a table's title, and of the phrase that scales it."""

    title: list[Word] = field(default_factory=list)
    phrase: Phrase | None = None
    phrase_words: list[Word] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # the lines the title stands on


def find_caption(
    table: Table,
    stubs: list[Piece],
    bound: list[Header],
    lines: list[Line],
    floor: int,
    is_bold: Callable[[Line], bool],
) -> Caption:
    """Read the lines from the table's header up to the line ``floor`` (exclusive)."""
    out = Caption()
    for n, piece in enumerate(stubs):
        wraps = n + 1 < len(stubs) and piece.text.count("(") > piece.text.count(")")
        _take_phrase(out, piece.words + stubs[n + 1].words if wraps else piece.words)
    for header in bound:
        alone = sum(h.level == header.level for h in bound) == 1 and header.text.startswith("(")
        if alone or (header.first == 0 and header.last == len(table.columns) - 1):
            _take_phrase(out, header.words)
    for n in range(table.first - 1, max(floor, table.first - 1 - _LINES_MAX), -1):
        if not _take_line(out, n, lines, floor, is_bold) or out.title:
            break
    if not out.title:
        out.title = next(
            (p.words for p in stubs if len(p.words) > 1 and _is_name(p.text) and not find_phrase(p.text)), []
        )
    return out


def _take_line(out: Caption, n: int, lines: list[Line], floor: int, is_bold: Callable[[Line], bool]) -> bool:
    """Use one line; return False when the search must stop there."""
    line = lines[n]
    text = line.text
    if _goes_on(n, lines, floor):
        _take_lead_in(out, n, lines, floor, is_bold)
        return False
    phrase = find_phrase(text)
    rest = text if phrase is None else (text[: phrase.start] + text[phrase.end :]).strip(" ()-–—,")
    if not rest or _ASIDE.match(rest):
        _take_phrase(out, line.words)
        return True
    if _LEAD_IN.search(text):
        _take_lead_in(out, n, lines, floor, is_bold)
        return False
    if _is_title(line, rest, is_bold):
        _take_phrase(out, line.words)
        out.title = _without_phrase(line.words, phrase)
        out.lines = [n]
        _extend_title(out, n, lines, floor, is_bold)
        _look_further(out, n, lines, floor)
        return True
    return False


def _take_phrase(out: Caption, words: list[Word]) -> None:
    if out.phrase is not None:
        return
    phrase = find_phrase(" ".join(w.text for w in words))
    if phrase is not None:
        out.phrase = phrase
        out.phrase_words = words_at(words, phrase.start, phrase.end)


def words_at(words: list[Word], start: int, end: int) -> list[Word]:
    """The words that make up ``[start:end]`` of the words joined by single spaces."""
    out: list[Word] = []
    at = 0
    for word in words:
        stop = at + len(word.text)
        if at < end and stop > start:
            out.append(word)
        at = stop + 1
    return out


def _without_phrase(words: list[Word], phrase: Phrase | None) -> list[Word]:
    if phrase is None:
        return words
    scaled = words_at(words, phrase.start, phrase.end)
    kept = [w for w in words if w not in scaled]
    first = words.index(scaled[0]) if scaled else len(words)
    return words[:first] if first > 0 else kept


def _goes_on(n: int, lines: list[Line], floor: int) -> bool:
    """Tell whether the line only ends a sentence of the line above ("(in" / "millions):")."""
    if n - 1 <= floor or not lines[n].text[:1].islower():
        return False
    above = lines[n - 1]
    close = above.y - lines[n].y < _PARAGRAPH_GAP_MAX * above.h
    return close and len(above.words) >= _PROSE_WORDS_MIN and bool(_LEAD_IN.search(above.text + " " + lines[n].text))


def _take_lead_in(out: Caption, n: int, lines: list[Line], floor: int, is_bold: Callable[[Line], bool]) -> None:
    """Take the sentence that introduces the table; it may run over several lines."""
    words = list(lines[n].words)
    text = " ".join(w.text for w in words)
    first = n
    while first - 1 > floor and n - first < _LEAD_LINES_MAX - 1 and len(sentences(text, 0, len(text))) < 2:
        above = lines[first - 1]
        close = above.y - lines[first].y <= _PARAGRAPH_GAP_MAX * above.h
        if not close or len(above.words) < _PROSE_WORDS_MIN or (is_bold(above) and not is_bold(lines[first])):
            break
        first -= 1
        words = above.words + words
        text = " ".join(w.text for w in words)
    _take_phrase(out, words)
    start, end = sentences(text, 0, len(text))[-1]
    out.title = words_at(words, start, end)


def _is_title(line: Line, text: str, is_bold: Callable[[Line], bool]) -> bool:
    if len(line.words) > _TITLE_WORDS_MAX or not any(c.isalpha() for c in text):
        return False
    if text.endswith((".", ";", ",")) and not is_bold(line):
        return False
    return is_bold(line) or text.isupper() or _is_name(text)


def _is_name(text: str) -> bool:
    """Tell a text whose words are capitalised like a title's."""
    words = [w for w in re.findall(r"[^\W\d_][\w’'-]*", text) if w.lower() not in _SMALL_WORDS]
    return bool(words) and sum(w[0].isupper() for w in words) >= 0.75 * len(words)


def _extend_title(out: Caption, n: int, lines: list[Line], floor: int, is_bold: Callable[[Line], bool]) -> None:
    """A title may take two lines: the one above has the same face and begins further left or alike."""
    if n - 1 <= floor:
        return
    line, above = lines[n], lines[n - 1]
    alike = abs(above.h - line.h) < 0.05 * line.h and is_bold(above) == is_bold(line)
    close = above.y - line.y < 1.35 * line.h
    if alike and close and line.text[:1].islower() and len(above.words) <= _TITLE_WORDS_MAX:
        out.title = above.words + out.title
        out.lines.append(n - 1)


def _look_further(out: Caption, n: int, lines: list[Line], floor: int) -> None:
    """A scale may stand in the line above a sub-title ("(in millions)", then "Assets")."""
    for k in range(n - 1, max(floor, n - 3), -1):
        if out.phrase is not None or len(lines[k].words) > _TITLE_WORDS_MAX:
            return
        _take_phrase(out, lines[k].words)
