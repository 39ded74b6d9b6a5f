"""Owns the judgement on the figures of one scope: free, bound as written, or derived from figures that are bound.

Never: Markdown (see ``scopes``), or what makes a single binding hold (see ``binding``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from counterfoil.core.answer.asked import Asked
from counterfoil.core.answer.beside import AMOUNT_KINDS, NUMBERS_MAX, Beside, beside
from counterfoil.core.answer.binding import Binder, Bound
from counterfoil.core.answer.cited import Cited
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.derived import (
    along_row,
    by_rate,
    change_of,
    in_sentence,
    named_by,
    share_of_rows,
    spelled_out,
)
from counterfoil.core.answer.fiscal import Calendars
from counterfoil.core.answer.formulas import Formulas
from counterfoil.core.answer.held import Held, Shelf, described, of_cited, of_evidence
from counterfoil.core.answer.movement import check_moves, check_order
from counterfoil.core.answer.nouns import Terms, better, terms_of
from counterfoil.core.answer.operands import Operand, Result, gives, operand_of
from counterfoil.core.answer.readings import beside_cells, readings_of
from counterfoil.core.answer.scopes import Scope
from counterfoil.core.answer.verdict import Verdict
from counterfoil.core.evidence.facts import Calculation, Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.clocks import clock_of, clocks_in
from counterfoil.core.text.folding import loosely_folded, words_stand_in
from counterfoil.core.text.marks import find_marks, unescaped, without_marks
from counterfoil.core.text.periods import Period, find_periods, years_named
from counterfoil.core.text.quantities import DecimalMark, Quantity, find_quantities
from counterfoil.core.text.stems import stems
from counterfoil.core.text.vocabulary import Vocabulary

AS_POINTS = "PERCENT_AS_POINTS"

_REFERENCE = re.compile(
    r"(?:\b(?:pages?|pp?\.|notes?|items?|sections?|tables?|figures?|charts?|chapters?|steps?"
    r"|parts?|exhibits?|appendix|no\.|nr\."
    r"|seite|tabelle|abschnitt|kapitel|anhang|option|scenario|phase|level|tier)\s?|§\s?|#|№\s?)$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\(\d{1,2}\)")
_COUNT_MAX = 12
_QUOTED_WORDS_MIN = 6


class Judge:
    """Judges the figures of one answer, scope by scope; what it reads is read once."""

    def __init__(
        self, contract: Contract, evidence: Callable[[str], Evidence | None], facts: tuple[Fact, ...],
        calculations: tuple[Calculation, ...], as_of: str, occurs: Callable[[str], bool],
        everything: Callable[[], Iterable[Evidence]], vocabulary: Vocabulary,
    ) -> None:  # fmt: skip
        self._evidence, self._facts, self._calculations = evidence, facts, calculations
        self._occurs, self._everything, self._vocabulary = occurs, everything, vocabulary
        self._asked = Asked(contract, as_of)
        self._question = contract.question
        self._held: dict[str, tuple[Held, ...]] = {}
        self._seen: Shelf | None = None
        self._known: Terms | None = None
        self._by_name: Formulas | None = None
        self._rows_read: tuple[Held, ...] | None = None
        self._before: tuple[Operand, ...] = ()  # the figures of the sentence before, for "a drop of 2.2 points"
        calendars = Calendars(everything, self._asked.years)
        self._binder = Binder(calendars, self._terms, self._rows, self._asked.periods)

    def judge(self, scope: Scope, ids: tuple[str, ...], mark: DecimalMark | None) -> list[Verdict]:
        """The verdicts on the figures of ``scope``, which the passages ``ids`` cover."""
        text = without_marks(scope.text)
        if not any(c.isdecimal() for c in text):
            return []
        cited = self._cited(ids)
        quantities = find_quantities(text, mark or cited.mark)
        said = beside_cells(scope, quantities) if scope.kind == "row" else beside(text, quantities)
        whole = cited.quoted(sentence) if scope.kind != "quote" and (sentence := _sentence(text)) else None
        verdicts = [
            self._direct(q, s, text, scope, self._of_cell(q, scope) or cited, whole)
            for q, s in zip(quantities, said, strict=True)
        ]
        owned = {s.period.start for s in said if s.period is not None}
        for verdict in verdicts:
            if verdict.quantity.kind in ("year", "date") and verdict.quantity.start not in owned:
                self._named_date(verdict, cited)
        bare = not stems(text) and scope.kind != "row"
        self._derive(verdicts, quantities, self._question if bare else text, scope, cited)
        if len(verdicts) <= NUMBERS_MAX:
            check_moves(verdicts, cited)
            check_order(verdicts, text)
        self._before = tuple(v.operand for v in verdicts if v.operand) if scope.kind == "sentence" else ()
        for verdict in verdicts:
            if verdict.state in ("unsourced", "mismatch"):
                verdict.nearest = self._nearest(verdict, scope, cited)
        return verdicts

    def _of_cell(self, quantity: Quantity, scope: Scope) -> Cited | None:
        """What the cell of a table row cites for itself; the citations of its neighbours say nothing of it."""
        at = scope.start + quantity.start
        cell = next((cell for cell in scope.cells if cell.start <= at < cell.end), None)
        if cell is None:
            return None
        inside = scope.text[cell.start - scope.start : cell.end - scope.start]
        ids = tuple(dict.fromkeys(cited for mark in find_marks(inside) for cited in mark.ids))
        return self._cited(ids) if ids else None

    def _cited(self, ids: tuple[str, ...]) -> Cited:
        read = tuple(e for i in ids if (e := self._evidence(i)) is not None)
        numbers = tuple(self._numbers(e) for e in read)
        held = of_cited(ids, numbers, self._facts, self._calculations, self._evidence)
        return Cited(ids, read, tuple(held), self._facts)

    def _numbers(self, read: Evidence) -> tuple[Held, ...]:
        if read.id not in self._held:
            self._held[read.id] = of_evidence(read)
        return self._held[read.id]

    def _terms(self) -> Terms:
        if self._known is None:
            self._known = terms_of(self._vocabulary)
        return self._known

    def _formulas(self) -> Formulas:
        if self._by_name is None:
            self._by_name = Formulas(self._vocabulary, self._question)
        return self._by_name

    def _rows(self) -> tuple[Held, ...]:
        """One number of every table row that was read."""
        if self._rows_read is None:
            rows = (self._numbers(e) for e in self._everything() if e.passage.table is not None)
            self._rows_read = tuple(cells[0] for cells in rows if cells)
        return self._rows_read

    # --- as written

    def _direct(
        self, quantity: Quantity, said: Beside, text: str, scope: Scope, cited: Cited, whole: str | None
    ) -> Verdict:
        """The verdict without any calculation; ``whole`` is the passage that holds the sentence word for word."""
        verdict = Verdict(quantity, said, "mismatch" if cited.read or cited.numbers else "unsourced")
        source = cited.quoted(_line_around(quantity, text)) if scope.kind == "quote" else whole
        if source:
            verdict.state, verdict.citation = "bound", source
        elif quantity.kind in ("identifier", "version"):
            self._name(verdict, cited)
        elif quantity.kind == "ordinal" or _numbers_item(quantity, text) or _refers(quantity, text):
            verdict.state = "free"
        elif quantity.kind in ("year", "date"):
            self._date(verdict, cited)
        elif self._asked.names(quantity):
            verdict.state = "free"
        else:
            self._amount(verdict, scope, cited)
        return verdict

    def _name(self, verdict: Verdict, cited: Cited) -> None:
        name = loosely_folded(verdict.quantity.text)
        known = name.startswith(("http", "www.")) or words_stand_in(name, self._asked.folded)
        if known or words_stand_in(name, cited.folded) or self._occurs(name):
            verdict.state = "free"

    def _date(self, verdict: Verdict, cited: Cited) -> None:
        """Years and dates are free when the task names them, bound when a cited passage or its document does."""
        text = verdict.quantity.text
        written = find_periods(text)
        if (clock := clock_of(text)) is not None:
            clocks = clocks_in(cited.folded)
            if clock in clocks_in(self._asked.text) or not clocks:
                verdict.state = "free"
            elif clock in clocks:
                verdict.state, verdict.citation = "bound", cited.ids[0] if cited.ids else None
        elif not written or written[0].year is None:
            verdict.state = "free"  # a period whose year its neighbours give
        elif _dated(written[0], self._asked.window, self._asked.years):
            verdict.state = "free"
        elif _dated(written[0], cited.periods, cited.years) or any(
            self._binder.in_period(written[0], h) for h in cited.numbers if h.is_row and h.periods
        ):
            verdict.state, verdict.citation = "bound", cited.ids[0] if cited.ids else None

    def _named_date(self, verdict: Verdict, cited: Cited) -> None:
        """A date that no figure has to itself is held to the words beside it, as an amount is."""
        written, clock = find_periods(verdict.quantity.text), clock_of(verdict.quantity.text)
        if verdict.state != "bound" or not (written or clock):
            return
        if clock is not None:
            named = [h for h in cited.clocks if clock_of(h.amount.text) == clock]
            rivals = [h for h in cited.clocks if h not in named]
        else:
            named = [h for h in cited.dates if _dated(written[0], h.periods, {p.year or 0 for p in h.periods})]
            rivals = [h for h in cited.dates if h not in named]
        found = [better(verdict.said, one, rivals, self._terms()) for one in named]
        rival = found[0] if found else None
        if rival is not None and all(found):
            verdict.state, verdict.citation = "mismatch", None
            verdict.nearest = f"the words beside it name {described(rival)}"

    def _amount(self, verdict: Verdict, scope: Scope, cited: Cited) -> None:
        quantity = verdict.quantity
        found = self._binder.bind(list(readings_of(quantity, scope, self._asked)), verdict.said, cited.numbers)
        if isinstance(found, Bound):
            held = found.held
            verdict.state, verdict.citation = "bound", held.citation
            sign = -1 if quantity.value < 0 else 1
            operand = operand_of(f"x{quantity.start}", held, sign=sign, start=quantity.start, said=verdict.said)
            verdict.operand = msgspec.structs.replace(operand, written=found.reading.value)
            if found.converted:
                given = verdict.operand.inputs
                words = f"{held.amount.text} in {quantity.unit}"
                verdict.calculation = Calculation("", f"x{quantity.start}", given, words, quantity.unit)
            return
        verdict.nearest = found.why
        bare = quantity.kind == "number" and quantity.unit is None and quantity.multiplier == 1
        if scope.kind == "heading" and bare:
            verdict.state = "free"

    # --- derived

    def _derive(
        self, verdicts: list[Verdict], quantities: Sequence[Quantity], text: str, scope: Scope, cited: Cited
    ) -> None:
        """Bind what is left by calculation, from the surest kind to the last; each may rest on the ones before."""
        if not cited.numbers or len(quantities) > NUMBERS_MAX:
            return
        for index, verdict in enumerate(verdicts):
            spelled = spelled_out(index, quantities, text, lambda i: verdicts[i].operand) if _open(verdict) else None
            if spelled is not None:
                self._settle(verdict, [spelled[0]], scope)
                for constant in spelled[1] if verdict.state == "bound" else ():
                    verdicts[constant].state = "free"

        def in_words(verdict: Verdict) -> Iterator[Result]:
            others = [v.operand for v in verdicts if v.operand is not None and v is not verdict] or list(self._before)
            yield from in_sentence(verdict.quantity, verdict.said, text, others)
            yield from by_rate(verdict.quantity, others, cited.numbers)

        ways: tuple[Callable[[Verdict], Iterator[Result]], ...] = (
            lambda verdict: self._by_formula(verdict, text, cited),
            lambda verdict: self._by_row(verdict, text, verdicts, cited),
            in_words,
        )
        for way in ways:
            for verdict in filter(_open, verdicts):
                self._settle(verdict, way(verdict), scope)

    def _settle(self, verdict: Verdict, results: Iterable[Result], scope: Scope) -> None:
        for result in results:
            for reading in readings_of(verdict.quantity, scope, self._asked):
                fits = gives(result, reading, verdict.said)
                if fits is None:
                    verdict.nearest = f"the other direction: {result.formula} gives {result.value:.4g}"
                if fits:
                    verdict.state, verdict.nearest = "bound", ""
                    verdict.citation = result.inputs[0].evidence_id if result.inputs else None
                    verdict.calculation = result.calculation(verdict.quantity)
                    verdict.warning = AS_POINTS if result.points else ""
                    said, start = verdict.said, verdict.quantity.start
                    year = said.period.year if said.period else None
                    verdict.operand = Operand(
                        result.value,
                        verdict.quantity.unit,
                        result.formula,
                        result.inputs,
                        start,
                        said,
                        year,
                        written=reading.value,
                    )
                    return

    def _by_formula(self, verdict: Verdict, text: str, cited: Cited) -> Iterator[Result]:
        """A formula that the text or the task names, in the figure's period; its change where two are stated."""
        formulas, unit = self._formulas(), verdict.quantity.unit
        for formula in formulas.named(text) or formulas.named(self._question):
            percent = unit in ("percent", "points", "bps")
            yield from formulas.results(formula, cited.rows, self._own(verdict), percent=percent)
            stated = [p for p in find_periods(text) if p.year]
            if len(stated) != 2 or not verdict.said.direction:
                continue
            first, last = sorted(stated, key=lambda p: p.year or 0)
            two = [formulas.results(formula, cited.rows, self._in(p), percent=percent) for p in (first, last)]
            for before, now in zip(*two, strict=False):
                yield from change_of(before, now, unit)

    def _in(self, period: Period) -> Callable[[Held], bool]:
        return lambda held: self._binder.in_period(period, held)

    def _own(self, verdict: Verdict) -> Callable[[Held], bool]:
        """Tells the cells of the figure's period: its own, else the task's, else the latest of the row."""
        period = verdict.said.period

        def own(held: Held) -> bool:
            if period is not None:
                return self._binder.in_period(period, held)
            asked = max((p for p in self._asked.periods if p.year), key=lambda p: p.year or 0, default=None)
            if asked is not None:
                return self._binder.in_period(asked, held)
            table = held.source.passage.table if held.source else None
            years = [y for c in table.cells for h in c.header for y in years_named(h.text)] if table else []
            return bool(held.periods) and held.periods[0].year == max(years, default=None)

        return own

    def _by_row(self, verdict: Verdict, text: str, verdicts: Sequence[Verdict], cited: Cited) -> Iterator[Result]:
        beside_it = [
            v.operand.held.source.id
            for v in verdicts
            if v.operand and v.operand.held and v.operand.held.source and v.said.clause == verdict.said.clause
        ]
        rows = [cells for cells in cited.rows if cells[0].source and cells[0].source.id in beside_it]
        if not rows:
            words = verdict.said.words or stems(text)
            ranked = sorted(cited.rows, key=lambda cells: -named_by(words, cells[0]))
            scores = [named_by(words, cells[0]) for cells in ranked[:2]]
            rows = ranked[:1] if len(scores) == 1 or (scores and scores[0] > scores[1]) else []
        yield from share_of_rows(verdict.quantity, verdict.said, text, cited.rows, self._own(verdict))
        for cells in rows[:1]:
            own = self._own(verdict)
            level = next((v.operand.held for v in verdicts if v.operand and v.operand.held in cells), None)
            if level is not None and level.periods and (verdict.said.period is None or own(level)):
                own = _of_periods(level.periods)
            yield from along_row(verdict.quantity, verdict.said, text, cells, own)

    # --- what would bind it

    def _nearest(self, verdict: Verdict, scope: Scope, cited: Cited) -> str:
        """What would bind a figure: its own objection, elsewhere the same amount, else the closest that is cited."""
        quantity = verdict.quantity
        count = quantity.kind == "number" and quantity.unit is None and 0 < quantity.value <= _COUNT_MAX
        hint = "; a count of things named here is better written as a word" if count else ""
        if verdict.nearest:
            return f"{verdict.nearest}{hint}"
        if self._seen is None:
            self._seen = Shelf(held for read in self._everything() for held in self._numbers(read))
        if quantity.kind in AMOUNT_KINDS:
            elsewhere = [h for h in self._seen.near(quantity) if h.citation not in cited.ids]
            found = self._binder.bind([quantity], verdict.said, elsewhere, alone=True)
            if isinstance(found, Bound):
                return f"cite {described(found.held)}{hint}"
        if not cited.numbers:
            return f"a citation of a passage, calculation or fact that holds it{hint}"
        closest = min(cited.numbers, key=lambda h: abs(abs(h.amount.scaled) - abs(quantity.value)))
        return f"closest cited: {described(closest)}{hint}"


def _numbers_item(quantity: Quantity, text: str) -> bool:
    """Whether a small number only counts items in running text: "(1) this and (2) that"."""
    bracketed = text[max(0, quantity.start - 1) : quantity.end + 1]
    return _ITEM.fullmatch(bracketed) is not None and "(1)" in text and "(2)" in text


def _refers(quantity: Quantity, text: str) -> bool:
    """Whether a number names a place: "page 60", "Note 4"."""
    return _REFERENCE.search(text[max(0, quantity.start - 16) : quantity.start]) is not None


def _open(verdict: Verdict) -> bool:
    return verdict.state in ("unsourced", "mismatch") and verdict.quantity.kind in AMOUNT_KINDS


def _of_periods(periods: Sequence[Period]) -> Callable[[Held], bool]:
    return lambda held: held.periods == periods


def _line_around(quantity: Quantity, text: str) -> str:
    """The line of a block quotation that holds a figure, without its mark."""
    start, end = text.rfind("\n", 0, quantity.start) + 1, text.find("\n", quantity.start)
    return unescaped(text[start : end if end >= 0 else len(text)].lstrip("> \t"))


def _sentence(text: str) -> str:
    """A sentence without its full stop, empty when it is too short to be a quotation."""
    words = text.strip().rstrip(".。 ").strip()
    return words if len(words.split()) >= _QUOTED_WORDS_MIN else ""


_WHOLE_DAY = len("2023-01-28")


def _dated(written: Period, known: Sequence[Period], years: Iterable[int]) -> bool:
    """Equal at the written precision: "March 2023" is met by 3 March 2023, a year by any period of it."""
    day = written.end_date
    if day is not None and (written.kind == "date" or len(day) == _WHOLE_DAY):  # "twelve months ended 28 January 2023"
        return any(p.end_date is not None and p.end_date.startswith(day) for p in known)
    return written.year is not None and written.year in years
