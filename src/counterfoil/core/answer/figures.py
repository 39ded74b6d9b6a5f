"""Owns binding the figures of an answer: each to a number in what its own sentence, bullet or row cites.

Never: searching pairs of numbers for a calculation that happens to fit, or binding to a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.evidence.amounts import Amount, amount_fits, amounts, header_text, honest_sign
from counterfoil.core.evidence.calculations import multiplier_of
from counterfoil.core.evidence.facts import Calculation, CalculationInput, Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.folding import loosely_folded, space_folded, stands_in
from counterfoil.core.text.marks import unescaped, without_marks
from counterfoil.core.text.periods import Period, find_periods, years_named
from counterfoil.core.text.quantities import Quantity, amount_in, find_quantities, guess_decimal, parse_amount
from counterfoil.core.text.scales import scale_of
from counterfoil.core.text.vocabulary import Vocabulary

FigureState = Literal["bound", "free", "unsourced", "mismatch"]

_SCALE_PHRASE = re.compile(
    r"\bin\s+(?:us\s+|u\.s\.\s+)?(?:dollars?\s+|usd\s+|eur\s+|euros?\s+|[$€£]\s*)?"
    r"(?:thousands|millions|billions|mio|mrd|tsd)\b"
    r"|\b(?:usd|eur|gbp|chf|jpy)\s+(?:thousands|millions|billions|mio|mrd|tsd)\b"
    r"|单位[:：]\s?[百千]?[万亿]?元|単位[:：]\s?[百千十]?[万億]?円",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:\b(?:pages?|pp?\.|notes?|items?|sections?|tables?|figures?|charts?|chapters?|steps?"
    r"|parts?|exhibits?|appendix|no\.|nr\."
    r"|seite|tabelle|abschnitt|kapitel|anhang|option|scenario|phase|level|tier)\s?|§\s?|#|№\s?)$",
    re.IGNORECASE,
)
_COUNT_MAX = 12


class Held(msgspec.Struct, frozen=True):
    """A number that a cited thing holds. ``label`` is the words around it there."""

    citation: str
    amount: Amount
    label: str


class Figure(msgspec.Struct, frozen=True):
    """A figure of the body with its judgement. ``start`` and ``end`` are positions in the body.

    ``citation`` is what it is bound to. ``nearest`` says what would bind it when it is not.
    """

    quantity: Quantity
    start: int
    end: int
    scope: Scope
    state: FigureState
    citation: str | None = None
    nearest: str = ""


class Base(msgspec.Struct, frozen=True):
    """What figures are held against. ``occurs`` says whether a name stands anywhere in what was read.

    ``everything`` yields what the model has seen; it is only walked to name the nearest binding.
    """

    contract: Contract
    evidence: Callable[[str], Evidence | None]
    facts: tuple[Fact, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    as_of: str = ""
    occurs: Callable[[str], bool] = lambda name: False
    everything: Callable[[], Iterable[Evidence]] = tuple
    vocabulary: Vocabulary = Vocabulary("")


def judge_figures(body: str, base: Base) -> tuple[Figure, ...]:
    """Every figure of a Markdown body, in order, with its state. List numbers and marks are no figures."""
    asked = _Asked(base)
    seen: list[Held] = []
    scopes = split_scopes(body)
    mark = guess_decimal(without_marks(body))
    out: list[Figure] = []
    for index, scope in enumerate(scopes):
        cited = _section(scopes, index) if scope.kind == "heading" else scope.cited
        held = _Cited(cited, base)
        text = without_marks(scope.text)
        for quantity in find_quantities(text, mark):
            state, citation = _judge(quantity, text, scope, held, asked)
            nearest = "" if state in ("bound", "free") else held.nearest(quantity, scope, seen)
            start = scope.start + quantity.start
            end = scope.start + quantity.end
            out.append(Figure(quantity, start, end, scope, state, citation, nearest))
    return tuple(out)


def _section(scopes: tuple[Scope, ...], index: int) -> tuple[str, ...]:
    """What the text below a heading cites, up to the next heading."""
    ids = list(scopes[index].cited)
    for scope in scopes[index + 1 :]:
        if scope.kind == "heading" and not scope.text.lstrip().startswith("|"):
            break
        ids.extend(scope.cited)
    return tuple(dict.fromkeys(ids))


class _Asked:
    """The task's own figures, which an answer may repeat freely."""

    def __init__(self, base: Base) -> None:
        contract = base.contract
        rows = (row.name for row in contract.rows)
        fields = (f"{field.name} {field.period or ''} {field.unit or ''}" for field in contract.fields)
        self.text = "\n".join((contract.question, contract.period or "", *contract.done, *rows, *fields))
        self.quantities = find_quantities(self.text)
        window = f"{self.text}\n{base.as_of}"
        self.periods = find_periods(window)
        self.years = set(years_named(window))
        self.folded = loosely_folded(self.text)
        phrase = _SCALE_PHRASE.search(self.text)
        scales = [f.scale for f in contract.fields if f.scale]
        self.scale = scale_of(phrase[0]) if phrase else scale_of(scales[0]) if scales else None

    def names(self, quantity: Quantity) -> bool:
        """Whether the task holds this very amount."""
        return any(
            q.value == quantity.value and (q.unit == quantity.unit or None in (q.unit, quantity.unit))
            for q in self.quantities
            if q.kind in ("money", "percent", "number")
        )


class _Cited:
    """What the ids that cover one scope hold, read once."""

    def __init__(self, ids: tuple[str, ...], base: Base) -> None:
        self._base = base
        self.ids = ids
        self.read = tuple(e for i in ids if (e := base.evidence(i)) is not None)
        self.held = tuple(_held(ids, self.read, base))
        self.folded = loosely_folded("\n".join(_surroundings(e) for e in self.read))
        periods = (f.period or "" for f in base.facts if f.id in ids or (f.evidence and set(f.evidence) <= set(ids)))
        texts = [_surroundings(e) for e in self.read] + list(periods)
        self.periods = tuple(p for text in texts for p in find_periods(text))
        self.years = {y for text in texts for y in years_named(text)}

    def occurs(self, name: str) -> bool:
        return name in self.folded or self._base.occurs(name)

    def quoted(self, line: str) -> str | None:
        """The cited passage in which ``line`` stands word for word."""
        return next((e.id for e in self.read if stands_in(line, e.passage.text)), None)

    def nearest(self, quantity: Quantity, scope: Scope, seen: list[Held]) -> str:
        """What would bind a figure: elsewhere the same amount, else the closest that is cited.

        ``seen`` is filled with all that the model has seen when first needed.
        """
        count = quantity.kind == "number" and quantity.unit is None and 0 < quantity.value <= _COUNT_MAX
        hint = "; a count of things named here is better written as a word" if count else ""
        if not seen:
            seen.extend(held for read in self._base.everything() for held in _of_evidence(read))
        if quantity.kind in ("number", "money", "percent"):
            for held in seen:
                if held.citation not in self.ids and _fits(quantity, held, scope.text):
                    return f"cite {described(held)}{hint}"
        if not self.held:
            return f"a citation of a passage, calculation or fact that holds it{hint}"
        closest = min(self.held, key=lambda h: abs(abs(h.amount.scaled) - abs(quantity.value)))
        return f"closest cited: {described(closest)}{hint}"


def described(held: Held) -> str:
    """A held number in words: '[E7] 1,577 (USD, x1000000, column "2022")'."""
    amount = held.amount
    notes = [amount.unit or ""]
    if amount.multiplier not in (None, 1):
        notes.append(f"x{amount.multiplier:f}")
    if amount.cell is not None and amount.cell.header:
        notes.append(f'column "{header_text(amount.cell)}"')
    inside = ", ".join(note for note in notes if note)
    return f"[{held.citation}] {amount.text}{f' ({inside})' if inside else ''}"


def _surroundings(read: Evidence) -> str:
    """Everything that dates a passage: its text, heading, table title and headers, its document."""
    passage, document = read.passage, read.source.document
    parts = [passage.text, passage.heading or "", document.title, document.period or "", document.published or ""]
    if passage.table is not None:
        spans = [passage.table.title, passage.table.section, *(h for c in passage.table.cells for h in c.header)]
        parts.extend(span.text for span in spans if span is not None)
    return "\n".join(parts)


def _of_evidence(read: Evidence) -> Iterator[Held]:
    table = read.passage.table
    label = read.passage.text if table is None else " ".join(s.text for s in (table.section, table.label) if s)
    for amount in amounts(read):
        yield Held(read.id, amount, label)


def _written(citation: str, value: str | None, unit: str | None, label: str) -> Iterator[Held]:
    amount = amount_in(value or "", unit)
    if amount is not None:
        plain = amount.value / amount.multiplier
        yield Held(citation, Amount(amount.text, plain, amount.multiplier, amount.unit), label)


def _operands(citation: str, inputs: tuple[CalculationInput, ...], base: Base) -> Iterator[Held]:
    """The operands as their evidence holds them, so that unit and label are the document's own."""
    for given in inputs:
        read, written, scale = base.evidence(given.evidence_id), parse_amount(given.value), multiplier_of(given)
        if read is None or written is None or scale is None:
            continue
        for held in _of_evidence(read):
            if held.amount.value == written.value / written.multiplier:
                amount = msgspec.structs.replace(held.amount, multiplier=written.multiplier * scale)
                yield Held(citation, amount, held.label)


def _held(ids: tuple[str, ...], read: tuple[Evidence, ...], base: Base) -> Iterator[Held]:
    """The numbers behind every cited id, and the facts that rest on cited evidence alone."""
    for evidence in read:
        yield from _of_evidence(evidence)
    for calc in base.calculations:
        if calc.id in ids:
            yield from _written(calc.id, calc.value, calc.unit, calc.formula.replace("_", " "))
            yield from _operands(calc.id, calc.inputs, base)
    for fact in base.facts:
        if fact.id in ids or (fact.evidence and set(fact.evidence) <= set(ids)):
            yield from _written(fact.id, fact.value, fact.unit, f"{fact.field} {fact.quote or ''}")
            yield from _operands(fact.id, fact.inputs, base)


def _line_around(quantity: Quantity, text: str) -> str:
    """The line of a block quotation that holds a figure, without its mark."""
    start, end = text.rfind("\n", 0, quantity.start) + 1, text.find("\n", quantity.start)
    return unescaped(text[start : end if end >= 0 else len(text)].lstrip("> \t"))


def _judge(quantity: Quantity, text: str, scope: Scope, held: _Cited, asked: _Asked) -> tuple[FigureState, str | None]:
    failed: FigureState = "mismatch" if held.read or held.held else "unsourced"
    if scope.kind == "quote" and (source := held.quoted(_line_around(quantity, text))):
        return "bound", source
    if quantity.kind == "ordinal" or _REFERENCE.search(text[max(0, quantity.start - 16) : quantity.start]):
        return "free", None
    if quantity.kind in ("identifier", "version"):
        name = loosely_folded(quantity.text)
        known = name.startswith(("http", "www.")) or name in asked.folded or held.occurs(name)
        return ("free" if known else failed), None
    if quantity.kind in ("year", "date"):
        return _judge_period(quantity, held, asked, failed)
    if asked.names(quantity):
        return "free", None
    for reading in _readings(quantity, scope, asked):
        for candidate in held.held:
            if _fits(reading, candidate, text):
                return "bound", candidate.citation
    if scope.kind == "heading" and quantity.kind == "number" and quantity.unit is None and quantity.multiplier == 1:
        return "free", None
    return failed, None


def _judge_period(
    quantity: Quantity, held: _Cited, asked: _Asked, failed: FigureState
) -> tuple[FigureState, str | None]:
    """Years and dates are free when the task names them, bound when a cited passage or its document does."""
    written = find_periods(quantity.text)
    if not written or written[0].year is None:
        return "free", None  # a time of day, or a period whose year its neighbours give
    if _dated(written[0], asked.periods, asked.years):
        return "free", None
    if _dated(written[0], held.periods, held.years):
        return "bound", held.ids[0] if held.ids else None
    return failed, None


def _dated(written: Period, known: tuple[Period, ...], years: set[int]) -> bool:
    """Equal at the written precision: "March 2023" is met by 3 March 2023, a year by any period of it."""
    if written.kind == "date" and written.end_date is not None:
        day = written.end_date
        return any(p.end_date is not None and p.end_date.startswith(day) for p in known)
    return written.year in years


def _readings(quantity: Quantity, scope: Scope, asked: _Asked) -> Iterator[Quantity]:
    """The figure as written, then with the scale that its table, its sentence or the task states."""
    written = [quantity]
    for other in (parse_amount(quantity.text, "."), parse_amount(quantity.text, ",")):
        if other is not None and other.value != quantity.value:
            written.append(other)
    if quantity.value > 0 and _in_brackets(quantity, scope):
        written += [msgspec.structs.replace(one, value=-one.value) for one in written]
    yield from written
    if quantity.multiplier != 1 or quantity.kind == "percent":
        return
    phrases = [scope.caption, scope.text] if scope.kind != "row" else [scope.caption, *_column(quantity, scope)]
    scales = [scale_of(p) for p in phrases[1:]] if scope.kind == "row" else []
    scales += [scale_of(found[0]) for phrase in phrases if (found := _SCALE_PHRASE.search(phrase))]
    for scale in dict.fromkeys(s for s in (*scales, asked.scale) if s is not None):
        for one in written:
            yield msgspec.structs.replace(one, value=one.value * scale, multiplier=scale)


def _in_brackets(quantity: Quantity, scope: Scope) -> bool:
    """Whether the figure stands alone in brackets, as a table shows a negative amount: "(45)"."""
    before, after = scope.text[: quantity.start].rstrip(), scope.text[quantity.end :].lstrip()
    return before.endswith("(") and after.startswith(")")


def _column(quantity: Quantity, scope: Scope) -> list[str]:
    """The header of the figure's column and the label of its row."""
    at = scope.start + quantity.start
    header = next((cell.header for cell in scope.cells if cell.start <= at < cell.end), "")
    first = scope.cells[0] if scope.cells else None
    return [header, scope.text[first.start - scope.start : first.end - scope.start] if first else ""]


def _fits(written: Quantity, held: Held, said: str) -> bool:
    differ = (written.value < 0) != (held.amount.value < 0)
    if not amount_fits(written, held.amount, signs_differ=differ):
        return False
    return honest_sign(written, held.amount, space_folded(said), held.label)
