"""Owns the Markdown form of a report: answer, evidence table, quotes, gaps, budget, receipt.

Never: raw HTML, or text from a document that could open a table, a heading or a link of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from counterfoil.adapters.render.notes import MEANING, TITLE, note_lines
from counterfoil.adapters.render.paper import (
    Paper,
    amount,
    budget_lines,
    cell_name,
    cell_words,
    gap_groups,
    kind_words,
    status_words,
    table_parts,
    where,
)
from counterfoil.adapters.render.plain import clean, one_line

_LINK = re.compile(r"\](?=[(:])")  # "[text](address)", "![text](address)", "[name]: address"
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~!&])")


def render_markdown(paper: Paper) -> str:
    """The report as Markdown."""
    status = status_words(str(paper.report.get("status")))
    parts = [
        f"# {text(paper.question)}",
        f"**{status.short}.** {status.sentence}" + (f" *{text(paper.model_label)}*" if paper.model_label else ""),
        _body(paper),
        *_section("Evidence", _evidence(paper)),
        *_section("Where sources disagree", _conflicts(paper)),
        *_section("Gaps", _gaps(paper)),
        *_section("Calculations", _calculations(paper)),
        *_section("Quotes", _quotes(paper)),
        *_section("Warnings", _warnings(paper)),
        *_section(TITLE, _notes(paper)),
        *_section("Budget", _budget(paper)),
        *_section("Receipt", _receipt(paper)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def text(value: object) -> str:
    """One line of text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", one_line(value))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, empty when it has no rows."""
    lines = [" | ".join(row) for row in rows]
    if not lines:
        return ""
    return "\n".join(f"| {line} |" for line in (" | ".join(header), " | ".join("---" for _ in header), *lines))


def _section(title: str, content: str) -> tuple[str, ...]:
    return (f"## {title}", content) if content else ()


def _body(paper: Paper) -> str:
    body = _LINK.sub(r"]\\", clean(paper.publication.get("body") or "").replace("<", "&lt;")).strip()
    if paper.publication.get("assembled_by") == "host":
        return f"*Assembled by the Host from the ledger: no answer of the model was accepted.*\n\n{body}"
    return body


def _evidence(paper: Paper) -> str:
    return table(
        ("row", "field", "value", "unit", "period", "kind", "evidence"),
        (
            (
                text(row.get("row") or ""),
                text(row.get("field") or ""),
                text(row.get("value") or cell_words(str(row.get("state")))),
                text(row.get("unit") or ""),
                text(row.get("period") or ""),
                kind_words(row.get("kind")),
                ", ".join(row.get("evidence") or []),
            )
            for row in paper.report.get("evidence_table") or []
        ),
    )


def _conflicts(paper: Paper) -> str:
    return "\n".join(
        f"- {text(cell_name(c))}: "
        + " against ".join(
            f"{text(v.get('value'))} [{', '.join(v.get('evidence') or [])}]" for v in c.get("values") or []
        )
        for c in paper.report.get("conflicts") or []
    )


def _gaps(paper: Paper) -> str:
    return "\n".join(
        f"- {text('; '.join(group.names))}: {group.state}"
        + (f" – {text(group.why)}" if group.why else "")
        + (f"; searched for {', '.join(f'“{text(query)}”' for query in group.tried)}" if group.tried else "")
        for group in gap_groups(paper)
    )


def _quotes(paper: Paper) -> str:
    return "\n\n".join(
        f"**{text(c.get('id'))}** {text(c.get('title') or '')} ({text(where(c))})\n\n> {text(c.get('quote') or '')}"
        + _table_note(table_parts(c))
        for c in paper.citations
    )


def _table_note(parts: dict[str, str]) -> str:
    names = {"title": "table", "section": "section", "column_header": "column", "row_label": "row", "scale": "scale"}
    notes = [f"{word}: {text(parts[key])}" for key, word in names.items() if key in parts]
    return f"\n>\n> *{'; '.join(notes)}*" if notes else ""


def _calculations(paper: Paper) -> str:
    return "\n".join(
        f"- {text(c.get('id'))}: {text(c.get('formula'))} = {text(c.get('value') or '')} {text(c.get('unit') or '')}"
        + "".join(f"; {_operand(operand)}" for operand in c.get("inputs") or [])
        for c in paper.calculations
    )


def _operand(operand: dict[str, str]) -> str:
    return f"{text(operand.get('name'))} = {text(operand.get('value'))} [{text(operand.get('evidence_id'))}]"


def _warnings(paper: Paper) -> str:
    return "\n".join(
        f"- {text(w.get('code') or '')}: {text(paper.source(w.get('handle')))}"
        + (f" – “{text(w.get('excerpt'))}”" if w.get("excerpt") else "")
        for w in paper.report.get("warnings") or []
    )


def _notes(paper: Paper) -> str:
    lines = [f"- {text(line.label)}: {text(line.text)}" for line in note_lines(paper)]
    return "\n".join([f"*{MEANING}*", "", *lines]) if lines else ""


def _budget(paper: Paper) -> str:
    return table(
        ("policy", "used", "limit", "left", "by purpose"),
        (
            (line.policy, amount(line.used), amount(line.limit), amount(line.left), line.sum)
            for line in budget_lines(paper)
        ),
    )


def _receipt(paper: Paper) -> str:
    report = paper.report
    lines = [
        f"- run: `{one_line(report.get('run_id'))}`",
        f"- ended: {text(report.get('stop_reason'))}"
        + (f" ({text(report['policy'])})" if report.get("policy") else ""),
        *([f"- review: {text(report['review'])}"] if report.get("review") not in (None, "not_run") else []),
        f"- model: {text(paper.model or 'unknown')}" + (f" ({text(paper.model_label)})" if paper.model_label else ""),
        f"- as of: {text((report.get('time_anchor') or {}).get('as_of') or 'unknown')}",
        f"- chain head: `{one_line(report.get('head'))}`",
    ]
    return "\n".join(lines)
