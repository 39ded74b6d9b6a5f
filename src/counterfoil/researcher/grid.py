"""Owns the publication of a task with rows and fields: the table, the quotes behind it, the facts and gaps.

Never: a cell without a citation or a declared gap.
"""

from __future__ import annotations

import re
from typing import Any

from counterfoil.core.answer.candidate import Gap, GapState
from counterfoil.core.answer.contract import Contract
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.text.marks import unescaped
from counterfoil.core.text.periods import find_periods
from counterfoil.researcher import compose
from counterfoil.researcher.cells import OTHER_OFFER, SEVERAL, CellAnswer, Value
from counterfoil.researcher.draft import Draft

REJECTED = "what was read did not pass the checks"
TOO_LATE = "it was read when nothing more could be recorded"


def draft_grid(contract: Contract, answers: list[CellAnswer]) -> Draft:
    """Compose the table of all cells, every quote once, and what came near but is something else."""
    fields = [field.name for field in contract.fields if field.type != "url"]
    draft = Draft("")
    lines = [f"| | {' | '.join(_flat(f) for f in fields)} |", f"|---|{'---|' * len(fields)}"]
    for row in dict.fromkeys(a.row for a in answers):
        own = {a.field: a for a in answers if a.row == row}
        lines.append(f"| {_flat(row)} | {' | '.join(_written(own[f]) for f in fields)} |")
    lines.append("")
    quoted: dict[str, Value] = {}
    columns: dict[str, list[str]] = {}
    for answer in answers:
        draft.facts.extend(answer.facts)
        for value in answer.values:
            quoted.setdefault(value.passage.id, value)
            if value.header and value.header not in columns.setdefault(value.passage.id, []):
                columns[value.passage.id].append(value.header)
        if not answer.values:
            calls = answer.searches
            state: GapState = "unresolved" if answer.why == SEVERAL else "not_found"
            draft.gaps.append(Gap(answer.row, answer.field, state, answer.why, calls))
            if state == "not_found":
                draft.facts.append(FactDraft(row=answer.row, field=answer.field, kind=state, search_calls=calls))
    for value in quoted.values():
        lines += _quotation(value, columns.get(value.passage.id, []))
    lines += _near(answers, set(quoted))
    draft.body = "\n".join(lines).strip()
    return draft


def _written(answer: CellAnswer) -> str:
    if not answer.values:
        return {OTHER_OFFER: "not found for this offer", SEVERAL: "unclear: several values"}.get(
            answer.why, "not found"
        )
    if len(answer.values) == 1:
        return _one(answer.values[0])
    return "sources disagree: " + "; ".join(_one(value) for value in answer.values)


def _one(value: Value) -> str:
    notes = [value.note] if value.note else []
    if value.is_old:
        notes.append("an archived page")
    marks = f"[{value.passage.id}]"
    if value.dated is not None:
        day = next(p.text for p in find_periods(value.dated.text) if p.kind == "date")
        notes.append(f"page dated {day}")
        marks += f" [{value.dated.id}]" if value.dated.id != value.passage.id else ""
    said, text = _flat(", ".join(notes)), value.text
    if (
        value.passage.cells
        and value.unit
        and value.unit.split(" ")[0] not in text
        and not re.search(r"[^\d.,()\s-]", text)
    ):
        text = f"{text} {value.unit}"
    return f"{compose.inline(_flat(text))}{f' ({compose.inline(said)})' if said else ''} {marks}"


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")


def _quotation(value: Value, columns: list[str]) -> list[str]:
    if value.passage.cells:
        return [*compose.quoted_row(value.passage, columns), ""]
    return [f"> {compose.quoted(value.passage)} [{value.passage.id}]", ""]


def _near(answers: list[CellAnswer], quoted: set[str]) -> list[str]:
    """Quote what is stated of other offers, so that nobody takes it for what was asked."""
    lines: list[str] = []
    for answer in answers:
        fresh = {v.passage.id: v for v in answer.near if v.passage.id not in quoted}
        if answer.values or not answer.near:
            continue
        about = f"{_flat(answer.row)}, {_flat(answer.field)}".strip(", ")
        cited = " ".join(f"[{id}]" for id in dict.fromkeys(v.passage.id for v in answer.near))
        lines += [f"Near, and not taken for {about}: {cited} ({answer.why}).", ""]
        for value in fresh.values():
            lines += _quotation(value, [value.header] if value.header else [])
        quoted.update(fresh)
    return lines


def without_rejected(
    answers: list[CellAnswer], rejections: list[list[dict[str, Any]]], refused: list[dict[str, Any]]
) -> bool:
    """Turn every cell that a finding or a refusal names into a gap; return whether all findings were placed.

    What passed stays. Cells are changed in place.
    """
    refusals = {(str(r.get("row") or ""), str(r.get("field") or "")) for r in refused}
    placed = True
    for answer in answers:
        if (answer.row, answer.field) in refusals and answer.values:
            _empty(answer)
    for finding in (f for found in rejections for f in found):
        where = str(finding.get("where") or "")
        hit = [answer for answer in answers if _names(where, answer)]
        for answer in hit:
            _empty(answer)
        placed = placed and bool(hit or refusals)
    return placed


def without_unrecorded(answers: list[CellAnswer], recorded: list[dict[str, Any]]) -> None:
    """Turn cells whose facts are not on the ledger into gaps, when no fact can be recorded any more."""
    known = {(str(r.get("row") or ""), str(r.get("field") or "")) for r in recorded}
    for answer in answers:
        if answer.values and (answer.row, answer.field) not in known:
            _empty(answer, TOO_LATE)


def _empty(answer: CellAnswer, why: str = REJECTED) -> None:
    answer.values, answer.near, answer.facts, answer.why = [], [], [], why


def _names(where: str, answer: CellAnswer) -> bool:
    """Say whether the place that a finding gives is this cell, its figure in its row, or its quote."""
    if where.split(" (")[0].strip() in (f"{answer.row} / {answer.field}", answer.row):
        return True
    figure, _, scope = where.partition(" in: ")
    written = _bare(_written(answer)) if answer.values else ""
    in_row = bool(scope) and _bare(scope).startswith(_bare(answer.row)) and bool(figure) and _bare(figure) in written
    passages = [v.passage for v in (*answer.values, *answer.near)]
    looked = _bare(scope or where)
    quotes = [_bare(compose.quoted(p)) for p in passages]
    cited = not scope and any(f"[{p.id}]" in where for p in passages)
    return in_row or cited or any(len(looked) > 8 and (looked in q or q in looked) for q in quotes)


def _bare(text: str) -> str:
    return " ".join(re.sub(r"\[[A-Z]\d+\]|^[>|\s]+|[*_`|]", " ", unescaped(text)).split())
