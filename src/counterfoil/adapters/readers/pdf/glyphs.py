"""Owns what is taken from a PDF page: words with their boxes, and horizontal ruling lines.

Asks the library for four facts a word instead of four a character; that is what makes it fast.
Never: meaning (lines, cells, tables).
"""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

_WORD = re.compile(r"\S+")
_HYPHEN_AT_LINE_END = "\ufffe"  # how the library marks a hyphen where a word runs on in the next line
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\u200b\u200c\u200d\u2060\ufeff\uffff]")
_RAISED_SHARE = 0.12  # a mark's baseline stands at least this share of the line height above the text's
_SMALL_SHARE = 0.9  # and its glyphs are smaller
_RULE_HEIGHT_MAX = 4.5  # points; thicker boxes are shading. Bounds of strokes come padded by their width
_RULE_WIDTH_MIN = 4.0
_RULE_LEVEL = 1.2  # points; pieces of one rule differ less in height than two rules of a double line
_RULE_JOIN = 1.2  # points between the pieces that table cells contribute to one rule
_ANGLE_SAMPLES = 9
_STEM_MIN = 3
_BREAK_GAP = 0.17  # of the line height; a drawn space is wider, but for an "f" that hangs over it
_DESCENT_SHARE = 0.2  # of the height: where the baseline of a sideways word is put
_FONT_NAME_BYTES = 128
_BOLD_WEIGHT = 600
_BOLD_NAME = re.compile(rb"bold|black|heavy|semibold|demi", re.IGNORECASE)


class Word:
    """A run of glyphs without white space. ``y`` is the baseline; ``glue`` says no space stands before it."""

    __slots__ = ("glue", "h", "i", "raised", "text", "unit", "x0", "x1", "y")

    def __init__(self, text: str, x0: float, x1: float, y: float, h: float) -> None:
        self.text = text
        self.x0 = x0
        self.x1 = x1
        self.y = y
        self.h = h
        self.i = 0
        self.glue = False
        self.raised = False
        self.unit = -1

    def __repr__(self) -> str:
        return f"Word({self.text!r}, {self.x0:.1f}-{self.x1:.1f}, y={self.y:.1f}, h={self.h:.1f})"


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal ruling line."""

    x0: float
    x1: float
    y: float


@dataclass(slots=True)
class PageGlyphs:
    """A page as the library shows it. ``first_char`` maps a word's index to its character's."""

    words: list[Word]
    first_char: list[int]


class PageSource:
    """One open page; close it when done. Rules and fonts are read only when somebody asks."""

    def __init__(self, document: pdfium.PdfDocument, index: int) -> None:
        self._page = document[index]
        self._text = self._page.get_textpage()
        self._quarters = 0

    def close(self) -> None:
        """Give the page's memory back."""
        self._text.close()
        self._page.close()

    def glyphs(self) -> PageGlyphs:
        """Return the page's words in the order in which they stand in the file."""
        chars = _characters(self._text)
        self._quarters = self._angle(chars)
        words: list[Word] = []
        first_char: list[int] = []
        for match in _WORD.finditer(chars):
            for word, start in self._parts(match.group(), match.start(), match.end()):
                word.i = len(words)
                if words and self._broken(words[-1], word, start):
                    word.glue = True
                words.append(word)
                first_char.append(start)
        return PageGlyphs(words, first_char)

    def plain_text(self) -> str:
        """The page's text in the library's own lines, white space folded."""
        lines = (" ".join(line.split()) for line in _characters(self._text).splitlines())
        return "\n".join(line for line in lines if line).replace(_HYPHEN_AT_LINE_END, "-")

    def rules(self) -> list[Rule]:
        """Return the page's horizontal rules, pieces joined, top first."""
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        refs = (ctypes.byref(left), ctypes.byref(bottom), ctypes.byref(right), ctypes.byref(top))
        pieces: list[Rule] = []
        raw = self._page.raw
        for n in range(pdfium_c.FPDFPage_CountObjects(raw)):
            item = pdfium_c.FPDFPage_GetObject(raw, n)
            if pdfium_c.FPDFPageObj_GetType(item) != pdfium_c.FPDF_PAGEOBJ_PATH:
                continue
            if not pdfium_c.FPDFPageObj_GetBounds(item, *refs):
                continue
            x0, y0, x1, y1 = _turned_box(left.value, bottom.value, right.value, top.value, self._quarters)
            if y1 - y0 <= _RULE_HEIGHT_MAX and x1 - x0 >= _RULE_WIDTH_MIN:
                pieces.append(Rule(x0, x1, (y0 + y1) / 2))
        return join_rules(pieces)

    def is_bold(self, char: int) -> bool:
        """Tell whether the character is set in a bold face."""
        flags = ctypes.c_int()
        name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        raw = self._text.raw
        pdfium_c.FPDFText_GetFontInfo(raw, char, name, _FONT_NAME_BYTES, ctypes.byref(flags))
        return bool(_BOLD_NAME.search(name.value)) or pdfium_c.FPDFText_GetFontWeight(raw, char) >= _BOLD_WEIGHT

    def _angle(self, chars: str) -> int:
        """Quarter turns of most of the text: tables are often set sideways on an upright page."""
        raw = self._text.raw
        found = [m.start() for m in _WORD.finditer(chars)]
        step = max(1, len(found) // _ANGLE_SAMPLES)
        votes = [round(pdfium_c.FPDFText_GetCharAngle(raw, c) / (math.pi / 2)) % 4 for c in found[::step]]
        return max(set(votes), key=votes.count) if votes else 0

    def _broken(self, last: Word, word: Word, start: int) -> bool:
        """Tell a word's last letter that the library parted from it ("Shee t"): no space is drawn there."""
        if len(word.text) != 1 or not word.text.islower() or not last.text.isalpha() or len(last.text) < _STEM_MIN:
            return False
        near = abs(word.y - last.y) < 1 and 0 <= word.x0 - last.x1 < _BREAK_GAP * word.h
        return near and last.text[-1] != "f" and bool(pdfium_c.FPDFText_IsGenerated(self._text.raw, start - 1))

    def _parts(self, text: str, start: int, stop: int) -> list[tuple[Word, int]]:
        """Return the word, in parts where a hyphen lets it run on in the next line."""
        cut = text.find(_HYPHEN_AT_LINE_END) + 1
        if not 0 < cut < len(text):
            return self._word(text, start, stop)
        head = self._word(text[:cut], start, start + cut)
        tail = self._parts(text[cut:], start + cut, stop)
        tail[0][0].glue = True
        return head + tail

    def _word(self, text: str, start: int, stop: int) -> list[tuple[Word, int]]:
        """Return the word, in two parts when a raised mark hangs on its end ("1,234" and "(a)")."""
        first = self._box(start)
        last = self._box(stop - 1) if stop - start > 1 else first
        if self._quarters:
            return [(_sideways(text, first, last, self._quarters), start)]
        if stop - start > 1 and (first[4] != last[4] or last[5] < first[5]):
            cut = self._mark_start(first, start, stop)
            if cut > start:
                end = self._box(cut - 1)
                main = _make(text[: cut - start], first, end)
                mark = _make(text[cut - start :], self._box(cut), last)
                mark.glue, mark.raised = True, True
                return [(main, start), (mark, cut)]
        return [(_make(text, first, last), start)]

    def _mark_start(self, first: tuple[float, ...], start: int, stop: int) -> int:
        """Return where the raised characters at the end begin; ``start`` when there are none."""
        cut = stop
        while cut > start:
            box = self._box(cut - 1)
            raised = box[4] - first[4] > _RAISED_SHARE * first[5]
            small = box[5] < _SMALL_SHARE * first[5]
            if not (raised and small):
                break
            cut -= 1
        return cut if cut < stop else start

    def _box(self, char: int) -> tuple[float, ...]:
        """Left, bottom, right, top, baseline, height of one character."""
        raw = self._text.raw
        pdfium_c.FPDFText_GetLooseCharBox(raw, char, _RECT_REF)
        pdfium_c.FPDFText_GetCharOrigin(raw, char, _X_REF, _Y_REF)
        return _RECT.left, _RECT.bottom, _RECT.right, _RECT.top, _Y.value, _RECT.top - _RECT.bottom


# One set of out-parameters for all calls: a worker process reads one page at a time.
_RECT = pdfium_c.FS_RECTF()
_RECT_REF = ctypes.byref(_RECT)
_X, _Y = ctypes.c_double(), ctypes.c_double()
_X_REF, _Y_REF = ctypes.byref(_X), ctypes.byref(_Y)


def _characters(page: pdfium.PdfTextPage) -> str:
    """The page's text with exactly one code point for each character index."""
    count = page.count_chars()
    text = str(page.get_text_range(0, count)) if count > 0 else ""
    if len(text) != count:  # unmapped glyphs shift the bulk text: ask one by one
        raw = page.raw
        codes = (pdfium_c.FPDFText_GetUnicode(raw, n) for n in range(count))
        text = "".join(chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else " " for code in codes)
    return _INVISIBLE.sub(" ", text)


def _make(text: str, first: tuple[float, ...], last: tuple[float, ...]) -> Word:
    return Word(text.replace(_HYPHEN_AT_LINE_END, "-"), first[0], last[2], first[4], max(first[5], 0.1))


def _turned_box(x0: float, y0: float, x1: float, y1: float, quarters: int) -> tuple[float, float, float, float]:
    for _ in range(quarters):
        x0, y0, x1, y1 = y0, -x1, y1, -x0
    return x0, y0, x1, y1


def _sideways(text: str, first: tuple[float, ...], last: tuple[float, ...], quarters: int) -> Word:
    """Return a sideways word as it stands once the page is turned."""
    box = min(first[0], last[0]), min(first[1], last[1]), max(first[2], last[2]), max(first[3], last[3])
    x0, y0, x1, y1 = _turned_box(*box, quarters)
    height = max(y1 - y0, 0.1)
    return Word(text.replace(_HYPHEN_AT_LINE_END, "-"), x0, x1, y0 + _DESCENT_SHARE * height, height)


def join_rules(pieces: list[Rule]) -> list[Rule]:
    """Join the pieces that table cells contribute to one line."""
    out: list[Rule] = []
    level: list[Rule] = []
    for piece in sorted(pieces, key=lambda r: -r.y):
        if level and level[0].y - piece.y > _RULE_LEVEL:
            out.extend(_join_level(level))
            level = []
        level.append(piece)
    out.extend(_join_level(level))
    return out


def _join_level(level: list[Rule]) -> list[Rule]:
    out: list[Rule] = []
    for piece in sorted(level, key=lambda r: r.x0):
        if out and piece.x0 - out[-1].x1 <= _RULE_JOIN:
            out[-1] = Rule(out[-1].x0, max(out[-1].x1, piece.x1), out[-1].y)
        else:
            out.append(piece)
    return out
