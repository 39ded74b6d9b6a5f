"""Owns the prices that a ranking may rest on: of which row, covering what, from the evidence before the prose.

Never: whether a ranking is right (see ``comparison``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.figures import Base, Figure
from counterfoil.core.answer.terms_of_sale import Cover, cover_of, covers_of
from counterfoil.core.evidence.amounts import header_text
from counterfoil.core.evidence.domains import allowed
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.folding import words_stand_in
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.measures import dimension
from counterfoil.core.text.quantities import Quantity, amount_in, find_quantities, format_amount, same_amount
from counterfoil.core.text.units import is_currency

_PARTS = re.compile(
    r"[,;]|\.\s|\b(?:against|than|versus|vs|and|but|while|whereas|gegen|gegenüber|als|und|aber|contre|et|mais)\b",
    re.IGNORECASE,
)
_MULTIPLIED = re.compile(r"(?:(\d+) \* \w+|\w+ \* (\d+))")
_DIVIDED = re.compile(r"\w+ / (\d+)")
# "$10 a month cheaper": what two prices differ by is the price of nothing.
_DIFFERENCE = re.compile(
    r"\s(?:(?:an?|per|each|pro|im|par)\s\w+\s)?(?:cheaper|dearer|pricier|more|less|higher|lower|off"
    r"|günstiger|billiger|teurer|mehr|weniger|moins|de moins)\b",
    re.IGNORECASE,
)
_AFTER_CHARS, _BEFORE_CHARS = 30, 40
_NAME = re.compile(r"(?<![.\w])(?:[A-Z][\w&'’-]+)(?:\s+[A-Z][\w&'’-]+)*")
_NO_NAME = re.compile(
    r"The|An?|It|In|At|For|Per|This|That|Each|Every|And|But|So|Its|Their|Both|Day|We|Die|Der|Das|Ein|Le|La|Les"
)


class Offer(msgspec.Struct, frozen=True):
    """A value of a named thing: what it covers and where it comes from. ``place`` is where its sentence starts."""

    name: str
    value: Decimal
    unit: str | None
    cover: Cover
    citation: str
    calculated: bool = False
    place: int | None = None

    @property
    def text(self) -> str:
        """In words: "City South: 15 USD for 1 day [E2]"."""
        decimals = 0 if self.value == self.value.to_integral_value() else 2
        parts = (
            format_amount(self.value, decimals),
            self.unit,
            self.cover.text,
            f"[{self.citation}]" if self.citation else "",
        )
        return f"{self.name}: {' '.join(part for part in parts if part)}"


def offers_of(body: str, figures: Sequence[Figure], base: Base) -> tuple[Offer, ...]:
    """Every priced thing that is known: recorded facts, then the bound prices of the answer itself."""
    return (*_from_facts(base), *_from_figures(body, figures, base))


def mentions(text: str, contract: Contract) -> list[tuple[str, re.Match[str]]]:
    """The rows of the task that ``text`` names; without rows, what is written as a name."""
    if contract.rows:
        found = [(r.name, m) for r in contract.rows for m in re.finditer(re.escape(r.name), text, re.IGNORECASE)]
        return sorted(found, key=lambda mention: mention[1].start())
    out = []
    for match in _NAME.finditer(text):
        words = match[0].removesuffix("'s").removesuffix("’s").split()
        while words and _NO_NAME.fullmatch(words[0]):
            words.pop(0)
        if words:
            out.append((" ".join(words), match))
    return out


def _from_facts(base: Base) -> Iterator[Offer]:
    for fact in base.facts:
        amount = amount_in(fact.value or "", (fact.unit or "").split("/")[0].split(" per ")[0] or None)
        if amount is None or not fact.row or not is_currency(amount.unit):
            continue
        cover = cover_of(fact.unit, fact.period, fact.conditions, fact.quote)
        read = base.evidence(fact.evidence[0]) if fact.evidence else None
        if cover.count is None and read is not None and fact.kind != "calculation":
            cover = msgspec.structs.replace(_cover_there(read, amount), included=cover.included)
        cited = fact.evidence[0] if fact.evidence else fact.id
        yield Offer(fact.row, amount.value, amount.unit, cover, cited, fact.kind == "calculation")


def _from_figures(body: str, figures: Sequence[Figure], base: Base) -> Iterator[Offer]:
    """The bound prices of the answer: each belongs to the row of its evidence, else to the name closest before it."""
    rows = (row.name for row in base.contract.rows)
    names = tuple(dict.fromkeys(rows)) or tuple(
        dict.fromkeys(name for name, _ in mentions(without_marks(body), base.contract))
    )
    for figure in figures:
        quantity = figure.quantity
        if figure.state != "bound" or not is_currency(quantity.unit):
            continue
        text = without_marks(figure.scope.text)
        if _DIFFERENCE.match(text, quantity.end):
            continue
        fact = next((f for f in base.facts if f.id == figure.citation), None)
        cited = passage_of(figure, base.facts)
        read = base.evidence(cited)
        name = (fact.row if fact else "") or (row_of(read, base.contract, names) if read else "")
        name = name or _name_before(text, quantity.start, base.contract)
        if name:
            beside = [f.quantity for f in figures if f.scope.start == figure.scope.start]
            cover = _cover(figure, text, beside, read, base.contract)
            yield Offer(
                name, quantity.value, quantity.unit, cover, cited, figure.calculation is not None,
                figure.scope.start,
            )  # fmt: skip


def passage_of(figure: Figure, facts: Sequence[Fact]) -> str:
    """The passage that a figure rests on, directly or through a fact or a calculation."""
    fact = next((f for f in facts if f.id == figure.citation), None)
    if fact is not None and fact.evidence:
        return fact.evidence[0]
    if figure.calculation is not None and figure.calculation.inputs:
        return figure.calculation.inputs[0].evidence_id
    return figure.citation or ""


def row_of(read: Evidence, contract: Contract, names: Sequence[str]) -> str:
    """The one row that a passage speaks for, by its domains or documents, else by title, heading, words; else ""."""
    document = read.source.document
    bound = [row for row in contract.rows if row.domains or row.docs]
    owners = [row.name for row in bound if allowed(document, row.domains, row.docs)]
    if len(owners) == 1:
        return owners[0]
    for text in (document.title, document.subject, read.passage.heading, read.passage.text):
        named = [name for name in owners or names if text and words_stand_in(name, text)]
        if len(named) == 1:
            return named[0]
    return ""


def _name_before(text: str, position: int, contract: Contract) -> str:
    places = [(m.start(), name) for name, m in mentions(text, contract)]
    before = [place for place in places if place[0] < position]
    return max(before)[1] if before else min(places)[1] if places else ""


def _cover(figure: Figure, text: str, beside: Sequence[Quantity], read: Evidence | None, contract: Contract) -> Cover:
    """What a price covers: as said beside it, as calculated, else as its passage says."""
    said = _said(text, figure.quantity, beside)
    if said.count is not None:
        return said
    there = Cover()
    if figure.calculation is None:
        there = _cover_there(read, figure.quantity) if read else there
    else:
        operand = amount_in(figure.calculation.inputs[0].value, None) if figure.calculation.inputs else None
        there = _cover_there(read, operand) if read and operand else there
        there = _scaled(there, figure.calculation.formula) or cover_of(contract.period)
    return msgspec.structs.replace(there, included=said.included or there.included)


def _said(text: str, quantity: Quantity, beside: Sequence[Quantity]) -> Cover:
    """The span in the words between a price and its neighbours, those behind it first."""
    others = [q for q in beside if dimension(q.unit) not in ("time", "calendar")]
    first = max((q.end for q in others if q.end <= quantity.start), default=0)
    last = min((q.start for q in others if q.start >= quantity.end), default=len(text))
    behind = _PARTS.split(text[quantity.end : min(last, quantity.end + _AFTER_CHARS)])[0]
    before = _PARTS.split(text[max(first, quantity.start - _BEFORE_CHARS) : quantity.start])[-1]
    return cover_of(behind, before if first == 0 or _PARTS.search(text, first, quantity.start) else None)


def _scaled(cover: Cover, formula: str) -> Cover | None:
    """The span of "3 * price" or "price / 3"; None for any other calculation, or when the price has no span."""
    times, parts = _MULTIPLIED.fullmatch(formula), _DIVIDED.fullmatch(formula)
    if cover.count is None or not (times or parts):
        return None
    if parts:
        return msgspec.structs.replace(cover, count=cover.count / Decimal(parts[1])) if int(parts[1]) else None
    return msgspec.structs.replace(cover, count=cover.count * Decimal(times[1] or times[2])) if times else None


def _cover_there(read: Evidence, amount: Quantity) -> Cover:
    """What the passage says that an amount covers: beside it, else the only span of its sentence."""
    table, text = read.passage.table, read.passage.text
    if table is not None:
        header = next((header_text(c) for c in table.cells if amount.text.lstrip("$€£") in c.value.text), "")
        return cover_of(header, table.label.text if table.label else None)
    quantities = find_quantities(text)
    for start, end in sentences(text, 0, len(text)):
        inside = [q for q in quantities if start <= q.start < end]
        own = next((q for q in inside if is_currency(q.unit) and same_amount(q, amount.value)), None)
        if own is None:
            continue
        said = _said(text[:end], own, [q for q in quantities if start <= q.start])
        spans = {(c.count, c.unit) for c in covers_of(text[start:end])}
        return said if said.count is not None or len(spans) != 1 else cover_of(text[start:end])
    return Cover()
