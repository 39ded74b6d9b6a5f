"""Owns the HTML report: one self-contained page that works offline, in print, in the dark and with a keyboard.

Never: scripts, remote resources, inline style attributes; the content policy in its head forbids all three.
"""

from __future__ import annotations

import base64
import hashlib

from counterfoil.adapters.render import sections
from counterfoil.adapters.render.body import render_body
from counterfoil.adapters.render.cards import quote_cards
from counterfoil.adapters.render.markup import Html, join, tag
from counterfoil.adapters.render.notes import MEANING, TITLE
from counterfoil.adapters.render.paper import Paper, status_words
from counterfoil.adapters.render.plain import one_line
from counterfoil.adapters.render.style import CSS

_SIGNS = {"good": "✓", "mixed": "◐", "bad": "✕"}
_TITLE_CHARS_MAX = 120


def render_html(paper: Paper) -> str:
    """The report as one HTML file."""
    content = _sections(paper)
    names = [(part.name, part.title) for part in content]
    return page(
        f"{one_line(paper.question)[:_TITLE_CHARS_MAX]} – Counterfoil",
        tag("a", "Skip to the answer", cls="skip", href="#answer"),
        tag(
            "div",
            _masthead(paper),
            tag("main", *(part.html for part in content)),
            tag("aside", tag("h2", "Receipt"), sections.receipt(paper), contents(names), cls="stub", id="receipt"),
            cls="sheet",
        ),
    )


def page(title: str, *body: Html) -> str:
    """A whole page in the house style, with the content policy that forbids everything but that style."""
    html = tag("html", _head(title), tag("body", *body), lang="en")
    return f"<!doctype html>\n{html}\n"


class _Part:
    """A section on the page and its place in the table of contents."""

    def __init__(self, name: str, title: str, content: Html | None, note: str = "") -> None:
        self.name, self.title = name, title
        self.html = sections.section(name, title, content, note)


def _sections(paper: Paper) -> list[_Part]:
    parts = [
        _Part("answer", "Answer", _answer(paper)),
        _Part(
            "conflicts",
            "Where sources disagree",
            sections.conflicts(paper),
            "Shown side by side; none was chosen silently.",
        ),
        _Part("gaps", "Gaps", sections.gaps(paper), "Looked for in these documents and not established."),
        _Part("warnings", "Warnings", sections.warnings(paper)),
        _Part("evidence", "Evidence table", sections.evidence_table(paper)),
        _Part("calculations", "Calculations", sections.calculations(paper), "Computed here; no source states them."),
        _Part(
            "quotes", "Quotes in their pages", quote_cards(paper), "Verbatim. The dimmed text is what stands around it."
        ),
        _Part("rejections", "Drafts that were refused", sections.rejections(paper)),
        _Part("notes", TITLE, sections.notes(paper), MEANING),
        _Part("budget", "Budget", sections.budget(paper), "Every line adds up: used + left = limit."),
    ]
    return [part for part in parts if part.html]


def _head(title: str) -> Html:
    digest = base64.b64encode(hashlib.sha256(CSS.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content="Counterfoil"),
        tag("title", title),
        Html(f"<style>{CSS}</style>"),
    )


def _masthead(paper: Paper) -> Html:
    status = status_words(str(paper.report.get("status")))
    documents = len({c.get("handle") or c.get("url") for c in paper.citations})
    counted = f"{_count(len(paper.citations), 'quote')} from {_count(documents, 'document')}" if documents else ""
    return tag(
        "header",
        tag("p", tag("b", "Counterfoil"), tag("span", "Research that keeps its receipts"), cls="brand"),
        tag("h1", one_line(paper.question)),
        tag(
            "p",
            tag(
                "span",
                tag("span", _SIGNS[status.tone], aria_hidden="true"),
                " ",
                status.short,
                cls=f"badge {status.tone}",
            ),
            tag("span", one_line(paper.model_label), cls="badge plain") if paper.model_label else None,
            tag("span", counted, cls="counted") if counted else None,
            cls="badges",
        ),
        tag("p", status.sentence, cls="status") if status.sentence else None,
        cls="masthead",
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _answer(paper: Paper) -> Html:
    publication = paper.publication
    error = paper.report.get("error")
    body = render_body(str(publication.get("body") or ""), _targets(paper))
    host = "Assembled by the Host from the ledger, because no answer of the model was accepted."
    return join(
        tag("p", host, cls="host") if publication.get("assembled_by") == "host" else None,
        tag("p", one_line(error.get("message") or error.get("code")), cls="error") if error else None,
        tag("div", body or tag("p", "There is no answer."), cls="body"),
    )


def _targets(paper: Paper) -> dict[str, tuple[str, ...]]:
    """Where each mark leads on this page: evidence and calculations to themselves, a fact to its evidence."""
    shown = {str(item.get("id")): (str(item.get("id")),) for item in (*paper.citations, *paper.calculations)}
    facts = {
        str(row["fact"]): tuple(e for e in row.get("evidence") or [] if e in shown)
        for row in paper.report.get("evidence_table") or []
        if row.get("fact")
    }
    return {**facts, **shown}


def contents(names: list[tuple[str, str]]) -> Html:
    """The table of contents of a page: (id, title) of each section."""
    return tag(
        "nav",
        tag("h2", "On this page"),
        tag("ul", *(tag("li", tag("a", title, href=f"#{name}")) for name, title in names)),
        aria_label="On this page",
    )
