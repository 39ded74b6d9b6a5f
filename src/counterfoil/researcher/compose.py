"""Owns the words of an answer: first line, quoted rows, calculations spelled out, gaps.

Never: a figure that does not stand in a cited passage, a calculation or the question.
"""

from __future__ import annotations

import re
from decimal import Decimal

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.text.marks import escaped
from counterfoil.researcher.binding import Candidate
from counterfoil.researcher.calendar import EARLY_END
from counterfoil.researcher.compute import Answer
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.periods import Period, column

_QUOTE_CHARS_MAX = 400
_SHARE = re.compile(r"\s*\([^()]*\d[^()]*(?:%|percent)[^()]*\)")  # "(14.6% of sales)" in a title is a figure of its own
_SCALES = {Decimal(1000): "thousands", Decimal(10**6): "millions", Decimal(10**9): "billions"}


def quantity(text: str, unit: str) -> str:
    """Write a value with its unit: "1,577 USD millions", "30.8 %"."""
    if unit == "percent":
        return f"{text} %"
    return f"{text} {unit}".strip()


def about(subject: str | None, label: str, period: Period | None) -> str:
    """Write what a value is: "3M, capital expenditure, FY2018"."""
    return ", ".join(part for part in (subject, label, period.text if period else None) if part)


def mark(answer: Answer) -> str:
    """Write the citation of an answer: its calculation with the rows it rests on, or the row it was read from."""
    rests = " ".join(f"[{id}]" for id in dict.fromkeys(found.passage.id for _, found in answer.cells))
    return f"[{answer.calculation.id}] {rests}" if answer.calculation is not None else rests


def marks(answers: list[Answer]) -> str:
    """Write the citations of several answers, none twice."""
    return " ".join(dict.fromkeys(part for item in answers for part in mark(item).split()))


def headline(answer: Answer, subject: str | None, label: str) -> str:
    """Write the first line of an answer with one value."""
    return f"**{quantity(answer.text, answer.unit)}** — {about(subject, inline(label), answer.period)} {mark(answer)}"


def exact_note(answer: Answer) -> str | None:
    """Write the value as the document has it, when the first line shows it in another scale."""
    candidate = answer.cells[0][1]
    if answer.calculation is not None or answer.text == candidate.cell.value.strip("()$ "):
        return None
    return f"As the document has it: {inline(candidate.cell.value)}{scaled(candidate)} [{candidate.passage.id}]"


def year_note(answer: Answer) -> str | None:
    """Say which year end was taken, when a year's name alone does not tell: one that ends early in the calendar."""
    for operand, found in answer.cells:
        col, period = column(found.cell.header), operand.period
        if period is None or period.month is not None or col.year is None or col.month is None:
            continue
        if col.year != period.year or (col.month <= EARLY_END and not period.quarter):
            day = f"{col.year:04d}-{col.month:02d}" + (f"-{col.day:02d}" if col.day else "")
            return f"{period.text} is taken to be the period that ended on {day} [{found.passage.id}]."
    return None


def scaled(candidate: Candidate) -> str:
    """Write the scale of a cell: ", in millions"; empty when it has none."""
    name = _SCALES.get(candidate.multiplier)
    return f", in {name}" if name else ""


def rows(cells: list[Candidate]) -> list[str]:
    """Quote every row once; below it the table it stands in, its scale and the columns used."""
    used: dict[str, tuple[Candidate, list[str]]] = {}
    for candidate in cells:
        _, headers = used.setdefault(candidate.passage.id, (candidate, []))
        if candidate.cell.header and candidate.cell.header not in headers:
            headers.append(candidate.cell.header)
    return [line for candidate, headers in used.values() for line in (*quotation(candidate, headers), "")]


def quotation(candidate: Candidate, headers: list[str]) -> list[str]:
    """Write a row as a block quotation with an attribution line."""
    return quoted_row(candidate.passage, headers)


def quoted_row(passage: Passage, headers: list[str]) -> list[str]:
    """Write a row as a block quotation; below it its table, the scale of its amounts, and the columns meant."""
    sizes = [Decimal(cell.multiplier) for cell in passage.cells if cell.multiplier]
    scale = _SCALES.get(max(sizes)) if sizes else None
    title = _SHARE.sub("", passage.table)
    parts = [title, f"in {scale}" if scale else "", f"column {'; '.join(headers)}" if headers else ""]
    beside = " · ".join(inline(part) for part in parts if part)
    return [f"> {quoted(passage)} [{passage.id}]", *([f"> — {beside} [{passage.id}]"] if beside else [])]


def quoted(passage: Passage) -> str:
    """Return a passage's text on one line, cut at a word to what a quote may hold, without any Markdown of its own."""
    text = _flat(passage.text)
    if len(text) <= _QUOTE_CHARS_MAX:
        return _safe(text)
    return _safe(text[:_QUOTE_CHARS_MAX].rsplit(" ", 1)[0])


def _safe(text: str) -> str:
    """Escaped, but for closing brackets: without an opening one they mean nothing, and "E7]" stays two tokens."""
    return escaped(text).replace("\\]", "]").replace("\\】", "】")


def inline(text: str) -> str:
    """Return a document's words for a line of the answer: on one line, no citation, link or markup in them."""
    return _safe(_flat(text))


def _flat(text: str) -> str:
    return " ".join(text.split())


def calculation(answer: Answer) -> list[str]:
    """Spell out a calculation with each operand cited."""
    known = answer.calculation
    if known is None:
        return []
    lines = [f"{mark(answer)}: {_readable(known.formula)} = {quantity(answer.text, answer.unit)}", ""]
    for operand, found in answer.cells:
        when = f", {operand.period.text}" if operand.period else ""
        lines.append(f"- {operand.name}{when}: {inline(found.cell.value)}{scaled(found)} [{found.passage.id}]")
    return [*lines, ""]


def _readable(formula: str) -> str:
    whole = re.fullmatch(r"100 \* \((.*)\)", formula)
    return (whole.group(1) if whole else formula).replace("_", " ").replace("*", "×")


def fact(row: str, field: str, answer: Answer) -> FactDraft:
    """Turn an answer into a fact for a cell of the contract."""
    period = answer.period.text if answer.period else None
    if answer.calculation is not None:
        made = answer.calculation
        return FactDraft(
            row=row,
            field=field,
            kind="calculation",
            value=made.value,
            unit=made.unit,
            period=period,
            formula=made.formula,
            inputs=made.inputs,
        )
    found = answer.cells[0][1]
    return FactDraft(
        row=row,
        field=field,
        value=answer.text,
        unit=answer.unit or None,
        period=period,
        evidence_id=found.passage.id,
        quote=quoted_verbatim(found.passage),
        header=found.cell.header or None,
    )


def quoted_verbatim(passage: Passage) -> str:
    """Return a passage's text as it stands, at most as long as a quote may be."""
    return passage.text[:_QUOTE_CHARS_MAX]


def gap(row: str, field: str, why: str, calls: tuple[str, ...]) -> Gap:
    """Declare that a cell could not be filled."""
    return Gap(row=row, field=field, state="not_found", why=why, search_calls=calls)
