"""Owns whether structured text can be read in its own format: JSON, CSV and HTML, in blocks or as a whole answer.

Never: a repair, or a format that nobody asked for and no block claims.
"""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser

import msgspec

_BLOCK = re.compile(
    r"^[ \t]{0,3}(?P<fence>```+|~~~+)[ \t]*(?P<info>[\w+-]*)[^\n]*\n(?P<text>.*?)"
    r"(?P<end>^[ \t]{0,3}(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_ASKED = re.compile(
    r"\b(?:as|in|to|output|return|give|valid|write|format|produce|als|im|gültiges|en|au format)\s*:?\s+"
    r"(?:an?\s+|the\s+|valid(?:es)?\s+|well-formed\s+|plain\s+|pure\s+|ein(?:e[nm]?)?\s+|du\s+)*(?P<format>json|csv|html)\b"
    r"(?!\s+(?:files?|data|reports?|pages?|documents?|exports?|tables?)\b)",
    re.IGNORECASE,
)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_OPTIONAL = frozenset(
    ["li", "p", "td", "th", "tr", "thead", "tbody", "tfoot", "dt", "dd", "option", "html", "head", "body", "colgroup"]
)


class Fault(msgspec.Struct, frozen=True):
    """What cannot be read: where it begins in the body, the offending text, and what is wrong."""

    start: int
    text: str
    wrong: str
    asked: str = ""  # the format that was asked for, when there is nothing of it


def asked_formats(text: str) -> tuple[str, ...]:
    """The formats that a task asks an answer to have: "json", "csv", "html"."""
    return tuple(dict.fromkeys(match["format"].lower() for match in _ASKED.finditer(text)))


def find_faults(body: str, asked: tuple[str, ...] = ()) -> tuple[Fault, ...]:
    """Every block that claims a format and is not of it, and every format asked for that the body lacks."""
    out: list[Fault] = []
    seen: set[str] = set()
    for match in _BLOCK.finditer(body):
        name = match["info"].lower()
        if name not in _CHECKS:
            continue
        seen.add(name)
        wrong = _CHECKS[name](match["text"]) or ("" if match["end"].strip() else "the block is not closed")
        if wrong:
            out.append(Fault(match.start(), " ".join(match["text"].split())[:120], f"{name.upper()}: {wrong}"))
    for name in asked:
        if name not in seen and _CHECKS[name](body):
            needed = f"the answer as {name.upper()}, whole or in a ```{name} block"
            out.append(Fault(0, " ".join(body.split())[:120], needed, name))
    return tuple(out)


def _json(text: str) -> str:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    try:
        json.loads(text, parse_constant=refuse)
    except RecursionError:
        return "it is nested too deeply to be read"
    except ValueError as wrong:
        return str(wrong)
    return ""


def _csv(text: str) -> str:
    """Rows of one width; a text of one column and one row is no table."""
    try:
        rows = [row for row in csv.reader(text.strip("\n").splitlines(), strict=True) if row]
    except csv.Error as wrong:
        return str(wrong)
    if not rows or (len(rows[0]) < 2 and len(rows) < 2):
        return "there are no rows"
    uneven = next((number for number, row in enumerate(rows, 1) if len(row) != len(rows[0])), None)
    if uneven is not None:
        return f"row {uneven} has {len(rows[uneven - 1])} fields and the first {len(rows[0])}"
    return ""


class _Tags(HTMLParser):
    """Follows which elements are open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen = 0
        self.wrong = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, if it is of the kind that is closed again."""
        self.seen += 1
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that closes itself."""
        self.seen += 1

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element of that name; those inside it may be left open only where HTML allows it."""
        while self.open and self.open[-1] != tag and self.open[-1] in _OPTIONAL:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()
        elif not self.wrong and tag not in _VOID:
            self.wrong = (
                f"</{tag}> closes nothing" if tag not in self.open else f"</{tag}> stands inside <{self.open[-1]}>"
            )


def _html(text: str) -> str:
    tags = _Tags()
    tags.feed(text)
    tags.close()
    left = next((tag for tag in reversed(tags.open) if tag not in _OPTIONAL), "")
    wrong = tags.wrong or (f"<{left}> is not closed" if left else "")
    return wrong or ("" if tags.seen else "there is no element")


_CHECKS = {"json": _json, "csv": _csv, "html": _html}
