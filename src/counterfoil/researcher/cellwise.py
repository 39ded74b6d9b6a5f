"""Owns the course of a task with rows and fields: search each cell, find the sentence that answers it, record, publish.

Never: following anything that a page says; pages are data.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.exchange import CallDraft, View
from counterfoil.core.text.quantities import Quantity, find_quantities
from counterfoil.researcher import compose
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.draft import Cell, Draft, draft_value
from counterfoil.researcher.memory import Hit, Memory, Page, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.plain import READ, SEARCH, settle
from counterfoil.researcher.quotes import Weights
from counterfoil.researcher.words import content, fold, words

_READS_PER_ROW = 3
_FLOOR = 0.3
_RIVAL = 0.85
_TYPED = {
    "money": ("money",),
    "percent": ("percent",),
    "number": ("number",),
    "count": ("number",),
    "ratio": ("number", "percent"),
    "duration": ("number",),
}
_DURATION = re.compile(
    r"\b\d+(?:[.,]\d+)?[\s-]*(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|minuten?"
    r"|stunden?|tage?)\b|\d+\s*(?:分|時間|小时|天|日)",
    re.IGNORECASE,
)


class Found(msgspec.Struct, frozen=True):
    """What a passage says of a cell. ``value`` stands in the passage as it is."""

    passage: Passage
    value: str
    unit: str | None
    score: float


def is_cellwise(contract: Contract) -> bool:
    """Say whether a contract has more than one cell to fill."""
    return len(contract.cells()) > 1


def next_for_cells(view: View, memory: Memory, tools: frozenset[str], lexicon: Lexicon) -> tuple[CallDraft, ...]:
    """Return the next calls: searches for every row, reads, then facts and the table."""
    contract = view.contract
    if SEARCH in tools and not memory.searches and not any(c.tool == SEARCH for c in memory.asked):
        return _searches(contract, int(view.remaining.get("web/searches", 12)))
    if READ in tools and not memory.tried:
        reads = _reads(contract, memory, _reads_left(view))
        if reads:
            return reads
    draft = _draft(contract, memory, lexicon)
    return settle(draft, memory, tools, Cell(), _gaps_only(contract, memory))


def _reads_left(view: View) -> int:
    calls = [view.remaining[key] for key in ("reader/reads", "run/tool-calls") if key in view.remaining]
    return int(min(calls)) if calls else 40


def _searches(contract: Contract, most: int) -> tuple[CallDraft, ...]:
    fields = [field for field in contract.fields if field.type != "url"]
    rows = contract.rows or (Row(name=""),)
    each = len(rows) * len(fields) <= min(most, 8)
    found: list[CallDraft] = []
    for row in rows:
        groups = [[field] for field in fields] if each else [fields]
        for group in groups:
            args: dict[str, Any] = {"query": _query(contract, row, group)}
            if row.name:
                args["row"] = row.name
            if len(group) == 1:
                args["field"] = group[0].name
            found.append(CallDraft(SEARCH, args))
    return tuple(found[:most])


def _query(contract: Contract, row: Row, fields: list[Field]) -> str:
    named = " ".join(field.name.replace("_", " ") for field in fields)
    return " ".join(part for part in (row.name, named, contract.question) if part)


def _reads(contract: Contract, memory: Memory, most: int) -> tuple[CallDraft, ...]:
    """Read the best pages of every row's searches, rows in turn so that none starves."""
    queues: dict[str, list[Hit]] = {}
    for search in memory.searches:
        queues.setdefault(search.row, [])
    for depth in range(max((len(s.hits) for s in memory.searches), default=0)):
        for search in memory.searches:
            if depth < len(search.hits):
                queues[search.row].append(search.hits[depth])
    per_row = max(_READS_PER_ROW, 2 * len({s.field for s in memory.searches}))
    chosen: list[tuple[str, int]] = []
    for turn in range(per_row):
        for hits in queues.values():
            distinct = list(dict.fromkeys((h.handle, h.segment) for h in hits))
            if turn < len(distinct) and distinct[turn] not in chosen:
                chosen.append(distinct[turn])
    return tuple(CallDraft(READ, {"handle": handle, "segment": segment}) for handle, segment in chosen[:most])


def _draft(contract: Contract, memory: Memory, lexicon: Lexicon) -> Draft:
    rows = contract.rows or (Row(name=""),)
    fields = [field for field in contract.fields if field.type != "url"]
    draft = Draft("")
    table = [f"| | {' | '.join(f.name for f in fields)} |", f"|---|{'---|' * len(fields)}"]
    quotes: dict[str, Passage] = {}
    for row in rows:
        cells: list[str] = []
        for field in fields:
            found = _find(contract, row, field, memory, lexicon, draft)
            cells.append(_written(found))
            quotes.update((f.passage.id, f.passage) for f in found)
            if not found:
                why = "no passage that was read states this"
                calls = memory.search_calls(row.name, field.name)
                draft.gaps.append(compose.gap(row.name, field.name, why, calls))
                draft.facts.append(FactDraft(row=row.name, field=field.name, kind="not_found", search_calls=calls))
        table.append(f"| {row.name} | {' | '.join(cells)} |")
    lines = [*table, ""]
    for passage in quotes.values():
        lines += [f"> {compose.quoted(passage)} [{passage.id}]", ""]
    draft.body = "\n".join(lines).strip()
    return draft


def _written(found: list[Found]) -> str:
    if not found:
        return "not found"
    values = [f"{_in_cell(f.value)} [{f.passage.id}]" for f in found]
    return values[0] if len(values) == 1 else "sources disagree: " + "; ".join(values)


def _in_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")


def _find(contract: Contract, row: Row, field: Field, memory: Memory, lexicon: Lexicon, draft: Draft) -> list[Found]:
    """Fill one cell: from a table where a figure can be bound, else from the sentence that says it."""
    bound = _bound(contract, row, field, memory, lexicon)
    if bound is not None:
        draft.facts.extend(bound.facts)
        draft.calculations.extend(bound.calculations)
        return _of_draft(bound, memory)
    found = _said(row, field, memory, lexicon)
    for item in found:
        quote = compose.quoted_verbatim(item.passage)
        draft.facts.append(
            FactDraft(
                row=row.name,
                field=field.name,
                value=item.value,
                unit=item.unit,
                evidence_id=item.passage.id,
                quote=quote,
            )
        )
    return found


def _bound(contract: Contract, row: Row, field: Field, memory: Memory, lexicon: Lexicon) -> Draft | None:
    """Bind a field that names a quantity of the vocabulary to a table cell."""
    name = field.name.replace("_", " ")
    if field.type not in ("money", "percent", "number", "count", "ratio") or not lexicon.metrics(name):
        return None
    when = field.period or contract.period or ""
    measure = " ".join(part for part in (field.unit, field.scale) if part)
    text = f"What is {row.name}'s {when} {name}{f' in {measure}' if measure else ''}?"
    ask = msgspec.structs.replace(interpret(text, lexicon, row.name), kind="value", qualifiers=())
    made = draft_value(ask, memory, lexicon, Cell(row.name, field.name))
    return made if made.facts and not made.calculations else None


def _of_draft(bound: Draft, memory: Memory) -> list[Found]:
    fact = bound.facts[0]
    passage = next(p for p in memory.passages if p.id == fact.evidence_id)
    return [Found(passage, f"{fact.value} {fact.unit or ''}".strip(), fact.unit, 1.0)]


def _said(row: Row, field: Field, memory: Memory, lexicon: Lexicon) -> list[Found]:
    own = [p for p in memory.passages if p.kind != "heading" and _of_row(row, p.page, memory)]
    asked = tuple(content(field.name.replace("_", " ")))
    if not asked or not own:
        return []
    weights = Weights(asked, own, lexicon)
    subject = set(words(row.name))
    scored: list[Found] = []
    previous: Passage | None = None
    for passage in own:
        before = previous if previous is not None and previous.page == passage.page else None
        share, matched = weights.coverage(passage, before)
        previous = passage
        value = _value(field, passage)
        if value is None or (matched == 0 and share < _FLOOR) or _ordering(passage.text):
            continue
        bonus = (0.3 if field.type != "text" else 0.0) + (0.1 if subject & set(words(passage.text)) else 0.0)
        scored.append(Found(passage, value[0], value[1], share + bonus))
    scored.sort(key=lambda f: (-f.score, f.passage.order))
    good = [f for f in scored if f.score >= _FLOOR]
    return _agreeing_or_rivals(field, good) if good else []


def _agreeing_or_rivals(field: Field, good: list[Found]) -> list[Found]:
    """Keep the best; beside it the best of another document when its value differs and it fits nearly as well."""
    first = good[0]
    if field.type in ("text", "list", "boolean"):
        return [first]
    for other in good[1:]:
        elsewhere = other.passage.page.handle != first.passage.page.handle
        if elsewhere and other.score >= _RIVAL * first.score and fold(other.value) != fold(first.value):
            return [first, other]
    return [first]


def _of_row(row: Row, page: Page, memory: Memory) -> bool:
    """A page belongs to a row when one of the row's searches found its document, and names it if any does."""
    if not row.name:
        return True
    if row.domains:
        return any(domain.casefold() in page.url.casefold() for domain in row.domains)
    if row.docs:
        return any(fold(doc) in fold(f"{page.url} {page.title}") for doc in row.docs)
    named = set(words(row.name))
    return named <= set(words(f"{page.title} {page.url} {page.subject} {page.heading}")) or any(
        named <= set(words(p.text)) for p in memory.passages if p.page == page
    )


_ORDER = re.compile(
    r"\bignore (?:all|any|the|previous)\b|\bdisregard\b|\byou (?:must|should) (?:now )?(?:report"
    r"|answer|say|state)\b|\b(?:ai|language model|assistant)s?\b.{0,40}\bmust\b",
    re.IGNORECASE,
)


def _ordering(text: str) -> bool:
    """Say whether a passage tells its reader what to do rather than what is so."""
    return _ORDER.search(text) is not None


def _value(field: Field, passage: Passage) -> tuple[str, str | None] | None:
    if field.type == "duration":
        match = _DURATION.search(passage.text)
        return (match.group(), None) if match else None
    kinds = _TYPED.get(field.type)
    if kinds is None:
        return compose.quoted_verbatim(passage), None
    found = [q for q in find_quantities(passage.text) if q.kind in kinds]
    nearest = _nearest(found, passage.text, content(field.name.replace("_", " ")))
    return (nearest.text, nearest.unit) if nearest is not None else None


def _nearest(found: list[Quantity], text: str, wanted: list[str]) -> Quantity | None:
    """Of several figures in a passage, the one closest to the words of the field."""
    if len(found) < 2:
        return found[0] if found else None
    folded = fold(text)
    places = [m.start() for word in wanted for m in re.finditer(re.escape(word), folded)]
    if not places:
        return found[0]
    return min(found, key=lambda q: min(abs(q.start - at) for at in places))


def _gaps_only(contract: Contract, memory: Memory) -> Draft:
    why = "what was read did not pass the checks"
    gaps = [compose.gap(row, field, why, memory.search_calls(row, field)) for row, field in contract.cells()]
    return Draft(f"Not found: {why}.", gaps=gaps)
