"""Owns the Markdown and JSON forms of an audit: findings, figures with what binds them, quotes.

Never: raw HTML, or text from a draft or a document that could open a table, a heading or a link of its own.
"""

from __future__ import annotations

import json

from counterfoil.adapters.render.audit_paper import AuditPaper, Json, citations_in, code_words, verdict_words
from counterfoil.adapters.render.markdown import table, text
from counterfoil.adapters.render.paper import where


def render_audit_markdown(paper: AuditPaper) -> str:
    """The audit as Markdown."""
    parts = [
        f"# Audit of {text(paper.name)}",
        f"**{verdict_words(paper)}**",
        _section("Findings", _findings(paper)),
        _section("Figures", _figures(paper)),
        _section("Quotes", _quotes(paper)),
        _section("Warnings", "\n".join(f"- {text(w['code'])}: {text(w['excerpt'])}" for w in paper.report["warnings"])),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def render_audit_json(paper: AuditPaper) -> str:
    """The object of ``audit --json``, indented, with a line break at its end."""
    return json.dumps(paper.report, ensure_ascii=False, indent=2) + "\n"


def _section(title: str, content: str) -> str:
    return f"## {title}\n\n{content}" if content else ""


def _findings(paper: AuditPaper) -> str:
    return "\n".join(
        f"{number}. line {f['line']}: **{text(f['where'])}** – {text(code_words(f['code']))} "
        f"({text(f['code'])})" + (f"; would satisfy it: {text(f['needed'])}" if f["needed"] else "")
        for number, f in enumerate(paper.findings, 1)
    )


def _figures(paper: AuditPaper) -> str:
    rows = ((str(f["line"]), text(f["text"]), f["state"], _binding(f)) for f in paper.report["figures"])
    return table(("line", "figure", "state", "bound to"), rows)


def _binding(figure: Json) -> str:
    return "; ".join(f"{c['id']}, {text(where(c))}" for c, binds in citations_in(figure) if binds)


def _quotes(paper: AuditPaper) -> str:
    return "\n\n".join(
        f"**{text(c['id'])}** {text(c['title'] or '')} ({text(where(c))})\n\n> {text(c['quote'])}"
        for c in paper.sources().citations
    )
