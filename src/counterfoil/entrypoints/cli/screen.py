"""Owns what a person reads on a terminal: the answer, evidence, gaps, quotes, the budget that adds up, the receipt.

Never: a control character from a document; every text passes ``clean`` before it is printed.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

import click

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
from counterfoil.entrypoints.cli.screen_body import body_lines

_WIDTH_MAX, _WIDTH_MIN = 100, 40
_COLUMNS = ("row", "field", "value", "unit", "period", "kind", "evidence")


def print_paper(paper: Paper, written: str | None = None, *, brief: bool = False) -> None:
    """Print a report on stdout; ``written`` is where a file of it was left, which holds what ``brief`` leaves out."""
    click.echo(screen(paper, width=terminal_width(), written=written, brief=brief), color=colours())


def colours() -> bool | None:
    """Whether to style: never under NO_COLOR, else click decides by the terminal."""
    return False if os.environ.get("NO_COLOR") else None


def screen(paper: Paper, *, width: int, written: str | None = None, brief: bool = False) -> str:
    """The report as terminal text; styles are ANSI codes that ``click.echo`` strips where nobody sees them."""
    parts = [
        _answer(paper, width),
        "" if brief else _section("Evidence", _evidence(paper, width)),
        _section("Sources disagree", _conflicts(paper)),
        _section("Gaps", _gaps(paper, width)),
        _section("Calculations", _calculations(paper)),
        "" if brief else _section("Quotes", _quotes(paper, width)),
        _section("Warnings", _warnings(paper, width)),
        "" if brief else _section(TITLE, _notes(paper, width)),
        "" if brief else _section("Budget", _budget(paper)),
        _receipt(paper, written),
    ]
    return "\n\n".join(part for part in parts if part)


def text_table(header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """A table of plain columns, wide characters counted as two; empty without rows."""
    body = [list(row) for row in rows]
    if not body:
        return ""
    kept = [i for i in range(len(header)) if any(row[i] for row in body)]
    lines = [[header[i] for i in kept], *([row[i] for i in kept] for row in body)]
    widths = [max(cells(line[i]) for line in lines) for i in range(len(kept))]
    flushed = {kept.index(i) for i in right if i in kept}
    out = ["  ".join(_padded(cell, widths[i], i in flushed) for i, cell in enumerate(line)).rstrip() for line in lines]
    return "\n".join([click.style(out[0], dim=True), *out[1:]])


def cells(text: str) -> int:
    """How many terminal cells a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - cells(cell))
    return space + cell if right else cell + space


def terminal_width() -> int:
    """How many cells a line may take: the terminal's, within reason."""
    return max(_WIDTH_MIN, min(_WIDTH_MAX, shutil.get_terminal_size((_WIDTH_MAX, 24)).columns if sys.stdout else 0))


def _section(title: str, content: str) -> str:
    return f"{click.style(title, bold=True)}\n{content}" if content else ""


def wrapped(text: str, width: int, indent: str = "", first: str | None = None) -> str:
    """A text in lines of at most ``width``, all but the ``first`` indented."""
    return textwrap.fill(
        text, width, initial_indent=indent if first is None else first, subsequent_indent=indent, break_on_hyphens=False
    )


def _answer(paper: Paper, width: int) -> str:
    status = status_words(str(paper.report.get("status")))
    label = f" · {paper.model_label}" if paper.model_label else ""
    colour = {"good": "green", "mixed": "yellow", "bad": "red"}[status.tone]
    head = click.style(status.short, fg=colour, bold=True) + click.style(label, dim=True)
    error = paper.report.get("error")
    lines = [head]
    if error:
        lines.append(click.style(one_line(error.get("message") or error.get("code")), fg="red"))
    if paper.publication.get("assembled_by") == "host":
        lines.append(wrapped("Assembled by the Host from the ledger; no answer of the model was accepted.", width))
    return "\n".join(lines) + "\n\n" + body_lines(clean(paper.publication.get("body") or "There is no answer."), width)


def _evidence(paper: Paper, width: int) -> str:
    rows = []
    for row in paper.report.get("evidence_table") or []:
        value = one_line(row.get("value") or f"({cell_words(str(row.get('state')))})")
        rows.append(
            (
                shortened(one_line(row.get("row") or ""), width // 4),
                shortened(one_line(row.get("field") or ""), width // 4),
                shortened(value, width // 3),
                one_line(row.get("unit") or ""),
                one_line(row.get("period") or ""),
                kind_words(row.get("kind")),
                " ".join(row.get("evidence") or []),
            )
        )
    return text_table(_COLUMNS, rows)


def shortened(text: str, width: int) -> str:
    """A text cut to ``width`` cells, with a mark where it was cut."""
    if cells(text) <= width:
        return text
    while text and cells(text) > width - 1:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _conflicts(paper: Paper) -> str:
    return "\n".join(
        f"{cell_name(c)}: "
        + " against ".join(
            f"{one_line(v.get('value'))} [{' '.join(v.get('evidence') or [])}]" for v in c.get("values") or []
        )
        for c in paper.report.get("conflicts") or []
    )


def _gaps(paper: Paper, width: int) -> str:
    lines = []
    for group in gap_groups(paper):
        why = f" – {group.why}" if group.why else ""
        lines.append(wrapped(f"{'; '.join(group.names)}: {group.state}{why}", width, "  ", ""))
        lines.extend(wrapped(f"searched: {query}", width, "    ", "  ") for query in group.tried)
    return "\n".join(lines)


def _calculations(paper: Paper) -> str:
    lines = []
    for c in paper.calculations:
        inputs = ", ".join(
            f"{i.get('name')} = {i.get('value')} [{i.get('evidence_id')}]" for i in c.get("inputs") or []
        )
        lines.append(
            one_line(f"{c.get('id')}: {c.get('formula')} = {c.get('value')} {c.get('unit') or ''} with {inputs}")
        )
    return "\n".join(lines)


def _quotes(paper: Paper, width: int) -> str:
    lines = []
    for citation in paper.citations:
        lines.append(click.style(f"[{one_line(citation.get('id'))}] {where(citation)}", dim=True))
        parts = table_parts(citation)
        beside = "; ".join(parts[key] for key in ("title", "column_header", "scale") if key in parts)
        lines.append(wrapped(f"“{one_line(citation.get('quote') or '')}”", width, "  "))
        if beside:
            lines.append(wrapped(f"({beside})", width, "  "))
    return "\n".join(lines)


def _warnings(paper: Paper, width: int) -> str:
    lines = []
    for item in paper.report.get("warnings") or []:
        said = one_line(item.get("excerpt") or item.get("message") or item.get("where") or "")
        if item.get("code") == "INSTRUCTION_IN_PAGE":
            said = f"{paper.source(item.get('handle'))} speaks to an assistant; it changed nothing: “{said}”"
        lines.append(wrapped(f"{one_line(item.get('code'))}: {said}", width, "  ", ""))
    return "\n".join(lines)


def _notes(paper: Paper, width: int) -> str:
    lines = [wrapped(f"{line.label}: {line.text}", width, "  ", "") for line in note_lines(paper)]
    return "\n".join([click.style(MEANING, dim=True), *lines]) if lines else ""


def _budget(paper: Paper) -> str:
    rows = (
        (line.policy, amount(line.used), amount(line.limit), amount(line.left), line.unit, line.sum)
        for line in budget_lines(paper)
    )
    return text_table(("policy", "used", "limit", "left", "unit", "by purpose"), rows, right=(1, 2, 3))


def _receipt(paper: Paper, written: str | None) -> str:
    lines = [f"run    {one_line(paper.report.get('run_id'))}", f"head   {one_line(paper.report.get('head'))}"]
    if (review := paper.report.get("review")) not in (None, "not_run"):
        lines.append(f"review {one_line(review)}")
    if written:
        lines.append(f"report {written}")
    return "\n".join(lines)
