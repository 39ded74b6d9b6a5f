"""Owns ROW_MISSING and FIELD_MISSING: every cell asked for has a fact or a declared gap.

Never: whether the fact is good (it was checked when it was recorded).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.conflicts import CellView, cell_states, covers
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import words_stand_in

NEEDED = "record a fact for it, or declare a gap with the searches that looked for it"
UNSEARCHED = "nothing was searched yet, so nothing can be not found: search first, or declare it unresolved"

SEARCHED_FOR_ANOTHER = "the searches that this gap names were none or for another row: name those that looked for it"


class Cells(msgspec.Struct, frozen=True):
    """The contract's cells against facts and gaps. A row with nothing at all is one finding."""

    name: str = "cells@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """Every row and field that is neither filled nor declared missing."""
        contract = state.contract
        if not contract.rows or not contract.fields:
            return (*_one_sided(candidate, state), *_unsearched(candidate, state))
        asked = {(row.casefold(), field.casefold()) for row, field in contract.cells()}
        views = [
            view
            for view in cell_states(contract, state.facts, candidate.gaps)
            if (view.row.casefold(), view.field.casefold()) in asked
        ]
        missing = tuple(f for row in contract.rows for f in _row(row.name, [v for v in views if v.row == row.name]))
        return (*missing, *_unsearched(candidate, state))


def _unsearched(candidate: Candidate, state: RunState) -> Iterator[Finding]:
    """Gaps that say "not found" where nobody looked, or where others were looked for."""
    if not state.searches():
        for gap in candidate.gaps:
            if gap.state == "not_found":
                where = " / ".join(filter(None, (gap.row, gap.field))) or "the question"
                yield Finding("FIELD_MISSING" if gap.field else "ROW_MISSING", where, UNSEARCHED)
    for gap in candidate.gaps:
        if gap.row and gap.search_calls and not any(_looked_for(gap.row, call, state) for call in gap.search_calls):
            where = " / ".join(filter(None, (gap.row, gap.field)))
            yield Finding("FIELD_MISSING" if gap.field else "ROW_MISSING", where, SEARCHED_FOR_ANOTHER)


def _looked_for(row: str, call: str, state: RunState) -> bool:
    """Whether a finished search may have been for ``row``: it was, or it named no row."""
    found = next((c for c in state.searches() if c.call.id == call), None)
    return found is not None and str(found.call.args.get("row") or row).casefold() == row.casefold()


def _row(name: str, views: list[CellView]) -> list[Finding]:
    open_cells = [view for view in views if view.state == "open"]
    if views and len(open_cells) == len(views):
        return [Finding("ROW_MISSING", name, NEEDED)]
    return [Finding("FIELD_MISSING", f"{view.row} / {view.field}", NEEDED) for view in open_cells]


def _one_sided(candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
    """Rows without fields, or fields without rows: each is named in the body, has a fact, or is a gap."""
    contract: Contract = state.contract
    found: list[Finding] = []
    for row in contract.rows:
        said = words_stand_in(row.name, candidate.body) or any(f.row == row.name for f in state.facts)
        if not said and not any(gap.row and covers(gap, row.name, "") for gap in candidate.gaps):
            found.append(Finding("ROW_MISSING", row.name, NEEDED))
    for field in contract.fields:
        if field.type == "url":
            continue
        said = any(f.field == field.name for f in state.facts)
        if not said and not any(covers(gap, "", field.name) for gap in candidate.gaps):
            found.append(Finding("FIELD_MISSING", field.name, NEEDED))
    return tuple(found)
