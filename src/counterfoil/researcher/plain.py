"""Owns the course of a plain question: search, read five pages, fetch what a formula lacks, publish.

Never: more than about a dozen calls; after two rejections only a gap is published.
"""

from __future__ import annotations

from typing import Any

import msgspec

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.exchange import CallDraft, View
from counterfoil.researcher import compose, trends
from counterfoil.researcher.ask import Ask, interpret
from counterfoil.researcher.corrections import offered_gaps, with_gaps, without_offence, without_offers
from counterfoil.researcher.draft import Cell, Draft, draft_text, draft_value, nothing
from counterfoil.researcher.expressions import Operand
from counterfoil.researcher.extremes import draft_extreme
from counterfoil.researcher.given import given_subject
from counterfoil.researcher.lines import draft_line
from counterfoil.researcher.memory import Memory
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.needs import order, queries
from counterfoil.researcher.parts import with_parts
from counterfoil.researcher.sentences import draft_said
from counterfoil.researcher.targets import BOTH
from counterfoil.researcher.words import fold

SEARCH, READ, RECORD, PUBLISH, FINISH = (
    "search_public_sources",
    "read_public_source",
    "record_facts",
    "publish_answer",
    "finish_research",
)
_READS_FIRST = 5
_REJECTIONS_MAX = 4  # of all kinds; attempts are there to be corrected, not to be worn out
_READS_MAX = 9
_FETCHES_MAX = 2


def next_for_question(view: View, memory: Memory, tools: frozenset[str], lexicon: Lexicon) -> tuple[CallDraft, ...]:
    """Return the next calls for a contract with at most one cell to fill."""
    cell = _cell(view)
    ask = interpret(view.contract.question, lexicon, given_subject(view.contract, lexicon))
    if SEARCH in tools and not memory.searches and not _attempted(memory, SEARCH):
        return tuple(_search(query, cell) for query in queries(ask, lexicon))
    if READ in tools and not memory.tried:
        reads = _reads(ask, memory, lexicon, _READS_FIRST)
        if reads:
            return reads
    draft = draft_answer(ask, memory, lexicon, cell)
    if draft.missing and not memory.rejections and memory.fact_calls == 0:
        more = _fetch(ask, memory, tools, lexicon, draft.missing)
        if more:
            return more
    if draft.fallback is not None:
        draft = draft.fallback
    draft = with_parts(draft, ask, cell)
    return settle(draft, memory, tools, cell, nothing(ask, memory, cell))


def _cell(view: View) -> Cell:
    contract = view.contract
    fields = [field for field in contract.fields if field.type != "url"]
    return Cell(contract.rows[0].name if contract.rows else "", fields[0].name if fields else "")


def _attempted(memory: Memory, tool: str) -> int:
    return sum(1 for call in memory.asked if call.tool == tool)


def _search(query: str, cell: Cell) -> CallDraft:
    args: dict[str, Any] = {"query": query}
    if cell.row:
        args["row"] = cell.row
    if cell.field:
        args["field"] = cell.field
    return CallDraft(SEARCH, args)


def _reads(ask: Ask, memory: Memory, lexicon: Lexicon, most: int) -> tuple[CallDraft, ...]:
    room = max(0, _READS_MAX - len(memory.tried))
    return tuple(
        CallDraft(READ, {"handle": hit.handle, "segment": hit.segment})
        for hit in order(ask, memory, lexicon)[: min(most, room)]
    )


def draft_answer(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft:
    """Return the best draft for the kind of question; words where figures cannot be bound to a comparison."""
    if ask.kind == "value":
        both = trends.draft_trend(ask, memory, lexicon, cell) if ask.targets and BOTH.search(fold(ask.plain)) else None
        value = both or draft_value(ask, memory, lexicon, cell)
        return value if value.facts else beside(ask, memory, lexicon, cell) or value
    if ask.kind == "text":
        return (
            draft_line(ask, memory, lexicon, cell)
            or _part(ask, memory, lexicon, cell)
            or draft_text(ask, memory, lexicon, cell)
        )
    made: Draft | None = None
    if ask.kind == "trend":
        made = trends.draft_trend(ask, memory, lexicon, cell)
    elif ask.kind == "assess":
        made = trends.draft_assessment(ask, memory, lexicon, cell)
    elif ask.kind == "paid":
        made = trends.draft_paid(ask, memory, lexicon, cell)
    elif ask.kind == "extreme":
        made = draft_extreme(ask, memory, lexicon, cell)
    if made is not None:
        return made
    whose = {page.handle for page in memory.pages}
    if ask.kind in ("trend", "assess", "paid") and ask.subject is None and len(whose) > 1:
        return nothing(ask, memory, cell)  # nobody is named, and several could be meant
    text = draft_text(ask, memory, lexicon, cell)
    if ask.kind in ("trend", "assess") and ask.targets:
        text.missing = trends.missing(ask, memory, lexicon).missing
    return text


def _part(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft | None:
    """A question with many further words may still ask for one figure, when it says in which measure."""
    if not ask.targets or ask.cause or not (ask.unit or ask.scale):
        return None
    made = draft_value(ask, memory, lexicon, cell)
    return made if made.facts else None


def beside(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft | None:
    """Look where the vocabulary's terms do not reach: a row of the question's own words, then a sentence."""
    return draft_line(ask, memory, lexicon, cell) or draft_said(ask, memory, lexicon, cell)


def _fetch(
    ask: Ask, memory: Memory, tools: frozenset[str], lexicon: Lexicon, missing: list[Operand]
) -> tuple[CallDraft, ...]:
    """Look for the operands that are missing: first a search for each statement, then the pages it found."""
    searched = _attempted(memory, SEARCH)
    first = len(queries(ask, lexicon))
    if SEARCH in tools and searched < first + _FETCHES_MAX and len(memory.tried) <= _READS_FIRST:
        made = {_targeted(ask, operand, lexicon) for operand in missing[:_FETCHES_MAX]}
        known = {search.query for search in memory.searches}
        fresh = sorted(query for query in made if query not in known)
        if fresh:
            return tuple(CallDraft(SEARCH, {"query": query}) for query in fresh)
    if READ in tools and len(memory.tried) < _READS_MAX:
        return _neighbours_or_hits(ask, memory, lexicon, missing)
    return ()


def _targeted(ask: Ask, operand: Operand, lexicon: Lexicon) -> str:
    term = lexicon.terms.get(operand.name)
    labels = " ".join(term.labels[:2]) if term else operand.name
    statement = lexicon.statements.get(term.statements[0]) if term and term.statements else None
    title = statement.titles[0] if statement else ""
    when = operand.period.text if operand.period else ""
    return " ".join(part for part in (ask.subject, when, labels, title) if part)


def _neighbours_or_hits(ask: Ask, memory: Memory, lexicon: Lexicon, missing: list[Operand]) -> tuple[CallDraft, ...]:
    """Read the best pages of the latest searches; the statements of a filing stand side by side."""
    late = {search.call for search in memory.searches[len(queries(ask, lexicon)) :]}
    found: list[tuple[str, int]] = []
    for search in memory.searches:
        if search.call in late:
            found += [(h.handle, h.segment) for h in search.hits if (h.handle, h.segment) not in memory.tried][:2]
    found = list(dict.fromkeys(found))[: _READS_MAX - len(memory.tried)]
    return tuple(CallDraft(READ, {"handle": handle, "segment": segment}) for handle, segment in found)


def settle(draft: Draft, memory: Memory, tools: frozenset[str], cell: Cell, fallback: Draft) -> tuple[CallDraft, ...]:
    """Record the draft's facts and publish it; after rejections publish less, and after two only the gap."""
    rejections = without_offers(memory.rejections)
    if len(rejections) >= 3 or len(memory.rejections) > _REJECTIONS_MAX:
        return (CallDraft(FINISH, {"outcome": "no_answer", "limitations": ["the answer did not pass the checks"]}),)
    if len(rejections) == 2:
        draft = unstated(draft, memory, cell) or fallback
    elif len(rejections) == 1:
        draft = without_offence(draft, rejections[0], quoted_only(draft, memory, cell) or fallback, cell)
    draft = with_gaps(draft, offered_gaps(memory.rejections, memory.search_calls()))
    calls: list[CallDraft] = []
    if draft.facts and memory.fact_calls == 0 and RECORD in tools and not memory.rejections:
        calls.append(CallDraft(RECORD, {"facts": [_plain(fact) for fact in draft.facts]}))
    calls.append(publish(draft))
    return tuple(calls)


def publish(draft: Draft) -> CallDraft:
    """Return the call that publishes a draft and proposes to finish."""
    return CallDraft(
        PUBLISH,
        {
            "body": draft.body,
            "calculations": [_plain(c) for c in draft.calculations],
            "gaps": [_plain(g) for g in draft.gaps],
            "finish": True,
        },
    )


def _plain(item: msgspec.Struct) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(item)
    return {key: value for key, value in built.items() if value is not None}


def quoted_only(draft: Draft, memory: Memory, cell: Cell) -> Draft | None:
    """What the facts rest on, quoted and cited without a sentence of its own; None when they rest on no passage."""
    cited = list(dict.fromkeys(id for fact in draft.facts for id in _rests_on(fact)))
    found = [p for id in cited for p in memory.passages if p.id == id]
    if not found:
        return None
    headers: dict[str, list[str]] = {p.id: [] for p in found}
    for fact in draft.facts:
        for id, header in ((fact.evidence_id, fact.header), *((i.evidence_id, i.header) for i in fact.inputs)):
            if id in headers and header and header not in headers[id]:
                headers[id].append(header)
    blocks = [
        "\n".join(compose.quoted_row(p, headers[p.id])) if p.cells else f"> {compose.quoted(p)} [{p.id}]" for p in found
    ]
    gap = Gap(cell.row, cell.field, "unresolved", _unstated_why(draft), memory.search_calls())
    return Draft("\n\n".join([f"{_UNSTATED}; it is quoted as it stands.", *blocks]), draft.facts, gaps=[gap])


def unstated(draft: Draft, memory: Memory, cell: Cell) -> Draft | None:
    """A gap that does not deny what was found; None when no fact was recorded."""
    if not draft.facts or not memory.recorded:
        return None
    gap = Gap(cell.row, cell.field, "unresolved", _unstated_why(draft), memory.search_calls())
    return Draft(f"Not answered: {_UNSTATED[0].lower()}{_UNSTATED[1:]}; see the table of evidence.", gaps=[gap])


_UNSTATED = "What was found could not be stated with unit and scale"


def _unstated_why(draft: Draft) -> str:
    found = "; ".join(f"{fact.value or ''} {fact.unit or ''}".strip() for fact in draft.facts)
    return f"{_UNSTATED[0].lower()}{_UNSTATED[1:]}: {found}"


def _rests_on(fact: FactDraft) -> list[str]:
    own = [fact.evidence_id] if fact.evidence_id else []
    return own + [item.evidence_id for item in fact.inputs if item.evidence_id]
