"""Owns the HTML report of an audit: the draft with its verdicts, the findings, the quotes in their pages.

Never: scripts, remote resources, or markup that the draft or a document brought along.
"""

from __future__ import annotations

from counterfoil.adapters.render.audit_draft import Marked, render_draft
from counterfoil.adapters.render.audit_paper import AuditPaper, Json, citations_in, code_words, counted, verdict_words
from counterfoil.adapters.render.cards import quote_cards
from counterfoil.adapters.render.html import contents, page
from counterfoil.adapters.render.markup import Html, join, tag
from counterfoil.adapters.render.paper import where
from counterfoil.adapters.render.plain import one_line
from counterfoil.adapters.render.sections import section

_STATE_WORDS = {"bound": "stands in a passage", "flagged": "is not supported", "free": "needs no source"}


def render_audit_html(paper: AuditPaper) -> str:
    """The audit as one HTML file."""
    sources = paper.sources()
    cards = quote_cards(sources, "Back to the draft") if sources.citations else None
    parts = [
        ("findings", "Findings", _findings(paper), "In the order of the draft."),
        (
            "answer",
            "The draft",
            join(_key(), tag("div", render_draft(paper.draft, _marks(paper)), cls="body draft")),
            "",
        ),
        ("quotes", "Quotes in their pages", cards, "Verbatim. The dimmed text is what stands around it."),
        ("warnings", "Warnings", _warnings(paper), ""),
    ]
    shown = [(name, title, section(name, title, content, note)) for name, title, content, note in parts if content]
    names = [(name, title) for name, title, _ in shown]
    return page(
        f"Audit of {one_line(paper.name)} – Counterfoil",
        tag("a", "Skip to the draft", cls="skip", href="#answer"),
        tag(
            "div",
            _masthead(paper),
            tag("main", *(html for *_, html in shown)),
            tag("aside", tag("h2", "Audit"), _counts(paper), contents(names), cls="stub", id="receipt"),
            cls="sheet",
        ),
    )


def _masthead(paper: AuditPaper) -> Html:
    clean = not paper.findings
    short = "Clean" if clean else counted(len(paper.findings), "finding")
    sign = tag("span", "✓" if clean else "✕", aria_hidden="true")
    return tag(
        "header",
        tag("p", tag("b", "Counterfoil"), tag("span", "Research that keeps its receipts"), cls="brand"),
        tag("h1", one_line(paper.name)),
        tag("p", tag("span", sign, " ", short, cls=f"badge {'good' if clean else 'bad'}"), cls="badges"),
        tag("p", verdict_words(paper), cls="status"),
        tag("p", "Asked: ", tag("q", one_line(paper.question)), cls="status") if paper.question else None,
        cls="masthead",
    )


def _counts(paper: AuditPaper) -> Html:
    rows = [
        ("figures bound", paper.count("bound")),
        ("figures flagged", paper.count("flagged")),
        ("figures that need no source", paper.count("free")),
        ("quotations", len(paper.report["quotes"])),
        ("citations of the draft", len(paper.report["citations"])),
        ("documents searched", paper.documents),
    ]
    return tag("dl", *(join(tag("dt", name), tag("dd", str(number))) for name, number in rows))


def _draft(paper: AuditPaper) -> Html:
    return join(_key(), tag("div", render_draft(paper.draft, _marks(paper)), cls="body draft"))


def _key() -> Html:
    shown = (tag("li", tag("span", "12", cls=f"figure {state}"), words) for state, words in _STATE_WORDS.items())
    return tag("ul", *shown, cls="key draft", aria_label="How figures are marked")


def _findings(paper: AuditPaper) -> Html | None:
    if not paper.findings:
        return None
    return tag("ol", *(_finding(paper, n, finding) for n, finding in enumerate(paper.findings, 1)), cls="findings")


def _finding(paper: AuditPaper, number: int, finding: Json) -> Html:
    near = next(
        (
            citation
            for item in (*paper.report["figures"], *paper.report["quotes"])
            if (item["start"], item["end"]) == (finding["start"], finding["end"])
            for citation, _ in citations_in(item)
        ),
        None,
    )
    return tag(
        "li",
        tag(
            "h3",
            tag("a", one_line(finding["where"]), href=f"#D{finding['start']}"),
            tag("span", f"line {finding['line']}", cls="line"),
        ),
        tag("p", code_words(finding["code"]), ". ", tag("code", finding["code"])),
        tag("p", "Would satisfy it: ", one_line(finding["needed"])) if finding["needed"] else None,
        tag("p", tag("a", f"{near['id']}, {where(near)}", href=f"#{near['id']}")) if near else None,
        id=f"F{number}",
    )


def _warnings(paper: AuditPaper) -> Html | None:
    warnings = paper.report["warnings"]
    if not warnings:
        return None
    return join(
        *(
            tag("div", tag("h3", one_line(w["code"])), tag("p", one_line(w["excerpt"])), cls="warning mild")
            for w in warnings
        )
    )


def _marks(paper: AuditPaper) -> list[Marked]:
    finding_of = {(f["start"], f["end"]): f"F{number}" for number, f in enumerate(paper.findings, 1)}
    out: list[Marked] = []
    for kind, items in (("figure", paper.report["figures"]), ("quote", paper.report["quotes"])):
        for item in items:
            cited = next((citation for citation, binds in citations_in(item) if binds), None)
            finding = finding_of.get((item["start"], item["end"]), "")
            title = f"{item['text']}: {_STATE_WORDS[item['state']]}" + (f", {where(cited)}" if cited else "")
            target = finding or (str(cited["id"]) if cited else "")
            out.append(_mark(item, kind, target, title))
    for item in paper.report["citations"]:
        out.append(_mark(item, "source", finding_of.get((item["start"], item["end"]), ""), ""))
    return out


def _mark(item: Json, kind: str, target: str, title: str) -> Marked:
    return Marked(item["start"], item["end"], kind, item["state"], f"D{item['start']}", target, one_line(title))
