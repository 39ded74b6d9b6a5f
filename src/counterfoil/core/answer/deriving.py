"""Owns binding what no cited number is by calculation: from formula, row, sentence, passage or the times it names.

Never: binding a figure as written (see ``judging``), or what makes a calculation named (see ``derived``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from counterfoil.core.answer.asked import Asked
from counterfoil.core.answer.beside import AMOUNT_KINDS, NUMBERS_MAX
from counterfoil.core.answer.binding import Binder
from counterfoil.core.answer.cited import Cited
from counterfoil.core.answer.compared import along_passage
from counterfoil.core.answer.derived import (
    along_row,
    by_rate,
    change_of,
    changes,
    in_sentence,
    named_by,
    share_of_rows,
    spelled_out,
)
from counterfoil.core.answer.formulas import Formulas
from counterfoil.core.answer.held import Held
from counterfoil.core.answer.operands import Operand, Result, gives, operand_of
from counterfoil.core.answer.readings import readings_of
from counterfoil.core.answer.scopes import Scope
from counterfoil.core.answer.spans import Moment, moment_of, span_between
from counterfoil.core.answer.verdict import Verdict
from counterfoil.core.text.periods import Period, find_periods, stated_span, years_named
from counterfoil.core.text.quantities import Quantity
from counterfoil.core.text.stems import stems
from counterfoil.core.text.vocabulary import Vocabulary

AS_POINTS = "PERCENT_AS_POINTS"


class Deriver:
    """Derives figures of one answer from those that are bound."""

    def __init__(self, asked: Asked, question: str, binder: Binder, vocabulary: Vocabulary) -> None:
        self._asked, self._question, self._binder, self._vocabulary = asked, question, binder, vocabulary

    @cached_property
    def _formulas(self) -> Formulas:
        return Formulas(self._vocabulary, self._question)

    def derive(
        self, verdicts: list[Verdict], quantities: Sequence[Quantity], text: str, scope: Scope, cited: Cited,
        before: Sequence[Operand],
    ) -> None:  # fmt: skip
        """Bind what is left by calculation, from the surest kind to the last; each may rest on the ones before."""
        if not (cited.numbers or cited.dates or cited.clocks) or len(quantities) > NUMBERS_MAX:
            return
        self._spell(verdicts, quantities, text, scope)

        def in_words(verdict: Verdict) -> Iterator[Result]:
            others = [v.operand for v in verdicts if v.operand is not None and v is not verdict] or list(before)
            yield from in_sentence(verdict.quantity, verdict.said, text, others)
            yield from by_rate(verdict.quantity, others, cited.numbers)

        ways: tuple[Callable[[Verdict], Iterator[Result]], ...] = (
            lambda verdict: self._by_formula(verdict, text, cited),
            lambda verdict: self._by_row(verdict, text, verdicts, cited),
            in_words,
            lambda verdict: along_passage(verdict.quantity, verdict.said, text, _operands(verdicts), cited.numbers),
            lambda verdict: span_between(verdict.quantity, verdict.said, text, moments_of(verdicts)),
        )
        for way in ways:
            for verdict in filter(_open, verdicts):
                self._settle(verdict, way(verdict), scope)
        _say_again(verdicts)
        self._spell(verdicts, quantities, text, scope)

    def _spell(self, verdicts: list[Verdict], quantities: Sequence[Quantity], text: str, scope: Scope) -> None:
        """Bind the results of arithmetic that is written out; its constants are free."""
        for index, verdict in enumerate(verdicts):
            spelled = spelled_out(index, quantities, text, lambda i: verdicts[i].operand) if _open(verdict) else None
            if spelled is not None:
                self._settle(verdict, [spelled[0]], scope)
                for constant in spelled[1] if verdict.state == "bound" else ():
                    verdicts[constant].state = "free"

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
        formulas, unit = self._formulas, verdict.quantity.unit
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
        span = stated_span(text)
        for cells in rows[:1]:
            if span and verdict.said.direction:
                ends = [[c for c in cells if c.periods and self._binder.in_period(p, c)] for p in span]
                if len(ends[0]) == len(ends[1]) == 1 and ends[0] != ends[1]:
                    before, now = operand_of("before", ends[0][0]), operand_of("now", ends[1][0])
                    yield from changes(verdict.quantity, before, now)
                    continue
            own = self._own(verdict)
            level = next((v.operand.held for v in verdicts if v.operand and v.operand.held in cells), None)
            if level is not None and level.periods and (verdict.said.period is None or own(level)):
                own = _of_periods(level.periods)
            yield from along_row(verdict.quantity, verdict.said, text, cells, own)


def _open(verdict: Verdict) -> bool:
    return verdict.state in ("unsourced", "mismatch") and verdict.quantity.kind in AMOUNT_KINDS


def _of_periods(periods: Sequence[Period]) -> Callable[[Held], bool]:
    return lambda held: held.periods == periods


def _say_again(verdicts: Sequence[Verdict]) -> None:
    """A derived figure that the sentence says again, as "$10 cheaper, $120 a year (12 × $10)" does, is the same."""
    derived = [v for v in verdicts if v.state == "bound" and v.calculation is not None]
    for verdict in filter(_open, verdicts):
        own = verdict.quantity
        same = (d for d in derived if (d.quantity.value, d.quantity.unit) == (own.value, own.unit))
        if (first := next(same, None)) is not None:
            verdict.state, verdict.nearest = "bound", ""
            verdict.citation, verdict.calculation, verdict.operand = first.citation, first.calculation, first.operand


def _operands(verdicts: Sequence[Verdict]) -> list[Operand]:
    return [v.operand for v in verdicts if v.operand is not None]


def moments_of(verdicts: Sequence[Verdict]) -> list[Moment]:
    """The times, dates and years of a sentence that hold."""
    found = (moment_of(v.quantity, v.citation) for v in verdicts if v.state in ("bound", "free"))
    return [moment for moment in found if moment is not None]
