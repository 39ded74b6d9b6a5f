"""Owns the answer to one cell: the claims that fit, those of other sources that disagree, or why there is none.

Never: choosing between sources that disagree, or passing one offer off as another.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.evidence.domains import on_domains
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import amount_in, find_quantities, parse_number, same_amount
from counterfoil.core.text.units import units_agree
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.binding import bases_of, header_bases
from counterfoil.researcher.claims import FIGURES, Claim, claims
from counterfoil.researcher.compose import quoted_verbatim
from counterfoil.researcher.draft import Cell as PlainCell
from counterfoil.researcher.draft import draft_value
from counterfoil.researcher.fitting import Fit, fit
from counterfoil.researcher.grammar import grouped
from counterfoil.researcher.memory import Memory, Page, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.products import is_old_page
from counterfoil.researcher.wanted import names, wanted
from counterfoil.researcher.words import fold, words

_RIVAL = 0.7  # how well another document must state a different value to count against the best
_TIE = 0.97  # the same within one document
_FLOOR = 0.35
NOTHING = "no passage that was read states this"
OTHER_OFFER = "what was read is not said of the offer asked for"
SEVERAL = "the document gives several and the task does not say which"


class Value(msgspec.Struct, frozen=True):
    """A value that a source states for a cell. ``dated`` is the passage that says how old the source is."""

    passage: Passage
    text: str
    unit: str | None = None
    note: str = ""
    header: str | None = None
    dated: Passage | None = None
    is_old: bool = False


class CellAnswer(msgspec.Struct):
    """What is known of one cell: one value, several that disagree, or none and why."""

    row: str
    field: str
    values: list[Value] = []
    near: list[Value] = []  # states the field of another offer; shown, never taken
    facts: list[FactDraft] = []
    why: str = ""
    searches: tuple[str, ...] = ()


def answer_cell(contract: Contract, row: Row, field: Field, memory: Memory, lexicon: Lexicon) -> CellAnswer:
    """Fill one cell: from a statement's table where a figure can be bound, else from what a page says."""
    made = CellAnswer(row.name, field.name, searches=memory.search_calls(row.name, field.name))
    bound = _bound(contract, row, field, memory, lexicon)
    if bound is not None:
        made.values, made.facts = bound
        return made
    want = wanted(contract, row, field, lexicon)
    tables = {_table(p) for p in memory.passages if p.cells and _is_label(row, p)}
    judged = [
        (claim, fit(claim, want))
        for claim in claims(field.type, memory, _pages_of(row, memory))
        if not _other_kind(claim, contract, field, lexicon) and not _of_other_row(claim, row, tables)
    ]
    good = sorted(
        (pair for pair in judged if pair[1].verdict == "fits" and pair[1].score >= _FLOOR),
        key=lambda pair: (bool(pair[1].note), -pair[1].score, pair[0].passage.order),
    )
    offers = [claim for claim, found in judged if found.verdict == "other offer"]
    made.near = [_value(claim, "", memory) for claim in offers[:2]] if not good else []
    if good and _is_ambiguous(field, good):
        made.why = SEVERAL
        same = [pair for pair in _distinct(good) if pair[1].note == good[0][1].note]
        made.near = [_value(claim, "", memory) for claim, _ in same[:3]]
    elif good:
        made.values = _with_rivals(field, good, memory)
        made.facts = [_fact(made, value) for value in made.values]
    else:
        made.why = OTHER_OFFER if offers else NOTHING
    return made


def _table(passage: Passage) -> tuple[str, str, str]:
    return passage.page.handle, passage.section, passage.table


def _is_label(row: Row, passage: Passage) -> bool:
    return bool(row.name) and words(passage.label) == words(row.name)


def _of_other_row(claim: Claim, row: Row, tables: set[tuple[str, str, str]]) -> bool:
    """Say whether a claim stands in a table with a line called like ``row`` (one of ``tables``), in another line."""
    if not claim.is_row or _table(claim.passage) not in tables or _is_label(row, claim.passage):
        return False
    return not names(row.name, claim.header or "")


def _other_kind(claim: Claim, contract: Contract, field: Field, lexicon: Lexicon) -> bool:
    """Say whether a claim stands under "budget" or "estimate" and the task does not ask for that."""
    kind = header_bases(claim.header or "", lexicon)
    return bool(kind - bases_of(f"{field.name.replace('_', ' ')} {contract.question}", lexicon))


def _bound(
    contract: Contract, row: Row, field: Field, memory: Memory, lexicon: Lexicon
) -> tuple[list[Value], list[FactDraft]] | None:
    """Bind a field that names a quantity of the vocabulary to a table cell."""
    name = field.name.replace("_", " ")
    if field.type not in ("money", "percent", "number", "count", "ratio") or not lexicon.metrics(name):
        return None
    when = field.period or contract.period or ""
    measure = " ".join(part for part in (field.unit, field.scale) if part)
    text = f"What is {row.name}'s {when} {name}{f' in {measure}' if measure else ''}?"
    ask = msgspec.structs.replace(interpret(text, lexicon, row.name), kind="value", qualifiers=())
    own = _pages_of(row, memory)
    passages = [p for p in memory.passages if (p.page.handle, p.page.segment) in own]
    made = draft_value(ask, _only(memory, passages), lexicon, PlainCell(row.name, field.name))
    if not made.facts or made.calculations:
        return None
    by_id = {p.id: p for p in memory.passages}
    if any(fact.evidence_id not in by_id for fact in made.facts):
        return None
    values = [
        Value(by_id[fact.evidence_id or ""], f"{fact.value} {fact.unit or ''}".strip(), fact.unit, header=fact.header)
        for fact in made.facts
    ]
    return values, made.facts


def _only(memory: Memory, passages: list[Passage]) -> Memory:
    pages = list(dict.fromkeys(p.page for p in passages))
    return Memory(searches=memory.searches, pages=pages, passages=passages, tried=memory.tried)


def _pages_of(row: Row, memory: Memory) -> frozenset[tuple[str, int]]:
    """The read pages that may speak for a row: found by its own searches, on its domains, or naming it."""
    return frozenset((page.handle, page.segment) for page in memory.pages if _may_speak(row, page, memory))


def _may_speak(row: Row, page: Page, memory: Memory) -> bool:
    if not row.name:
        return True
    if row.docs or row.domains:  # the Host has narrowed the row's searches to these
        found = any(hit.handle == page.handle for s in memory.searches if s.row == row.name for hit in s.hits)
        return found and (bool(row.docs) or on_domains(page.url, row.domains))
    told = f"{page.title} {page.url} {page.subject} {page.heading}"
    return names(row.name, told) or any(names(row.name, p.text) for p in memory.passages if p.page == page)


def _is_ambiguous(field: Field, good: list[tuple[Claim, Fit]]) -> bool:
    """Say whether one document gives several values that fit equally well."""
    if field.type not in FIGURES:
        return False
    first = good[0]
    return any(
        claim.passage.page.handle == first[0].passage.page.handle
        and found.score >= _TIE * first[1].score
        and found.note == first[1].note
        and not _agree(claim, first[0])
        for claim, found in good[1:]
    )


def _distinct(good: list[tuple[Claim, Fit]]) -> list[tuple[Claim, Fit]]:
    found: list[tuple[Claim, Fit]] = []
    for pair in good:
        if not any(_agree(pair[0], other[0]) for other in found):
            found.append(pair)
    return found


def _with_rivals(field: Field, good: list[tuple[Claim, Fit]], memory: Memory) -> list[Value]:
    """The best claim, and the best of every other document that gives another value."""
    first, best = good[0]
    kept = [(first, best)]
    if field.type in FIGURES or field.type == "boolean":
        heard = {first.passage.page.handle}
        for claim, found in good[1:]:
            handle = claim.passage.page.handle
            if handle in heard or found.score < _RIVAL * best.score or found.note != best.note:
                continue
            heard.add(handle)
            if not any(_agree(claim, other) for other, _ in kept):
                kept.append((claim, found))
    alone = len(kept) == 1
    return [_value(claim, found.note, memory, dated=not alone) for claim, found in kept]


def _agree(first: Claim, second: Claim) -> bool:
    a, b = amount_in(first.value, first.unit), amount_in(second.value, second.unit)
    if a is None or b is None:
        return fold(first.value) == fold(second.value)
    return units_agree(a.unit, b.unit) and (same_amount(a, b.value) or same_amount(b, a.value))


def _value(claim: Claim, note: str, memory: Memory, *, dated: bool = False) -> Value:
    page = claim.passage.page
    own = [p for p in memory.passages if p.page.handle == page.handle]
    is_old = is_old_page(f"{page.title} {page.heading}") or any(is_old_page(p.text) for p in own if len(p.text) < 200)
    when = _dating(own, page.published) if dated else None
    return Value(claim.passage, claim.value, claim.unit, note, claim.header, when, is_old)


def _dating(passages: list[Passage], published: str) -> Passage | None:
    """The passage that states when its page was published or brought up to date."""
    for passage in passages:
        days = {p.end_date for p in find_periods(passage.text) if p.kind == "date" and p.end_date}
        if len(days) == 1 and (not published or published[:10] in days) and len(passage.text) < 200:
            return passage
    return None


def _in_scale(value: Value) -> tuple[str, str | None]:
    """A sentence's amount as a number, and its unit with the scale: "$12.5 million" is 12.5 USD millions."""
    found = [] if value.passage.cells else [q for q in find_quantities(value.text) if q.kind == "money"]
    if len(found) != 1 or found[0].text.rstrip(".,;:") != value.text:
        return value.text, value.unit
    scale = {10**3: "thousands", 10**6: "millions", 10**9: "billions"}.get(int(found[0].multiplier))
    if scale is None or not found[0].unit:
        return value.text, value.unit
    return grouped(found[0].value / found[0].multiplier, 6), f"{found[0].unit} {scale}"


def _fact(made: CellAnswer, value: Value) -> FactDraft:
    text, unit = _in_scale(value)
    return FactDraft(
        row=made.row,
        field=made.field,
        value=text,
        unit=unit,
        conditions=value.note or None,
        evidence_id=value.passage.id,
        quote=quoted_verbatim(value.passage),
        header=value.header if parse_number(value.text) is not None else None,  # words need no column
    )
