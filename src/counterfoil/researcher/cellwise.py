"""Owns the course of a task with rows and fields: search each row, read, look again for what is missing, publish.

Never: following anything that a page says; pages are data.
"""

from __future__ import annotations

from typing import Any

import msgspec

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.exchange import CallDraft, View
from counterfoil.researcher import compose
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.cells import CellAnswer, answer_cell
from counterfoil.researcher.corrections import offered_gaps, with_gaps, without_offers
from counterfoil.researcher.draft import Draft
from counterfoil.researcher.grid import REJECTED, draft_grid, without_rejected, without_unrecorded
from counterfoil.researcher.memory import Hit, Memory
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.plain import FINISH, READ, RECORD, SEARCH, publish
from counterfoil.researcher.rivals import verdict

_READS_PER_ROW = 3
_SEARCHES_EACH_MAX = 8  # up to so many cells, every one gets a search of its own
_SECOND_LOOKS_MAX = 4
_SECOND_READS = 2
_REJECTIONS_MAX = 3
_REQUESTS_MIN = 4  # with fewer model requests left, facts are recorded and published in one


def is_cellwise(contract: Contract) -> bool:
    """Say whether a contract has more than one cell to fill."""
    return len(contract.cells()) > 1


def next_for_cells(view: View, memory: Memory, tools: frozenset[str], lexicon: Lexicon) -> tuple[CallDraft, ...]:
    """Return the next calls: searches for every row, reads, a second look for gaps, then facts and the table."""
    contract = view.contract
    if SEARCH in tools and not memory.searches and not any(c.tool == SEARCH for c in memory.asked):
        return _searches(contract, _left(view, "web/searches", share=2))
    if READ in tools and not memory.tried:
        reads = _reads(contract, memory, _left(view, "reader/reads", kept=1))
        if reads:
            return reads
    answers = [answer_cell(contract, row, field, memory, lexicon) for row, field in _cells(contract)]
    if not memory.rejections:
        again = _second_look(view, memory, tools, answers)
        if again:
            return (*_record([fact for a in answers for fact in a.facts], memory, tools), *again)
    lead = verdict(interpret(contract.question, lexicon), answers)
    return _settle(contract, answers, memory, tools, view.remaining.get("run/model-requests", _REQUESTS_MIN), lead)


def _cells(contract: Contract) -> list[tuple[Row, Field]]:
    fields = [field for field in contract.fields if field.type != "url"]
    return [(row, field) for row in contract.rows or (Row(name=""),) for field in fields]


def _left(view: View, key: str, *, share: int = 1, kept: int = 0) -> int:
    """How many calls of a kind are left; of all tool calls one part in ``share``, less those ``kept``.

    Facts can be recorded only while a tool call is left.
    """
    calls = view.remaining.get("run/tool-calls", 40) / share - kept
    return max(0, int(min(view.remaining.get(key, 40), calls)))


def _searches(contract: Contract, most: int) -> tuple[CallDraft, ...]:
    fields = [field for field in contract.fields if field.type != "url"]
    rows = contract.rows or (Row(name=""),)
    each = len(rows) * len(fields) <= min(most, _SEARCHES_EACH_MAX)
    groups = [[field] for field in fields] if each else [fields]
    return tuple(_search(contract, row, group) for row in rows for group in groups)[: max(1, most)]


def _search(contract: Contract, row: Row, fields: list[Field]) -> CallDraft:
    named = " ".join(field.name.replace("_", " ") for field in fields)
    args: dict[str, Any] = {"query": " ".join(part for part in (row.name, named, contract.question) if part)}
    if row.name:
        args["row"] = row.name
    if len(fields) == 1:
        args["field"] = fields[0].name
    return CallDraft(SEARCH, args)


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


def _second_look(view: View, memory: Memory, tools: frozenset[str], answers: list[CellAnswer]) -> tuple[CallDraft, ...]:
    """Search once for every cell that is still empty, by its own name, and read what that brings."""
    asked = {(str(c.args.get("row") or ""), str(c.args.get("field") or "")) for c in memory.asked if c.tool == SEARCH}
    open_cells = [a for a in answers if not a.values]
    fresh = [a for a in open_cells if (a.row, a.field) not in asked]
    # a second look begins once, after the first searches and reads
    begun = sum(1 for c in memory.asked if c.tool == SEARCH) > sum(1 for s in memory.searches if not s.field) > 0
    most = min(_left(view, "web/searches"), _SECOND_LOOKS_MAX)
    if SEARCH in tools and fresh and most and not begun:
        contract = view.contract
        return tuple(
            _search(contract, contract.row(a.row) or Row(name=a.row), [contract.field(a.field) or Field(a.field)])
            for a in fresh[:most]
        )
    if READ not in tools:
        return ()
    missing = {(a.row, a.field) for a in open_cells}
    found: list[tuple[str, int]] = []
    for search in memory.searches:
        if search.field and (search.row, search.field) in missing:
            found += [(h.handle, h.segment) for h in search.hits[:_SECOND_READS]]
    new = [key for key in dict.fromkeys(found) if key not in memory.tried]
    return tuple(CallDraft(READ, {"handle": h, "segment": s}) for h, s in new[: _left(view, "reader/reads", kept=1)])


def _settle(
    contract: Contract,
    answers: list[CellAnswer],
    memory: Memory,
    tools: frozenset[str],
    requests: float,
    lead: str | None,
) -> tuple[CallDraft, ...]:
    """Record and publish; after a rejection keep every cell that passed and declare the others missing."""
    if len(memory.rejections) > _REJECTIONS_MAX:
        return (CallDraft(FINISH, {"outcome": "no_answer", "limitations": ["the answer did not pass the checks"]}),)
    if RECORD not in tools:
        without_unrecorded(answers, memory.recorded)
    rejections = without_offers(memory.rejections)
    placed = without_rejected(answers, rejections, memory.refused)
    draft = with_gaps(draft_grid(contract, answers), offered_gaps(memory.rejections, memory.search_calls()))
    if lead and not memory.rejections:
        draft.body = f"{lead}\n\n{draft.body}"
    if len(memory.rejections) == _REJECTIONS_MAX or not placed:
        draft = _gaps_only(contract, memory)
    record = _record(draft.facts, memory, tools)
    stated = any(fact.get("kind", "stated") == "stated" for call in record for fact in call.args["facts"])
    if stated and requests >= _REQUESTS_MIN:
        return record  # what is refused must not stand in the table
    return (*record, publish(draft))


def _record(facts: list[FactDraft], memory: Memory, tools: frozenset[str]) -> tuple[CallDraft, ...]:
    """Record what was not proposed before."""
    made = [item for call in memory.asked if call.tool == RECORD for item in call.args.get("facts", ())]
    known = {(str(item.get("row")), str(item.get("field")), item.get("value")) for item in made}
    fresh = [_plain(fact) for fact in facts if (fact.row, fact.field, fact.value) not in known]
    return (CallDraft(RECORD, {"facts": fresh}),) if fresh and RECORD in tools and not memory.rejections else ()


def _gaps_only(contract: Contract, memory: Memory) -> Draft:
    gaps = [compose.gap(row, field, REJECTED, memory.search_calls(row, field)) for row, field in contract.cells()]
    return Draft(f"Not found: {REJECTED}.", gaps=gaps)


def _plain(fact: FactDraft) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(fact)
    return {key: value for key, value in built.items() if value is not None}
