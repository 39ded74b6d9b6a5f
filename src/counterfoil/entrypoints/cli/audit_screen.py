"""Owns what a person reads of an audit on a terminal: findings first, then what each figure is bound to.

Never: a control character from a draft or a document; every text passes ``one_line`` before it is printed.
"""

from __future__ import annotations

import click

from counterfoil.adapters.render.audit_paper import AuditPaper, Json, citations_in, code_words, verdict_words
from counterfoil.adapters.render.paper import where
from counterfoil.adapters.render.plain import one_line
from counterfoil.entrypoints.cli.screen import shortened, text_table, wrapped


def audit_screen(paper: AuditPaper, *, width: int, written: str | None = None) -> str:
    """The audit as terminal text; styles are ANSI codes that ``click.echo`` strips where nobody sees them."""
    colour = "red" if paper.findings else "green"
    parts = [
        click.style(verdict_words(paper), fg=colour, bold=True),
        *(_finding(finding, width) for finding in paper.findings),
        _bound(paper, width),
        *(wrapped(f"{w['code']}: {one_line(w['excerpt'])}", width, "  ", "") for w in paper.report["warnings"]),
        f"report {written}" if written else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _finding(finding: Json, width: int) -> str:
    place = click.style(f"line {finding['line']}", dim=True)
    head = f"{place}  {click.style(shortened(one_line(finding['where']), width - 12), bold=True)}"
    lines = [head, wrapped(f"{code_words(finding['code'])} ({finding['code']}).", width, "  ")]
    if finding["needed"]:
        lines.append(wrapped(f"would satisfy it: {one_line(finding['needed'])}", width, "    ", "  "))
    return "\n".join(lines)


def _bound(paper: AuditPaper, width: int) -> str:
    rows = []
    for item in (*paper.report["figures"], *paper.report["quotes"]):
        cited = next((citation for citation, binds in citations_in(item) if binds), None)
        if item["state"] == "bound" and cited:
            place = shortened(where(cited), width // 3)
            said = shortened(one_line(item["text"])[: width + 1], width // 4)
            rows.append((str(item["line"]), said, place, one_line(cited["quote"])[: width + 1]))
    rows.sort(key=lambda row: int(row[0]))
    left = sum(max((len(row[i]) for row in rows), default=0) + 2 for i in range(3))
    cut = [(*row[:3], shortened(row[3], max(20, width - left))) for row in rows]
    return text_table(("line", "bound", "where", "quote"), cut, right=(0,))
