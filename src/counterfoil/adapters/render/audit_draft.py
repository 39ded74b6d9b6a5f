"""Owns showing a draft as the page it is, with each figure, quotation and citation marked by its verdict.

Never: raw HTML, a link or an image of the draft; a mark leads to a place on this page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from counterfoil.adapters.render.body import plain_parser, rendered, sanitised
from counterfoil.adapters.render.markup import Html, escape
from counterfoil.adapters.render.plain import clean

# Punctuation that hardly anybody writes: Markdown treats it as such, so emphasis beside it still works.
_OPEN, _CLOSE = "⸨", "⸩"
_SENTINEL = re.compile(f"{_OPEN}(\\d+|/\\d+){_CLOSE}")
_CLASSES = {kind: {"figure", "quote", "source", "bound", "flagged", "free"} for kind in ("a", "span")}


class Marked(msgspec.Struct, frozen=True):
    """A stretch of the draft and how it is shown. ``target`` is the id of a place on the page, "" for none."""

    start: int
    end: int
    kind: str  # figure, quote, source
    state: str  # bound, flagged, free
    id: str = ""
    target: str = ""
    title: str = ""


def render_draft(draft: str, marked: Iterable[Marked]) -> Html:
    """The draft as HTML; what is marked inside a marked quotation stays a mark of its own."""
    known = list(marked)
    edges: list[tuple[int, int, int, str]] = []  # position, closing before opening, outer first, sentinel
    for number, mark in enumerate(known):
        if mark.start < mark.end:
            edges.append((mark.start, 1, -mark.end, f"{_OPEN}{number}{_CLOSE}"))
            edges.append((mark.end, 0, -mark.start, f"{_OPEN}/{number}{_CLOSE}"))
    out: list[str] = []
    last = 0
    for position, _, _, sentinel in sorted(edges):
        out += [draft[last:position].replace(_OPEN, "�").replace(_CLOSE, "�"), sentinel]
        last = position
    out.append(draft[last:].replace(_OPEN, "�").replace(_CLOSE, "�"))
    html = rendered(plain_parser(), clean("".join(out)))
    return sanitised(_SENTINEL.sub(lambda m: _tag(m[1], known), html), _CLASSES)


def _tag(which: str, known: list[Marked]) -> str:
    mark = known[int(which.lstrip("/"))]
    element = "a" if mark.target and mark.kind != "quote" else "span"
    if which.startswith("/"):
        return f"</{element}>"
    place = f' href="#{escape(mark.target)}"' if element == "a" else ""
    named = f' id="{escape(mark.id)}"' if mark.id else ""
    title = f' title="{escape(mark.title)}"' if mark.title else ""
    return f'<{element} class="{mark.kind} {mark.state}"{named}{place}{title}>'
