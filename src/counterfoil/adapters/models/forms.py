"""Owns the Host's own tools as a model without native calls is offered them: fewer arguments, what they rest on first.

Never: a tool of a user or of a server; those are offered with all their arguments.
"""

from __future__ import annotations

from typing import Any

from counterfoil.core.exchange import Json
from counterfoil.core.record.state import FACTS_TOOL, FINISH_TOOL, PUBLISH_TOOL, READ_TOOL, SEARCH_TOOL
from counterfoil.core.text.marks import find_marks

EVIDENCE_FIRST = "evidence"  # an argument of publish_answer in this form alone: IDs are chosen before prose is written

# Arguments by tool or part of one, in the order in which they are written; "!" for what must not be null. Small models
# fill in whatever there is, so what they can do without is left out; the contract's domains hold in any case.
FORMS: dict[str, tuple[str, ...]] = {
    SEARCH_TOOL: ("query!", "row", "field"),
    READ_TOOL: ("handle!", "segment", "find"),
    FACTS_TOOL: ("facts!",),
    PUBLISH_TOOL: (EVIDENCE_FIRST, "facts", "calculations", "gaps", "body!", "finish!"),
    FINISH_TOOL: ("outcome!", "limitations!"),
    "CalculationInput": ("name!", "evidence_id!", "value!", "header", "multiplier"),
    "Calculation": ("id!", "inputs!", "formula!", "value!", "unit"),
    "Gap": ("row!", "field!", "search_calls", "state!", "why!"),
}
# A fact has one form for each kind; estimates are not offered.
FACT = "FactDraft"
FACT_FORMS: dict[str, tuple[str, ...]] = {
    "stated": ("row!", "field!", "evidence_id!", "quote!", "value!", "unit", "period", "header"),
    "calculation": ("row!", "field!", "inputs!", "formula!", "value!", "unit", "period"),
    "not_found": ("row!", "field!", "search_calls!"),
}
# Arguments that name what the Run has issued or agreed; the enum of each stands once in a schema.
REFERENCES = {
    "handle": "Handle",
    "evidence_id": "Evidence",
    EVIDENCE_FIRST: "Evidence",
    "search_calls": "SearchCall",
    "row": "Row",
    "field": "Field",
}
OWN = frozenset({SEARCH_TOOL, READ_TOOL, FACTS_TOOL, PUBLISH_TOOL, FINISH_TOOL})


def in_form(tool: str, args: Json) -> Json:
    """Arguments of a past call as the form has them: a Publication names its evidence first."""
    body = args.get("body")
    if tool != PUBLISH_TOOL or not isinstance(body, str):
        return args
    return {EVIDENCE_FIRST: _marks(body), **args}


def out_of_form(tool: str, args: Json) -> Json:
    """The arguments as the tool takes them: null is left out, and named evidence closes a body that has no mark."""
    kept = _without_nulls(args) if tool in OWN else {key: value for key, value in args.items() if value is not None}
    if tool != PUBLISH_TOOL:
        return kept
    named, body = kept.pop(EVIDENCE_FIRST, ()), kept.get("body")
    if isinstance(body, str) and body.strip() and isinstance(named, list) and not _marks(body):
        marks = " ".join(f"[{name}]" for name in dict.fromkeys(named) if isinstance(name, str))
        return {**kept, "body": f"{body.rstrip()} {marks}".rstrip()}
    return kept


def _marks(body: str) -> list[str]:
    """Evidence that ``body`` cites, in order, once each."""
    return list(dict.fromkeys(name for mark in find_marks(body) for name in mark.ids if name.startswith("E")))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
