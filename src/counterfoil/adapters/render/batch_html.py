"""Owns the page of a batch: how many questions ended how, the shared budget, and the table with a quote per cell.

Never: a value without its quote beside it, when it has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec import to_builtins

from counterfoil.adapters.render.batch_table import TableLine
from counterfoil.adapters.render.cards import place
from counterfoil.adapters.render.html import page
from counterfoil.adapters.render.markup import Html, join, tag
from counterfoil.adapters.render.paper import amount, cell_words, kind_words, status_words
from counterfoil.adapters.render.plain import one_line

_HEAD = ("row", "field", "value", "period", "kind", "where it stands")
_LONG = 40  # characters from which on a value is a sentence and not set in bold


class BatchPaper(msgspec.Struct, frozen=True):
    """A batch as it is shown: ``used`` and ``budget`` by policy id; ``questions``: how many it has in all."""

    name: str
    questions: int
    lines: tuple[TableLine, ...]
    used: Mapping[str, float]
    budget: Mapping[str, float]


def render_batch_html(paper: BatchPaper) -> str:
    """One self-contained page."""
    counts = Counter({line.place: line.status for line in paper.lines}.values())
    badges = (
        tag("span", f"{number} {status_words(status).short.lower()}", cls=f"badge {status_words(status).tone}")
        for status, number in sorted(counts.items())
    )
    return page(
        f"{paper.questions} questions – Counterfoil",
        tag("a", "Skip to the answers", cls="skip", href="#answers"),
        tag(
            "div",
            tag(
                "header",
                tag("p", tag("b", "Counterfoil"), tag("span", paper.name), cls="brand"),
                tag("h1", f"{paper.questions} questions"),
                tag("div", *badges, cls="badges"),
                cls="masthead",
            ),
            tag("main", tag("section", tag("h2", "Answers"), _table(paper.lines), id="answers")),
            tag("aside", tag("h2", "Shared budget"), _budget(paper), cls="stub"),
            cls="sheet",
        ),
    )


def _table(lines: Sequence[TableLine]) -> Html:
    """One table, a group of rows for each question."""
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in _HEAD)))
    groups = (_group(tuple(group)) for _place, group in groupby(lines, lambda line: line.place))
    return tag("div", tag("table", head, *groups, cls="facts"), cls="scroll", tabindex="0")


def _group(lines: Sequence[TableLine]) -> Html:
    asked = f"{lines[0].place}. {one_line(lines[0].question)}"
    return tag(
        "tbody",
        tag("tr", tag("th", asked, scope="rowgroup", colspan=len(_HEAD)), cls="asked"),
        *(_row(line) for line in lines),
    )


def _row(line: TableLine) -> Html:
    missing = line.state not in ("found", "conflict")
    shown = " ".join(filter(None, (one_line(line.value), one_line(line.unit))))
    why = one_line(line.why)
    return tag(
        "tr",
        tag("td", one_line(line.row)),
        tag("td", one_line(line.field)),
        tag(
            "td",
            tag("span", cell_words(line.state) or status_words(line.status).short, cls="none") if missing else shown,
            tag("span", cell_words("conflict"), cls="conditions") if line.state == "conflict" else None,
            tag("span", why, cls="conditions") if why else None,
            cls="value" + (" long" if line.kind != "calculation" and len(shown) > _LONG else ""),
        ),
        tag("td", one_line(line.period)),
        tag("td", kind_words(line.kind)),
        tag("td", _sources(line)),
        cls="is-conflict" if line.state == "conflict" else None,
    )


def _sources(line: TableLine) -> Html:
    return join(
        *(
            tag("div", place(to_builtins(cited)), tag("q", one_line(cited.quote)), cls="where")
            for cited in line.citations
        )
    )


def _budget(paper: BatchPaper) -> Html:
    shown = {policy: units for policy, units in paper.used.items() if units or policy in paper.budget}
    if not shown:
        return tag("p", "Nothing was used.")
    rows = (
        join(
            tag("dt", policy),
            tag("dd", amount(units), f" of {amount(paper.budget[policy])}" if policy in paper.budget else None),
        )
        for policy, units in sorted(shown.items())
    )
    return tag("dl", *rows)
