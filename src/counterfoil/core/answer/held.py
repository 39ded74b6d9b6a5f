"""Owns the numbers that stand behind cited ids, each with what its document says beside it.

Never: judging a figure, or reading anything that is not cited.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

import msgspec

from counterfoil.core.answer.beside import Beside, beside, beside_spelled
from counterfoil.core.evidence.amounts import Amount, amounts, decimal_mark, header_text
from counterfoil.core.evidence.calculations import multiplier_of
from counterfoil.core.evidence.facts import Calculation, CalculationInput, Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.clocks import clock_of
from counterfoil.core.text.periods import Period, find_periods, years_named
from counterfoil.core.text.quantities import Quantity, amount_in, find_quantities, parse_amount
from counterfoil.core.text.spelled import find_spelled
from counterfoil.core.text.stems import stems


class Held(msgspec.Struct, frozen=True):
    """A number that a cited thing holds. ``label`` is the words that name it there, ``said`` what stands beside it.

    ``periods`` are those of its column or sentence. ``quantity`` is the number as prose writes it, None for a cell.
    """

    citation: str
    amount: Amount
    label: str
    words: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    said: Beside = Beside()
    quantity: Quantity | None = None
    source: Evidence | None = None
    columns: tuple[int, ...] = ()  # the years that the columns of its row name

    @property
    def is_row(self) -> bool:
        """Whether it is a cell of a table."""
        return self.amount.cell is not None


_ASIDE = re.compile(r"[(（](?=.*[^\W\d_]{3})(?!.*[-−])")  # "than in 2023 (22.8 million)": no accountant's minus


class Shelf:
    """Numbers by size, for finding those that a figure may stand for.

    Finding the numbers of a text is cheap and telling what stands beside them is not: ``numbers`` is asked for a
    passage only when one of its numbers is near a figure.
    """

    def __init__(self, read: Iterable[Evidence], numbers: Callable[[Evidence], tuple[Held, ...]]) -> None:
        self._read, self._numbers = tuple(read), numbers
        self._sizes = sorted((size, at) for at, one in enumerate(self._read) for size in set(self._sizes_of(one)))

    def near(self, written: Quantity) -> list[Held]:
        """The numbers within half a unit of the figure's last written digit, whatever their sign."""
        reach, size = written.step / 2, abs(written.value)
        low = bisect_left(self._sizes, size - reach, key=_first)
        high = bisect_right(self._sizes, size + reach, key=_first)
        passages = sorted({at for _, at in self._sizes[low:high]})
        held = (held for at in passages for held in self._numbers(self._read[at]))
        return sorted((h for h in held if size - reach <= _size(h) <= size + reach), key=_size)

    def _sizes_of(self, read: Evidence) -> Iterator[Decimal]:
        """The size of every number of a passage; it may yield more, for ``near`` looks again."""
        if read.passage.table is not None:
            return (abs(amount.scaled) for amount in (*amounts(read), *(h.amount for h in _clocks(read, ""))))
        text = read.passage.text
        quantities = find_quantities(text, decimal_mark(read))
        return (abs(q.value / q.multiplier * q.multiplier) for q in (*quantities, *find_spelled(text)))


def _first(pair: tuple[Decimal, int]) -> Decimal:
    return pair[0]


def _size(held: Held) -> Decimal:
    return abs(held.amount.scaled)


def described(held: Held) -> str:
    """A held number in words: '[E7] 1,577 (USD, x1000000, "Purchases of property", column "2022")'."""
    amount = held.amount
    notes = [amount.unit or ""]
    if amount.multiplier not in (None, 1):
        notes.append(f"x{amount.multiplier:f}")
    if amount.cell is not None:
        notes.append(f'"{" ".join(held.label.split())[:60]}"' if held.label else "")
        notes.append(f'column "{header_text(amount.cell)}"' if amount.cell.header else "")
    inside = ", ".join(note for note in notes if note)
    return f"[{held.citation}] {amount.text}{f' ({inside})' if inside else ''}"


def of_evidence(read: Evidence) -> tuple[Held, ...]:
    """Every number of a passage. A table row gives its cells, then the numbers in its label and worded cells."""
    table = read.passage.table
    if table is None:
        return tuple(_prose(read))
    label = " ".join(s.text for s in (table.section, table.label) if s)
    title = table.title.text if table.title else ""
    named = find_periods(label) or ()
    columns = tuple(year for cell in table.cells for year in years_named(header_text(cell)))
    out: list[Held] = []
    for amount in amounts(read):
        if amount.cell is None:
            out.append(Held(read.id, amount, label or read.passage.text, stems(label), source=read))
            continue
        header = header_text(amount.cell)
        periods = _dated(find_periods(header)) or named or find_periods(title)
        words = stems(f"{label} {_without(header, periods)}")
        out.append(Held(read.id, amount, label, words, periods, source=read, columns=columns))
    out += _clocks(read, label)
    return tuple(out)


def _dated(periods: tuple[Period, ...]) -> tuple[Period, ...]:
    """Periods of one header; a quarter without a year is of the one year beside it ("Fiscal 2023, second quarter")."""
    years = {p.year for p in periods if p.year is not None}
    lacking = tuple(p for p in periods if p.year is None and p.end_date is None)
    if len(years) != 1 or not lacking:
        return periods
    return tuple(msgspec.structs.replace(p, year=next(iter(years))) for p in lacking)


def _clocks(read: Evidence, label: str) -> Iterator[Held]:
    """The clock and race times in the cells of a row: no amounts, but the words beside a figure may name one."""
    for cell in read.passage.table.cells if read.passage.table else ():
        if clock_of(cell.value.text) is None:
            continue
        time = find_quantities(cell.value.text)[0]
        amount = Amount(time.text, time.value, time.multiplier, None, cell)
        words = stems(f"{label} {header_text(cell)}")
        yield Held(read.id, amount, label, words, quantity=time, source=read)


def _without(text: str, periods: tuple[Period, ...]) -> str:
    for period in periods:
        text = text.replace(period.text, " ")
    return text


def _prose(read: Evidence) -> Iterator[Held]:
    text = read.passage.text
    quantities = find_quantities(text, decimal_mark(read))
    both = [(q, said) for q, said in zip(quantities, beside(text, quantities), strict=True)]
    both += beside_spelled(text, quantities)
    for q, said in both:
        if q.kind not in ("money", "percent", "number", "year", "date"):
            continue
        if q.value < 0 and _ASIDE.match(q.text):
            q = msgspec.structs.replace(q, value=-q.value)
        amount = Amount(q.text, q.value / q.multiplier, q.multiplier, q.unit)
        own = (said.period,) if said.period else ()
        periods = find_periods(q.text) if q.kind in ("year", "date") else own
        yield Held(read.id, amount, text, said.words, periods, said, q, read)


def of_cited(
    ids: tuple[str, ...],
    read: tuple[tuple[Held, ...], ...],
    facts: tuple[Fact, ...],
    calculations: tuple[Calculation, ...],
    evidence: Callable[[str], Evidence | None],
) -> Iterator[Held]:
    """The numbers behind every cited id, and the facts that rest on cited evidence alone."""
    for held in read:
        yield from held
    for calc in calculations:
        if calc.id in ids:
            yield from _written(calc.id, calc.value, calc.unit, calc.formula.replace("_", " "), None)
            yield from _operands(calc.id, calc.inputs, evidence)
    for fact in facts:
        if fact.id in ids or (fact.evidence and set(fact.evidence) <= set(ids)):
            yield from _written(fact.id, fact.value, fact.unit, f"{fact.row} {fact.field}", fact.period)
            yield from _operands(fact.id, fact.inputs, evidence)


def _written(citation: str, value: str | None, unit: str | None, label: str, period: str | None) -> Iterator[Held]:
    amount = amount_in(value or "", unit)
    if amount is not None:
        plain = amount.value / amount.multiplier
        found = Amount(amount.text, plain, amount.multiplier, amount.unit)
        yield Held(citation, found, label, frozenset(), find_periods(period or ""))


def _operands(
    citation: str, inputs: tuple[CalculationInput, ...], evidence: Callable[[str], Evidence | None]
) -> Iterator[Held]:
    """The operands as their evidence holds them, so that unit and label are the document's own."""
    for given in inputs:
        read, written, scale = evidence(given.evidence_id), parse_amount(given.value), multiplier_of(given)
        if read is None or written is None or scale is None:
            continue
        for held in of_evidence(read):
            if held.amount.value == written.value / written.multiplier:
                amount = msgspec.structs.replace(held.amount, multiplier=written.multiplier * scale)
                yield msgspec.structs.replace(held, citation=citation, amount=amount)
