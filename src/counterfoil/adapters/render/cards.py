"""Owns the quote cards: each quote in its page context, and for a table row the small table it came from.

Never: changing a quote; it is shown verbatim, only escaped.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from counterfoil.adapters.render.markup import Html, join, tag
from counterfoil.adapters.render.paper import PageContext, Paper, cell_name, cell_value, file_name, table_parts
from counterfoil.adapters.render.plain import one_line

_LINKED = ("http", "https", "file")
_NOTES = ("section", "scale")


def quote_cards(paper: Paper, back: str = "Back to the answer") -> Html:
    """All cards, in the order of the citations; ``back`` is what the link to ``#answer`` says."""
    return join(*(_card(paper, citation, back) for citation in paper.citations))


def _card(paper: Paper, citation: dict[str, Any], back: str) -> Html:
    identity = one_line(citation.get("id"))
    supports = [
        cell_name(row) for row in paper.report.get("evidence_table") or [] if identity in (row.get("evidence") or [])
    ]
    context = paper.contexts.get(identity, PageContext(quote=str(citation.get("quote") or "")))
    return tag(
        "article",
        tag(
            "header",
            tag("span", identity, cls="mark"),
            tag("div", tag("h3", one_line(citation.get("title")) or file_name(citation)), place(citation), cls="where"),
        ),
        _mini_table(paper, citation),
        tag(
            "blockquote",
            _around(context.before, before=True, cut=context.cut_before),
            tag("mark", context.quote or str(citation.get("quote") or "")),
            _around(context.after, before=False, cut=context.cut_after),
        ),
        tag(
            "footer",
            tag("span", "Supports ", tag("b", "; ".join(dict.fromkeys(supports)))) if supports else None,
            tag("a", back, href="#answer"),
        ),
        cls="card",
        id=identity,
        aria_label=f"Quote {identity}",
    )


def _around(text: str, *, before: bool, cut: bool) -> Html | None:
    """The page's own text beside the quote, blank lines closed up, cut at a word and not within one."""
    shown = re.sub(r"\s*\n\s*", "\n", text)
    if not shown.strip():
        return None
    if cut:
        kept = shown.split(None, 1)[-1] if before else shown.rsplit(None, 1)[0]
        shown = f"… {kept}" if before else f"{kept} …"
    return tag("span", shown, cls="around")


def place(citation: dict[str, Any]) -> Html:
    """Where a citation stands: its file, linked where that is safe, its page and handle."""
    url, page, name = str(citation.get("url") or ""), citation.get("page"), file_name(citation)
    linked = urlsplit(url).scheme in _LINKED
    return tag(
        "p",
        tag("a", name, href=url, rel="noopener noreferrer nofollow") if linked else tag("span", name),
        tag("span", f"page {page}", cls="page") if page else None,
        tag("span", one_line(citation.get("handle")), cls="handle") if citation.get("handle") else None,
    )


def _mini_table(paper: Paper, citation: dict[str, Any]) -> Html | None:
    part = table_parts(citation)
    if not part:
        return None
    value = part.get("value") or cell_value(paper, str(citation.get("id"))) or "see the quote"
    notes = [tag("b", part["title"]) if "title" in part else None, *(tag("span", part[k]) for k in _NOTES if k in part)]
    header = tag("tr", tag("th", "row", scope="col"), tag("th", part.get("column_header", "column"), scope="col"))
    body = tag("tr", tag("th", part.get("row_label", "–"), scope="row"), tag("td", value))
    return tag(
        "div",
        tag("p", *notes) if any(notes) else None,
        tag("table", tag("thead", header), tag("tbody", body)),
        cls="cell",
    )
