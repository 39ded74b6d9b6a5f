"""Owns the words of an answer: first line, quoted rows, calculations spelled out, gaps.

Never: a figure that does not stand in a cited passage, a calculation or the question.
"""

from __future__ import annotations

import re

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.researcher.binding import Candidate
from counterfoil.researcher.compute import Answer
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.periods import Period

_QUOTE_CHARS_MAX = 400


def quantity(text: str, unit: str) -> str:
    """Write a value with its unit: "1,577 USD millions", "30.8 %"."""
    if unit == "percent":
        return f"{text} %"
    return f"{text} {unit}".strip()


def about(subject: str | None, label: str, period: Period | None) -> str:
    """Write what a value is: "3M, capital expenditure, FY2018"."""
    return ", ".join(part for part in (subject, label, period.text if period else None) if part)


def mark(answer: Answer) -> str:
    """Write the citation of an answer: its calculation, or the cell it was read from."""
    if answer.calculation is not None:
        return f"[{answer.calculation.id}]"
    return f"[{answer.cells[0][1].passage.id}]"


def headline(answer: Answer, subject: str | None, label: str) -> str:
    """Write the first line of an answer with one value."""
    return f"**{quantity(answer.text, answer.unit)}** — {about(subject, label, answer.period)} {mark(answer)}"


def exact_note(answer: Answer) -> str | None:
    """Write the value as the document has it, when the first line shows it in another scale."""
    candidate = answer.cells[0][1]
    if answer.calculation is not None or answer.text == candidate.cell.value.strip("()$ "):
        return None
    scale = f" {candidate.cell.scale.strip('() ')}" if candidate.cell.scale else ""
    return f"As written in the document: {candidate.cell.value}{', ' if scale else ''}{scale.strip()} [{candidate.passage.id}]"


def rows(cells: list[Candidate]) -> list[str]:
    """Quote every row once, with the column headers used and the table it stands in."""
    used: dict[str, tuple[Passage, list[str]]] = {}
    for candidate in cells:
        _, headers = used.setdefault(candidate.passage.id, (candidate.passage, []))
        if candidate.cell.header and candidate.cell.header not in headers:
            headers.append(candidate.cell.header)
    lines: list[str] = []
    scales = {c.passage.id: c.cell.scale for c in cells}
    for passage, headers in used.values():
        lines += [f"> {quoted(passage)} [{passage.id}]", ""]
        lines += [beside(passage, headers, scales[passage.id]), ""]
    return lines


def beside(passage: Passage, headers: list[str], scale: str | None) -> str:
    """Write what stands beside a quoted row: its columns, its table, its scale."""
    parts = [f"Column: {'; '.join(headers)}"] if headers else []
    if passage.table:
        parts.append(f"table: {passage.table}")
    if scale:
        parts.append(f"scale: {scale}")
    return f"{' · '.join(_flat(part) for part in parts)} [{passage.id}]" if parts else ""


def lean(body: str) -> str:
    """Return the first line and the quotations of a body: what is left when something else was objected to."""
    lines = body.split("\n")
    kept = [line for line in lines[1:] if line.startswith("> ") or re.match(r"\[C\d+\]", line)]
    return "\n\n".join([lines[0], *kept])


def quoted(passage: Passage) -> str:
    """Return a passage's text on one line, cut at a word to what a quote may hold."""
    text = _flat(passage.text)
    if len(text) <= _QUOTE_CHARS_MAX:
        return text
    return text[:_QUOTE_CHARS_MAX].rsplit(" ", 1)[0]


def _flat(text: str) -> str:
    return " ".join(text.split())


def calculation(answer: Answer) -> list[str]:
    """Spell out a calculation with each operand cited."""
    known = answer.calculation
    if known is None:
        return []
    lines = [f"[{known.id}]: {_readable(known.formula)} = {quantity(answer.text, answer.unit)}", ""]
    for operand, found in answer.cells:
        scale = f", {_flat(found.cell.scale).strip('()')}" if found.cell.scale else ""
        when = f", {operand.period.text}" if operand.period else ""
        lines.append(f"- {operand.name}{when}: {found.cell.value}{scale} [{found.passage.id}]")
    return [*lines, ""]


def _readable(formula: str) -> str:
    return formula.replace("_", " ").replace("*", "×")


def fact(row: str, field: str, answer: Answer) -> FactDraft:
    """Turn an answer into a fact for a cell of the contract."""
    period = answer.period.text if answer.period else None
    if answer.calculation is not None:
        made = answer.calculation
        return FactDraft(
            row=row, field=field, kind="calculation", value=made.value, unit=made.unit, period=period, formula=made.formula, inputs=made.inputs
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
