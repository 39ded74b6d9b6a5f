"""Owns the sections of the HTML report around the answer: tables, conflicts, gaps, warnings, budget, receipt.

Never: a page of its own (``html`` puts the sections together) or a number that the object does not hold.
"""

from __future__ import annotations

from typing import Any

from counterfoil.adapters.render.markup import Html, join, tag
from counterfoil.adapters.render.notes import note_lines
from counterfoil.adapters.render.paper import (
    Paper,
    amount,
    budget_lines,
    cell_name,
    cell_words,
    gap_groups,
    kind_words,
    status_words,
)
from counterfoil.adapters.render.plain import one_line

_COLUMNS = ("row", "field", "value", "unit", "period", "kind")
_ALWAYS = ("value", "kind")
_SHORT_VALUE = 40  # a longer value is a sentence and is not set in bold


def section(name: str, title: str, content: Html | None, note: str = "") -> Html | None:
    """A section with a heading, None when it has no content."""
    if not content:
        return None
    return tag("section", tag("h2", title), tag("p", note, cls="note") if note else None, content, id=name)


def evidence_table(paper: Paper) -> Html | None:
    """The evidence table; columns that are empty throughout are left out."""
    rows = paper.report.get("evidence_table") or []
    if not rows:
        return None
    columns = [c for c in _COLUMNS if c in _ALWAYS or any(row.get(c) for row in rows)]
    head = tag("tr", *(tag("th", name, scope="col") for name in (*columns, "evidence")))
    body = (
        tag("tr", *(_cell(row, c) for c in columns), _sources(paper, row), cls=f"is-{row.get('state')}") for row in rows
    )
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body), cls="facts"), cls="scroll")


def _cell(row: dict[str, Any], column: str) -> Html:
    if column == "value" and not row.get("value"):
        return tag("td", tag("span", cell_words(str(row.get("state"))), cls="none"), cls="value", data_label=column)
    value = kind_words(row.get("kind")) if column == "kind" else one_line(row.get(column) or "")
    if column == "field":
        value = value.replace("_", " ")
    if column == "value":
        extra = tag("span", one_line(row["conditions"]), cls="conditions") if row.get("conditions") else None
        long = len(value) > _SHORT_VALUE
        return tag("td", value, extra, cls="value long" if long else "value", data_label=column)
    return tag("th", value, scope="row", data_label=column) if column == "row" else tag("td", value, data_label=column)


def _sources(paper: Paper, row: dict[str, Any]) -> Html:
    cited = {c.get("id") for c in paper.citations}
    marks = (mark(e, linked=e in cited) for e in row.get("evidence") or [])
    return tag("td", *marks, data_label="evidence")


def mark(evidence_id: str, *, linked: bool) -> Html:
    """A citation mark, a link where its quote is on the page."""
    return tag("a", evidence_id, cls="cite", href=f"#{evidence_id}") if linked else tag("span", evidence_id, cls="cite")


def conflicts(paper: Paper) -> Html | None:
    """What sources disagree on, every value with its evidence."""
    items = paper.report.get("conflicts") or []
    cited = {c.get("id"): c for c in paper.citations}
    blocks = [
        tag(
            "div",
            tag("h3", cell_name(item)),
            tag(
                "ul",
                *(
                    tag(
                        "li",
                        tag("b", one_line(value.get("value"))),
                        *(mark(e, linked=e in cited) for e in value.get("evidence") or []),
                        *(
                            tag("span", one_line(cited[e].get("title")), cls="from")
                            for e in (value.get("evidence") or [])[:1]
                            if e in cited
                        ),
                    )
                    for value in item.get("values") or []
                ),
            ),
            cls="conflict",
        )
        for item in items
    ]
    return join(*blocks) if blocks else None


def gaps(paper: Paper) -> Html | None:
    """What was asked for and is not given, with the searches that were tried."""
    rows = [
        tag(
            "li",
            tag("b", "; ".join(group.names)),
            tag("span", group.state, cls="state"),
            tag("p", group.why) if group.why else None,
            tag("p", "Searched for ", *(tag("q", query) for query in group.tried), cls="tried")
            if group.tried
            else None,
        )
        for group in gap_groups(paper)
    ]
    return tag("ul", *rows, cls="gaps") if rows else None


def warnings(paper: Paper) -> Html | None:
    """Warnings; an instruction found in a page is shown as what it is: text that changed nothing."""
    blocks = []
    for item in paper.report.get("warnings") or []:
        hostile = item.get("code") == "INSTRUCTION_IN_PAGE"
        source = one_line(paper.source(item.get("handle"))) if item.get("handle") else ""
        title = f"Instruction found in {source}" if hostile else _plain(item.get("code") or "warning").capitalize()
        said = item.get("excerpt") or item.get("message") or item.get("why") or item.get("where") or ""
        blocks.append(
            tag(
                "div",
                tag("h3", title),
                tag("p", "The page speaks to an assistant. It was read as text and changed nothing.")
                if hostile
                else None,
                tag("p", tag("q", one_line(said)) if hostile else one_line(said)) if said else None,
                cls="warning" if hostile else "warning mild",
            )
        )
    return join(*blocks) if blocks else None


def calculations(paper: Paper) -> Html | None:
    """Every calculation with its formula and its operands, each operand linked to its quote."""
    cited = {c.get("id") for c in paper.citations}
    items = [
        tag(
            "li",
            tag("p", tag("span", one_line(c.get("id")), cls="mark"), tag("code", one_line(c.get("formula"))), " = ",
                tag("b", one_line(" ".join(filter(None, (c.get("value"), c.get("unit"))))))),
            tag("p", *(_operand(operand, cited) for operand in c.get("inputs") or []), cls="operands"),
            id=one_line(c.get("id")),
        )
        for c in paper.calculations
    ]  # fmt: skip
    return tag("ul", *items, cls="sums") if items else None


def _operand(operand: dict[str, Any], cited: set[Any]) -> Html:
    scale = operand.get("multiplier") or "1"
    evidence = str(operand.get("evidence_id"))
    value = one_line(operand.get("value") or "") + ("" if scale == "1" else f" × {scale}")
    return tag(
        "span", tag("i", one_line(operand.get("name"))), " = ", value, " ", mark(evidence, linked=evidence in cited)
    )


def rejections(paper: Paper) -> Html | None:
    """Drafts that the checks refused, with every reason."""
    items = [
        tag("li", tag("code", one_line(finding.get("code"))), " ", one_line(finding.get("where") or ""),
            tag("span", f" – needed: {one_line(finding['needed'])}") if finding.get("needed") else None)
        for rejection in paper.report.get("rejections") or []
        for finding in rejection.get("findings") or []
    ]  # fmt: skip
    return tag("ul", *items) if items else None


def notes(paper: Paper) -> Html | None:
    """What the model noted while it worked."""
    items = [tag("li", tag("b", line.label), f": {line.text}") for line in note_lines(paper)]
    return tag("ul", *items) if items else None


def budget(paper: Paper) -> Html | None:
    """The budget table: used + left = limit on every line, purposes as a sum."""
    lines = budget_lines(paper)
    if not lines:
        return None
    head = tag("tr", *(tag("th", name, scope="col") for name in ("policy", "used", "limit", "left", "")))
    body = [
        tag(
            "tr",
            tag(
                "th",
                line.policy,
                tag("span", line.unit, cls="unit") if line.unit else None,
                tag("span", line.sum, cls="sum") if line.sum else None,
                scope="row",
            ),
            tag("td", amount(line.used)),
            tag("td", amount(line.limit)),
            tag("td", amount(line.left)),
            tag("td", _meter(line.policy, line.used, line.limit), cls="bar"),
            cls=None if line.used else "unused",
        )
        for line in lines
    ]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body), cls="budget"), cls="scroll")


def _meter(policy: str, used: float, limit: float | None) -> Html | None:
    if not limit:
        return None
    return tag("meter", f"{amount(used)} of {amount(limit)}", min=0, max=limit, value=used, aria_label=policy)


def receipt(paper: Paper) -> Html:
    """The stub: what identifies the Run and lets anybody check it."""
    report = paper.report
    run, head = one_line(report.get("run_id")), one_line(report.get("head"))
    anchor = report.get("time_anchor") or {}
    lines = [
        ("Run", tag("code", run)),
        ("Status", status_words(str(report.get("status"))).short),
        ("Ended by", " ".join(filter(None, (_plain(report.get("stop_reason")), _plain(report.get("policy")))))),
        ("Review", _plain(report.get("review")) if report.get("review") != "not_run" else ""),
        (
            "Model",
            join(
                one_line(paper.model),
                tag("span", one_line(paper.model_label), cls="sub") if paper.model_label else None,
            ),
        ),
        ("Admitted", _moment(paper.admitted)),
        ("As of", f"{one_line(anchor.get('as_of') or 'unknown')}, zone {one_line(anchor.get('zone') or 'unknown')}"),
        ("Cost", "" if report.get("cost_usd") is None else f"${report['cost_usd']:.4f}"),
        ("Chain head", tag("code", head, cls="head")),
    ]
    entries = (join(tag("dt", name), tag("dd", value)) for name, value in lines if value)
    check = tag("code", f"counterfoil verify {run} --head {head}", cls="command")
    return join(tag("dl", *entries), tag("p", "Check that the ledger behind this page is unchanged:"), check)


def _moment(iso: str) -> str:
    """An ISO time in UTC to the minute."""
    return f"{iso[:10]} {iso[11:16]} UTC" if iso.endswith("+00:00") else iso


def _plain(code: object) -> str:
    return one_line(code or "").replace("_", " ") if "/" not in str(code or "") else f"({one_line(code)})"
