"""Owns cutting a line into cells: text by its gaps, numbers with the ``$ ( ) %`` that belong to them.

Never: columns, headers, what a number means.
"""

from __future__ import annotations

import re

from counterfoil.adapters.readers.pdf.glyphs import Word
from counterfoil.adapters.readers.pdf.lines import Line

_CURRENCY = r"(?:US|C|A|HK|NZ|CA)?\$|[€£¥₹]|EUR|USD|GBP|CHF|R\$|Rs\.?"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+)(?:[.,]\d+)?|\.\d+"
_SIGN = r"[-–−+—~]?"
NUMBER = re.compile(
    rf"(?:{_CURRENCY})?{_SIGN}\(?(?:{_CURRENCY})?{_SIGN}(?:{_DIGITS})\)?(?:%|x|X|pts|bps|bp|pp|¢)?\)?,?[*†‡]*"
)
_DASH = re.compile(rf"(?:{_CURRENCY})?(?:[—–−‒―]|-{{1,3}}|\*)%?")
_BLANK = re.compile(r"(?:N/?A|n/?a|NM|nm|N/?M|n/?m|NMF|\(NM\)|nil)")
_PREFIX = re.compile(rf"(?:{_CURRENCY}|\(|{_SIGN}(?:{_CURRENCY})?\(?|\((?:{_CURRENCY}))")
_SUFFIX = re.compile(r"(?:\)|%|\)%|%\)|pts\.?|bps|bp|pp|¢|\)?x)")
_YEAR = re.compile(r"\(?(?:19|20)\d\d[,*]?\)?[A-Z]?")
_DAY = re.compile(r"\d{1,2},")
_TEXT_GAP = 0.72  # of the line height between two text cells; a justified space stays below
_NUMBER_GAP = 0.62  # between text and a number that is not part of it
_SUFFIX_GAP = 2.2  # a "%" may stand in a column of its own behind its number
_NEAR_SUFFIX = 0.6  # words like "x" or "pts" must stand close
_PAREN_WIDTH = 0.3  # of the line height: ")" and "%" hang over the right edge of a column
_PERCENT_WIDTH = 0.75
_NOTE_MARK = re.compile(r"\((?:[a-z]|\d{1,2})\)")
_STARS = frozenset({"*", "**", "†", "‡"})
_MARK_GAP = 0.4
_RANGE = frozenset({"-", "–", "—", "to"})
_RANGE_GAP = 0.5
_MINUS_GAP = 0.4  # a minus stands closer to its number than a dash for nil to the next column
_STAR_GAP = 0.7
_FOOTNOTE = re.compile(r"\((?:[a-z]|\d{1,2})\)|\d{1,2}[.)]|[*†‡•·▪◦‣●○■–—-]")


class Piece:
    """A cell of one line: its words, and for a value the edges of the number itself."""

    __slots__ = ("digits_x0", "digits_x1", "is_value", "marks", "words", "x0", "x1")

    def __init__(self, words: list[Word], *, is_value: bool) -> None:
        self.words = words
        self.is_value = is_value
        self.marks: list[Word] = []  # raised footnote marks behind a value
        self.x0 = words[0].x0
        self.x1 = max(w.x1 for w in words)
        self.digits_x0 = self.x0
        self.digits_x1 = self.x1

    @property
    def text(self) -> str:
        """The words joined by single spaces."""
        return " ".join(w.text for w in self.words)

    @property
    def is_day(self) -> bool:
        """Tell the day of a date that goes on in the next line: "28,"."""
        return len(self.words) == 1 and bool(_DAY.fullmatch(self.words[0].text))

    @property
    def is_year(self) -> bool:
        """Tell a year: a column's header rather than its value."""
        return len(self.words) == 1 and bool(_YEAR.fullmatch(self.words[0].text))

    def __repr__(self) -> str:
        return f"{'V' if self.is_value else 'T'}({self.text!r} {self.x0:.0f}-{self.x1:.0f})"


def reads_as_value(text: str) -> bool:
    """Tell whether one word is a figure, a dash for nil, or "N/A"."""
    return bool(NUMBER.fullmatch(text) or _DASH.fullmatch(text) or _BLANK.fullmatch(text))


def cut(line: Line) -> list[Piece]:
    """Cut a line into its cells, left to right."""
    out: list[Piece] = []
    words = line.words
    at = 0
    while at < len(words):
        value, after = _value(words, at, line.h, out)
        if value is None:
            after = _text(words, at, line.h, out)
        elif not out or value is not out[-1]:
            out.append(value)
        at = after
    return out


def _text(words: list[Word], at: int, h: float, out: list[Piece]) -> int:
    """Add one word of text to the last cell when it stands close, else begin a cell."""
    word = words[at]
    if out and not out[-1].is_value and (word.glue or word.x0 - out[-1].x1 < _TEXT_GAP * h):
        out[-1].words.append(word)
        out[-1].x1 = max(out[-1].x1, word.x1)
    elif out and out[-1].is_value and word.raised and word.x0 - out[-1].x1 < h:
        out[-1].marks.append(word)
    else:
        out.append(Piece([word], is_value=False))
    return at + 1


def _value(words: list[Word], at: int, h: float, out: list[Piece]) -> tuple[Piece | None, int]:
    """Try to read a number with its prefixes and suffixes from ``at``; return it and what follows."""
    start = at
    while at < len(words) and _is_prefix(words, at):
        at += 1
    if at >= len(words) or not reads_as_value(words[at].text) or words[at].raised:
        return None, start
    word = words[at]
    if out and out[-1].is_value and start == at and _marks_value(word, out[-1], h):
        out[-1].marks.append(word)
        return out[-1], at + 1
    if out and not out[-1].is_value and not _stands_apart(words, start, at, h, out[-1]):
        return None, start
    stop = at + 1
    while stop < len(words) and _is_suffix(words, stop, h):
        stop += 1
    if stop + 1 < len(words) and _is_range(words, stop, h):
        stop += 2
        while stop < len(words) and _is_suffix(words, stop, h):
            stop += 1
    if _text_follows(words, stop, h):
        return None, start
    value = Piece(words[start:stop], is_value=True)
    value.digits_x0, value.digits_x1 = word.x0, _digits_end(word, h)
    return value, stop


def _marks_value(word: Word, last: Piece, h: float) -> bool:
    """A bracketed number that all but touches a value is its footnote, not the next column."""
    gap = word.x0 - last.x1
    return (bool(_NOTE_MARK.fullmatch(word.text)) and gap < _MARK_GAP * h) or (
        word.text in _STARS and gap < _STAR_GAP * h
    )


def _is_prefix(words: list[Word], at: int) -> bool:
    text = words[at].text
    if not _PREFIX.fullmatch(text) or at + 1 >= len(words):
        return False
    follower = words[at + 1]
    if _DASH.fullmatch(text) and follower.x0 - words[at].x1 > _MINUS_GAP * words[at].h:
        return False  # nil, and the next column begins
    return reads_as_value(follower.text) or bool(_PREFIX.fullmatch(follower.text))


def _is_suffix(words: list[Word], at: int, h: float) -> bool:
    word, last = words[at], words[at - 1]
    if word.raised or not _SUFFIX.fullmatch(word.text):
        return False
    gap = word.x0 - last.x1
    return gap < (_NEAR_SUFFIX if word.text[-1].isalpha() else _SUFFIX_GAP) * h


def _is_range(words: list[Word], at: int, h: float) -> bool:
    """Tell "1.7% - 2.3%": a dash close to the numbers on both sides."""
    dash, follower = words[at], words[at + 1]
    close = dash.x0 - words[at - 1].x1 < _RANGE_GAP * h and follower.x0 - dash.x1 < _RANGE_GAP * h
    return close and dash.text in _RANGE and bool(NUMBER.fullmatch(follower.text))


def _stands_apart(words: list[Word], start: int, at: int, h: float, last: Piece) -> bool:
    """A number belongs to the text before it when only a space parts them ("June 30", "Level 1")."""
    return words[start].x0 - last.x1 >= _NUMBER_GAP * h or (start < at and words[at].x0 - last.x1 >= 1.5 * h)


def _text_follows(words: list[Word], stop: int, h: float) -> bool:
    """Tell whether the number opens running text ("3M sales", "10 largest", "2018 divestiture")."""
    if stop >= len(words) or words[stop].raised:
        return False
    word = words[stop]
    if word.x0 - words[stop - 1].x1 >= _NUMBER_GAP * h:
        return False
    return not reads_as_value(word.text) and not _PREFIX.fullmatch(word.text)


def _digits_end(word: Word, h: float) -> float:
    """The right edge of the digits: closing brackets and per cents hang over it."""
    x1 = word.x1
    tail = word.text.rstrip("*†‡")
    if tail.endswith("%"):
        x1 -= _PERCENT_WIDTH * h
        tail = tail[:-1]
    if tail.endswith(")"):
        x1 -= _PAREN_WIDTH * h
    return max(x1, word.x0 + 1)


def is_footnote_mark(piece: Piece) -> bool:
    """Tell a cell that only numbers a note or an item: "(1)", "2.", "•"."""
    return len(piece.words) == 1 and bool(_FOOTNOTE.fullmatch(piece.words[0].text))
