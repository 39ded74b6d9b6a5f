"""Owns binding one figure to one number that is cited: value, unit, scale, sign, period, direction and noun.

Never: calculating (see ``derived``), or choosing among several numbers that fit equally.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

import msgspec

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.fiscal import Calendars
from counterfoil.core.answer.held import Held, described
from counterfoil.core.answer.nouns import Terms, another, better, of_subject, rows_beside, unit_class
from counterfoil.core.answer.opposites import opposite
from counterfoil.core.answer.two_way import turned_round
from counterfoil.core.evidence.amounts import amount_fits, header_text, in_unit, units_fit
from counterfoil.core.text.measures import dimension
from counterfoil.core.text.periods import Period, find_periods
from counterfoil.core.text.polarity import names_loss, names_outflow
from counterfoil.core.text.quantities import Quantity, same_amount
from counterfoil.core.text.rates import rate_in, rates_differ
from counterfoil.core.text.stems import stems
from counterfoil.core.text.units import is_currency

_CHANGE = re.compile(
    r"\b(?:change|growth|increase|decrease|variance|delta|veränderung|wachstum|variation|évolution|croissance"
    r"|yoy)\b|[变増增]",
    re.IGNORECASE,
)
_TAXED = re.compile(
    r"\b(?:before|after|net of|excluding|vor|nach|avant|après)\b[^;:]*|\bincome (?=tax)|\b(?:tax"
    r"|taxes) (?=basis|positions|benefits?)",
    re.IGNORECASE,
)  # "income before taxes" is no outflow
_GAIN = re.compile(
    r"\b(?:income|profit|earnings|gain|\w*gewinn|\w*überschuss|\w*ergebnis|bénéfice|résultat|beneficio|resultado|utile|risultato)\b|利益|利润",
    re.IGNORECASE,
)

_GENITIVE = re.compile(r"\b(?:von|de|da)\s*$", re.IGNORECASE)  # "eine Quote von 37 %" names no base
_ONWARD = re.compile(r"\b(?:auf|bis|zu|à|a|to)\b")
_RATE_NAMED = re.compile(
    r"%|\b(?:percent\w*|per cent|rates?|margins?|ratios?|shares?|yields?|growth|change|prozent\w*|\w*quote|anteil"
    r"|\w*marge|rendite|taux|part|tasa|tipo|margen|margine|quota)\b|[率比割]",
    re.IGNORECASE,
)
_NOUN_BEHIND = re.compile(r"\s([^\W\d_]{3,})")
_JOINING = frozenset(["and", "und", "oder", "bis", "through", "until"])  # "5 and 10 km"
_BOUND_GAP_MAX = Decimal("0.2")  # of the number: farther off, a bound says too little to be about it
_BOUND_DIGITS_MAX = 2


class Bound(msgspec.Struct, frozen=True):
    """A figure's binding, in the reading that fits; ``converted`` says that an exact factor leads to its unit."""

    held: Held
    reading: Quantity
    converted: bool = False


class Missed(msgspec.Struct, frozen=True):
    """Why a figure is not bound: ``why`` is empty when no number that is cited fits at all."""

    why: str = ""


class Binder:
    """Binds the figures of one answer. ``rows`` yields the table rows that were read, cited or not."""

    def __init__(
        self, calendars: Calendars, terms: Callable[[], Terms], rows: Callable[[], Sequence[Held]],
        asked_periods: Sequence[Period],
    ) -> None:  # fmt: skip
        self._calendars, self._terms, self._rows, self._asked = calendars, terms, rows, asked_periods

    def bind(
        self, readings: Sequence[Quantity], said: Beside, pool: Sequence[Held], *, alone: bool = False
    ) -> Bound | Missed:
        """The number of ``pool`` that the figure is, in any of its readings; else the best reason why none is.

        ``alone`` weighs each number by itself, not against the others.
        """
        why = ""
        for place, reading in enumerate(readings):
            found = self._fitting(reading, pool, convert=not place)
            if not found:
                continue
            kept: list[Bound] = []
            for bound in found:
                reason = self._objection(reading, said, bound.held, () if alone else pool)
                why = why or reason
                if not reason:
                    kept.append(bound)
            if kept:
                return self._one(kept, said)
        for reading in readings if said.limit else ():
            near = [h for h in pool if _bounded(reading, said, h)]
            kept = [Bound(h, reading) for h in near if not self._objection(reading, said, h, () if alone else pool)]
            if kept:
                return self._one(kept, said)
        return Missed(why)

    def _fitting(self, written: Quantity, pool: Sequence[Held], *, convert: bool) -> list[Bound]:
        out = []
        for held in pool:
            dated = held.quantity is not None and held.quantity.kind in ("year", "date")
            bare = written.unit is None and written.multiplier == 1
            if (dated and not bare) or (not written.value and held.amount.scaled):
                continue  # a year is no amount, and nothing rounds to zero
            if amount_fits(written, held.amount, signs_differ=True):
                out.append(Bound(held, written))
            elif convert and (value := in_unit(held.amount, written.unit)) is not None and same_amount(written, value):
                out.append(Bound(held, written, converted=True))
        return out

    def _objection(self, written: Quantity, said: Beside, held: Held, pool: Sequence[Held]) -> str:
        """What speaks against a number whose value fits; "" when nothing does."""
        if said.period is not None and not self.in_period(said.period, held):
            when = ", ".join(p.text for p in held.periods)
            return f"another period: {described(held)} is of {when or 'another one'}, not {said.period.text}"
        if reason := _other_state(written, said, held):
            return reason
        if held.source is None:
            return ""
        if reason := _other_measure(written, said, held):
            return reason
        terms = self._terms()
        rivals = [r for r in pool if self._rivals(written, said, held, r)]
        rival = better(said, held, rivals, terms) or of_subject(said, held, rivals)
        if rival is None and held.is_row and said.words and not said.words & held.words:
            near = rows_beside(held, self._rows())
            rival = next((r for r in near if r.words and r.words <= said.words), None)
            rival = rival or better(said, held, [r for r in near if self._names(r, said)], terms)
        if rival is not None:
            return f"the words beside it name {described(rival)}; {described(held)} is another thing"
        if another(said.words, said.lead, held, terms):
            return f"the words beside it name something else than {described(held)}"
        return ""

    def _names(self, row: Held, said: Beside) -> bool:
        table = row.source.passage.table if row.source else None
        label = table.label.text if table and table.label else ""
        return bool(self._terms().of_label(label) & self._terms().in_words(said.window))

    def _rivals(self, written: Quantity, said: Beside, held: Held, rival: Held) -> bool:
        """Whether another number might have been meant: of the same kind and period, but another value."""
        if said.period is not None and rival.periods and not self.in_period(said.period, rival):
            return False
        dated = said.period is not None and said.period.kind == "date"
        if dated and held.periods and not rival.periods and not rival.is_row:
            return False  # the day tells which is meant
        if rates_differ(said.per, _rate(rival)):
            return False
        if rival.source is None or (rival.quantity is not None and rival.quantity.kind in ("year", "date")):
            return False
        if rival.amount.scaled == held.amount.scaled or same_amount(written, rival.amount.scaled, ignore_sign=True):
            return False
        if said.span is not None and held.said.span == said.span != rival.said.span:
            return False  # both ends stand together there too
        units = written.unit, rival.amount.unit
        if units[0] != units[1] and all(unit and is_currency(unit) for unit in units):
            return False  # the figure says in which currency it is meant
        if written.unit is None and held.quantity is not None and held.amount.unit is None and rival.amount.unit:
            return False  # both count things, the other measures
        kinds = unit_class(written.unit or held.amount.unit), unit_class(rival.amount.unit)
        return (
            kinds[0] == kinds[1]
            or kinds[0] is None
            or (kinds[1] is None and (rival.is_row or held.amount.unit is None))
        )

    def in_period(self, written: Period, held: Held) -> bool:
        """Whether a number is of the period that is written beside it; one without a period may be of any."""
        if written.year is not None and written.year in held.said.not_years:
            return False
        return not held.periods or self._calendars.fits(written, held.periods, held.source, held.columns)

    def _one(self, kept: Sequence[Bound], said: Beside) -> Bound | Missed:
        """The one that is meant: by value, else by the task's period, else by the words beside the figure."""
        direct = [b for b in kept if not b.converted] or list(kept)
        if _alike(direct):
            return direct[0]
        asked = [b for b in direct if b.held.periods and any(self.in_period(p, b.held) for p in self._asked)]
        if asked and _alike(asked):
            return asked[0]
        ranked = sorted(asked or direct, key=lambda b: -len(said.words & b.held.words))
        first, second = (len(said.words & b.held.words) for b in ranked[:2])
        if first > second or any(b.held.source is None for b in ranked[:2]):
            return ranked[0]
        return Missed(f"several numbers fit: {described(ranked[0].held)} and {described(ranked[1].held)}; say which")


def _other_state(written: Quantity, said: Beside, held: Held) -> str:
    """Why the words give a number another time, sign or direction than its passage does; "" when they do not."""
    compared = said.role == "base" and (
        said.direction or not _GENITIVE.search(said.lead) or _ONWARD.search(said.window)
    )
    if held.said.earlier and not (said.earlier or said.told_earlier or said.period or compared):
        return f"another period: {described(held)} is of the period before"
    if _of_year_before(said, held):
        return f"another period: {described(held)} is of the period before {said.period.text if said.period else ''}"
    if not sign_fits(written, said, held):
        return f"the other sign: {described(held)}"
    if way := _opposed(said, held):
        return f"the other direction: {described(held)} went {way}"
    return ""


def _of_year_before(said: Beside, held: Held) -> bool:
    """Whether a number of "the year before" is said to be of the latest year that its passage and title name."""
    if not held.said.earlier or held.periods or said.earlier or held.source is None:
        return False
    if said.period is None or said.period.kind != "year":
        return False
    named = find_periods(f"{held.source.passage.text}\n{held.source.source.document.title}")
    return said.period.year == max((p.year for p in named if p.year is not None), default=None)


def _other_measure(written: Quantity, said: Beside, held: Held) -> str:
    """Why a number that fits measures or counts something else; "" when it does not."""
    if _counts_other(written, held):
        return f"another unit: {described(held)} counts something else than {written.unit}"
    if turned_round(written, said.window, held):
        return f"the other sign: {described(held)}"
    if _counts_alone(written, held):
        return f"another unit: {described(held)} is no percentage"
    if _level_in_points(written, said, held):
        return f"another unit: {described(held)} is a percentage, no difference in points"
    if held.amount.value >= 0 and opposite(said.words - said.lent, held.words):
        return f"the words beside it say the opposite of those of {described(held)}"
    if rates_differ(said.per, theirs := _rate(held)):
        return f"another rate: {described(held)} is per {theirs}, not per {said.per}"
    return ""


def _counts_other(written: Quantity, held: Held) -> bool:
    """Whether a figure in a measure ("240 months") would be a number that counts what is named behind it there."""
    if held.quantity is None or held.amount.unit is not None or held.source is None:
        return False
    if dimension(written.unit) is None or stems(written.unit or "") & held.words:
        return False
    noun = _NOUN_BEHIND.match(held.source.passage.text, held.quantity.end)
    return noun is not None and noun[1].casefold() not in _JOINING


def _counts_alone(written: Quantity, held: Held) -> bool:
    """Whether a percentage would be a whole number of a row that nothing calls a rate: 969 of "Total stores"."""
    amount = held.amount
    if amount.cell is None or amount.unit is not None or written.kind != "percent" or "%" in amount.text:
        return False
    whole = amount.value == amount.value.to_integral_value() and "." not in amount.text
    return whole and not _RATE_NAMED.search(f"{held.label} {header_text(amount.cell)}")


def _level_in_points(written: Quantity, said: Beside, held: Held) -> bool:
    """Whether a figure in points would be a percentage that nothing calls a change: "a margin of 41.2 points"."""
    if written.unit != "points" or held.amount.unit != "percent" or held.amount.cell is None:
        return False
    named = f"{held.label} {header_text(held.amount.cell)}"
    return not (said.direction or said.more or said.role == "change" or _CHANGE.search(f"{named} {said.window}"))


def _bounded(written: Quantity, said: Beside, held: Held) -> bool:
    """Whether a round figure that is said as a bound ("more than 50") is a close and true one of a number it names."""
    value, amount = written.value, held.amount
    dated = held.quantity is not None and held.quantity.kind in ("year", "date")
    gap = (amount.scaled - value) * said.limit
    digits = len(f"{value.normalize():e}".partition("e")[0].replace(".", ""))
    if dated or (digits > _BOUND_DIGITS_MAX and gap > written.step):
        return False
    if not units_fit(written.unit, amount) or (amount.multiplier is None and written.multiplier != 1):
        return False
    if dimension(written.unit) in ("time", "calendar") and amount.unit is None:
        return False  # "over 3 years" says how long
    if not (said.words & held.words or amount.unit == "count"):
        return False
    return 0 < gap <= abs(amount.scaled) * _BOUND_GAP_MAX


def _rate(held: Held) -> str | None:
    """The measure that a number is counted per, by the words behind it or those over and beside its cell."""
    if held.amount.cell is None:
        return held.said.per
    own = rate_in(held.amount.text)
    return own or rate_in(header_text(held.amount.cell)) or rate_in(held.label)


def _alike(bound: Sequence[Bound]) -> bool:
    return len({abs(b.held.amount.scaled) for b in bound}) == 1


def sign_fits(written: Quantity, said: Beside, held: Held) -> bool:
    """Whether the words make the written sign honest: "(206)" is a loss of 206, outflows may have either sign."""
    value, label = held.amount.value, held.label if held.is_row else ""
    row_loss, outflow = names_loss(label), names_outflow(_TAXED.sub(" ", label))
    both = bool(_GAIN.search(label))
    if (written.value < 0) == (value < 0):
        if written.value < 0 or value == 0:
            return True
        if held.quantity is not None:
            theirs, other = held.said.loss, held.said.gain
            if said.loss and not theirs and held.said.direction >= 0:
                return not names_loss(held.label)
            return not (theirs and not other and said.gain and not said.loss)
        if held.is_row and said.loss and (not row_loss or both) and not outflow:
            return False
        return not (held.is_row and row_loss and not both and said.gain and not said.loss)
    if written.value > 0:
        falls = said.direction < 0 and said.role != "level"
        return (
            said.loss or outflow or falls or (row_loss and not both) or (held.source is None and names_loss(held.label))
        )
    if held.quantity is not None:
        return held.said.loss or held.said.direction < 0
    return row_loss or outflow


def _opposed(said: Beside, held: Held) -> str:
    """ "up" or "down" when the held number went the other way than the figure is said to."""
    ours = said.direction or said.more
    if not ours or (held.quantity is None and not held.is_row):
        return ""
    theirs = held.said.direction or held.said.more
    if held.is_row:
        named = f"{held.label} {header_text(held.amount.cell)}" if held.amount.cell else held.label
        changes = _CHANGE.search(named) is not None and said.role in ("change", "plain") and not names_loss(said.window)
        theirs = (1 if held.amount.value > 0 else -1) if changes and held.amount.value and not said.soft else 0
        if changes and held.amount.value < 0:
            return ""  # its sign was weighed by ``sign_fits``
    if not theirs or theirs == ours:
        return ""
    return "up" if theirs > 0 else "down"


def moved(first: Decimal, last: Decimal, *, size: bool) -> int:
    """1 when ``last`` is more than ``first``, -1 when less, 0 when equal; by size for losses and outflows."""
    a, b = (abs(first), abs(last)) if size else (first, last)
    return (b > a) - (b < a)
