"""Owns whether a proposed fact may be recorded: its cell, its evidence, its quote, its value, its domain.

Never: whether it is true. A refusal says what would make the fact acceptable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from counterfoil.core.answer.calculation_check import check_calculation
from counterfoil.core.answer.contract import Contract, Field
from counterfoil.core.evidence.amounts import Amount, amount_fits, amounts, decimal_mark, header_fits, honest_sign
from counterfoil.core.evidence.domains import allowed
from counterfoil.core.evidence.facts import Calculation, Fact, FactDraft
from counterfoil.core.evidence.passages import Passage
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.folding import loosely_folded, space_folded, verbatim, words_stand_in
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import Quantity, amount_in, format_amount
from counterfoil.core.text.scales import scale_of

QUOTE_CHARS_MAX = 400
_TRUTHS = frozenset({"yes", "no", "true", "false", "ja", "nein", "是", "否", "はい", "いいえ"})


class FactRefusal(msgspec.Struct, frozen=True):
    """Why a fact was not recorded: ``code`` from a closed set, ``why`` in words for the model."""

    code: str
    why: str


class FactContext(msgspec.Struct, frozen=True):
    """What a fact is checked against. ``searches`` are the ids of settled search calls of this Run."""

    contract: Contract
    evidence: Callable[[str], Evidence | None]
    shown: Callable[[str], bool]
    searches: Collection[str] = ()
    quote_chars_max: int = QUOTE_CHARS_MAX


class _Refused(Exception):
    """Carries a refusal up to ``check_fact``; never leaves this module."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.refusal = FactRefusal(code, why)


def check_fact(draft: FactDraft, fact_id: str, context: FactContext) -> Fact | FactRefusal:
    """The fact as it may be recorded under ``fact_id``, or the refusal.

    Codes: ROW_UNKNOWN, FIELD_UNKNOWN, RESULT_UNKNOWN, VALUE_MISSING, EVIDENCE_UNKNOWN, EVIDENCE_NOT_SHOWN,
    QUOTE_NOT_FOUND, VALUE_NOT_IN_QUOTE, OFF_DOMAIN, CALCULATION_AS_STATED, CALCULATION_UNBOUND, ESTIMATE_UNLABELLED,
    SEARCHES_MISSING. The recorded quote is the passage's own wording; a table row may go unquoted and is then
    quoted whole. A missing unit is filled in from the cell.
    """
    try:
        row, field = _cell(draft, context.contract)
        draft = msgspec.structs.replace(draft, row=row, field=field)
        return _checks_of(draft)(draft, fact_id, context)
    except _Refused as refused:
        return refused.refusal


def _checks_of(draft: FactDraft) -> Callable[[FactDraft, str, FactContext], Fact]:
    if draft.result_ref:
        raise _Refused(
            "RESULT_UNKNOWN", f"there is no result {draft.result_ref!r} in this Run; bind the fact to evidence"
        )
    if draft.kind == "not_found":
        return _not_found
    if not (draft.value or "").strip():
        raise _Refused(
            "VALUE_MISSING", "a fact needs a value; kind not_found with search_calls says that there is none"
        )
    return {"calculation": _calculation, "estimate": _estimate}.get(draft.kind, _stated)


def _cell(draft: FactDraft, contract: Contract) -> tuple[str, str]:
    """The contract's own names of the cell; a single row or field may go unnamed."""
    row, field = draft.row.strip(), draft.field.strip()
    if contract.rows:
        found = contract.row(row) if row or len(contract.rows) > 1 else contract.rows[0]
        if found is None:
            raise _Refused("ROW_UNKNOWN", f"{row!r} is no row; rows are: {', '.join(r.name for r in contract.rows)}")
        row = found.name
    if contract.fields:
        known = contract.field(field) if field or len(contract.fields) > 1 else contract.fields[0]
        if known is None:
            names = ", ".join(f.name for f in contract.fields)
            raise _Refused("FIELD_UNKNOWN", f"{field!r} is no field; fields are: {names}")
        field = known.name
    return row, field


def _fact(draft: FactDraft, fact_id: str, quote: str | None, evidence: tuple[str, ...], unit: str | None) -> Fact:
    return Fact(
        fact_id, draft.row, draft.field, draft.kind, draft.value, unit, draft.period, draft.conditions, quote, evidence,
        draft.header, draft.formula, draft.inputs, draft.search_calls,
    )  # fmt: skip


def _not_found(draft: FactDraft, fact_id: str, context: FactContext) -> Fact:
    missing = [call for call in draft.search_calls if call not in context.searches]
    if missing or not draft.search_calls:
        what = f"{', '.join(missing)} is no finished search of this Run" if missing else "search_calls is empty"
        known = ", ".join(context.searches) or "none yet"
        raise _Refused("SEARCHES_MISSING", f"{what}; name the searches that looked for it (finished: {known})")
    return _fact(msgspec.structs.replace(draft, value=None), fact_id, None, (), None)


def _calculation(draft: FactDraft, fact_id: str, context: FactContext) -> Fact:
    if not draft.formula or not draft.inputs:
        raise _Refused(
            "CALCULATION_UNBOUND", "a calculation needs a formula and its inputs, each with evidence_id and value"
        )
    ids = tuple(dict.fromkeys(given.evidence_id for given in draft.inputs))
    for evidence_id in ids:
        _readable(evidence_id, draft, context)
    calc = Calculation(fact_id, draft.formula, draft.inputs, draft.value or "", _unit_asked(draft, context))
    findings = check_calculation(calc, context.evidence)
    if findings:
        raise _Refused("CALCULATION_UNBOUND", "; ".join(f"{f.where}: needs {f.needed}" for f in findings))
    return _fact(draft, fact_id, None, ids, calc.unit)


def _estimate(draft: FactDraft, fact_id: str, context: FactContext) -> Fact:
    if not (draft.conditions or draft.formula):
        raise _Refused("ESTIMATE_UNLABELLED", "an estimate says in conditions what it assumes, or gives its formula")
    if not draft.evidence_id:
        return _fact(draft, fact_id, None, (), draft.unit)
    read = _readable(draft.evidence_id, draft, context)
    quote = _quoted(draft, read, context) if draft.quote else None
    return _fact(draft, fact_id, quote, (draft.evidence_id,), draft.unit)


def _stated(draft: FactDraft, fact_id: str, context: FactContext) -> Fact:
    if draft.formula or draft.inputs:
        raise _Refused(
            "CALCULATION_AS_STATED", "a value with a formula is a calculation; nothing states it: use kind calculation"
        )
    if not draft.evidence_id:
        raise _Refused("EVIDENCE_UNKNOWN", "a stated fact names the evidence_id of the passage that states it")
    read = _readable(draft.evidence_id, draft, context)
    quote = _quoted(draft, read, context)
    unit = _value_stands(draft, quote, read, context)
    return _fact(draft, fact_id, quote, (draft.evidence_id,), unit)


def _readable(evidence_id: str, draft: FactDraft, context: FactContext) -> Evidence:
    """The evidence, if it exists, was shown, and may speak for the row."""
    read = context.evidence(evidence_id)
    if read is None:
        raise _Refused(
            "EVIDENCE_UNKNOWN", f"{evidence_id!r} is no evidence of this Run; cite the E numbers of passages you read"
        )
    if not context.shown(evidence_id):
        raise _Refused("EVIDENCE_NOT_SHOWN", f"{evidence_id} was not in any view yet; record it after you have seen it")
    row = context.contract.row(draft.row)
    domains = row.domains if row is not None and row.domains else context.contract.domains
    if not allowed(read.source.document, domains, row.docs if row is not None else ()):
        wanted = ", ".join((row.docs if row is not None else ()) or domains)
        raise _Refused("OFF_DOMAIN", f"{read.source.document.url} is not among {wanted}")
    return read


def _quoted(draft: FactDraft, read: Evidence, context: FactContext) -> str:
    """The passage's own wording of the quote."""
    if not draft.quote and read.passage.kind != "row":
        raise _Refused("QUOTE_NOT_FOUND", f"quote the words of {read.id} that state the value")
    given = draft.quote or read.passage.text
    if len(space_folded(given)) > context.quote_chars_max:
        raise _Refused("QUOTE_NOT_FOUND", f"a quote has at most {context.quote_chars_max} characters; quote less")
    found = verbatim(given, read.passage.text)
    if found is None:
        begin = space_folded(read.passage.text)[:160]
        raise _Refused("QUOTE_NOT_FOUND", f"the quote does not stand in {read.id}, which begins: {begin}")
    return found


def _unit_asked(draft: FactDraft, context: FactContext) -> str | None:
    """The draft's unit, with the scale that the field asks for when neither value nor unit has one."""
    field = context.contract.field(draft.field)
    written = amount_in(draft.value or "", draft.unit)
    if field is None or not field.scale or written is None or written.multiplier != 1 or written.kind == "percent":
        return draft.unit
    return f"{draft.unit or field.unit or ''} {field.scale}".strip()


def _value_stands(draft: FactDraft, quote: str, read: Evidence, context: FactContext) -> str | None:
    """The unit to record when the value stands in the quote; refuses otherwise."""
    value, field = (draft.value or "").strip(), context.contract.field(draft.field)
    unit = _unit_asked(draft, context)
    readings = [q for q in (amount_in(value, unit), amount_in(value, unit, decimal_mark(read))) if q is not None]
    if not readings:
        if _text_stands(value, quote, field):
            return draft.unit
        raise _Refused("VALUE_NOT_IN_QUOTE", f"{value!r} does not stand in the quote: {quote[:200]}")
    held = _held(draft, quote, read)
    for written in readings:
        for amount in held:
            if unit is None and amount.cell is not None and written.multiplier == 1 and written.value == amount.value:
                return unit_phrase(amount)  # verbatim, and the cell says what it counts
            differ = (written.value < 0) != (amount.value < 0)
            if amount_fits(written, amount, signs_differ=differ) and honest_sign(written, amount, quote, quote):
                return unit
    raise _Refused("VALUE_NOT_IN_QUOTE", _nearest(value, unit, readings[0], held, draft.header))


def unit_phrase(amount: Amount) -> str | None:
    """The unit of a cell in words: "USD millions", "percent"; None when the document does not say."""
    names = {"1000": "thousands", "1000000": "millions", "1000000000": "billions"}
    scale = names.get(amount.cell.multiplier or "", "") if amount.cell else ""
    return f"{amount.unit or ''} {scale}".strip() or None


def _text_stands(value: str, quote: str, field: Field | None) -> bool:
    kind = field.type if field is not None else "text"
    if kind == "boolean" and value.casefold() in _TRUTHS:
        return True
    if words_stand_in(value, quote):
        return True
    if kind == "list":
        items = [item.strip() for item in value.replace("\n", ";").split(";" if ";" in value else ",")]
        return all(words_stand_in(item, quote) for item in items if item)
    wanted = [p for p in find_periods(value) if p.text.strip() == value]
    if not wanted:
        return False
    asked = (wanted[0].year, wanted[0].quarter, wanted[0].half, wanted[0].end_date)
    return any(_same_period(asked, (p.year, p.quarter, p.half, p.end_date)) for p in find_periods(quote))


def _same_period(
    asked: tuple[int | None, int | None, int | None, str | None],
    held: tuple[int | None, int | None, int | None, str | None],
) -> bool:
    """Equal at the precision asked: "March 2023" is met by 3 March 2023."""
    if asked[3] is not None:
        return held[3] is not None and held[3].startswith(asked[3])
    return asked[:3] == held[:3]


def _held(draft: FactDraft, quote: str, read: Evidence) -> tuple[Amount, ...]:
    """The numbers inside the quote; of a table row only the cells that it covers, and of the header if named."""
    if read.passage.table is None:
        return amounts(msgspec.structs.replace(read, passage=Passage(0, len(quote), quote)), decimal_mark(read))
    held = [a for a in amounts(read) if a.cell is None or space_folded(a.cell.value.text) in quote]
    if draft.header:
        named = [a for a in held if a.cell is not None and header_fits(a.cell, draft.header)]
        if not named:
            raise _Refused("VALUE_NOT_IN_QUOTE", f"no cell of {read.id} stands under {draft.header!r}")
        held = named
    return tuple(held)


def _nearest(value: str, unit: str | None, written: Quantity, held: tuple[Amount, ...], header: str | None) -> str:
    """What would have been accepted, closest first."""
    scale = scale_of(unit or "")
    for amount in held:
        plain = written.value / written.multiplier
        if amount.value == plain and amount.multiplier not in (None, written.multiplier):
            meant = unit_phrase(amount) or format_amount(amount.scaled, 0)
            return f"{value} is written there, but it counts in {meant}; give that unit{' instead' if scale else ''}"
        if amount.value == -plain:
            return f"the quote holds {amount.text!r}, which has the other sign"
    where = f" under {header!r}" if header else ""
    offers = ", ".join(dict.fromkeys(loosely_folded(a.text) for a in held[:8])) or "no number"
    return f"{value!r} does not stand in the quote{where}, which holds {offers}"
