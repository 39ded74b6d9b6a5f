"""Owns the judgement on the figures of one scope: free, bound as written, or derived from figures that are bound.

Never: Markdown (see ``scopes``), or what makes a single binding hold (see ``binding``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from counterfoil.core.answer.asked import Asked
from counterfoil.core.answer.beside import AMOUNT_KINDS, NUMBERS_MAX, Beside, beside, beside_spelled
from counterfoil.core.answer.binding import Binder, Bound
from counterfoil.core.answer.cited import Cited
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.deriving import Deriver, moments_of
from counterfoil.core.answer.fiscal import Calendars
from counterfoil.core.answer.held import Held, Shelf, described, of_cited, of_evidence
from counterfoil.core.answer.movement import check_moves, check_order, check_ranks
from counterfoil.core.answer.nouns import Terms, better, terms_of
from counterfoil.core.answer.operands import Operand, operand_of
from counterfoil.core.answer.readings import beside_cells, readings_of
from counterfoil.core.answer.scopes import Scope
from counterfoil.core.answer.spans import Moment, span_stated
from counterfoil.core.answer.verdict import Verdict
from counterfoil.core.evidence.facts import Calculation, Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.clocks import clock_of, clocks_in
from counterfoil.core.text.folding import loosely_folded, spelled_out_in, words_stand_in
from counterfoil.core.text.marks import find_marks, unescaped, without_marks
from counterfoil.core.text.measures import dimension
from counterfoil.core.text.periods import Period, find_periods
from counterfoil.core.text.quantities import DecimalMark, Quantity, find_quantities
from counterfoil.core.text.spelled import find_spelled
from counterfoil.core.text.stems import stems
from counterfoil.core.text.vocabulary import Vocabulary

_REFERENCE = re.compile(
    r"(?:\b(?:pages?|pp?\.|notes?|items?|sections?|tables?|figures?|charts?|chapters?|steps?"
    r"|parts?|exhibits?|appendix|no\.|nr\."
    r"|seite|tabelle|abschnitt|kapitel|anhang|option|scenario|phase|level|tier)\s?|§\s?|#|№\s?)$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\(\d{1,2}\)")
_NOUN = re.compile(r"\s+([^\W\d_]{3,})")
_ORDINAL = re.compile(r"(?<!\w)(\d{1,4})(?:st|nd|rd|th|er|e|ème|º|ª|\.)(?!\w)")
_COUNT_MAX = 12
_YEAR_DIGITS, _OLD_YEARS = 4, (1000, 1899)
_QUOTED_WORDS_MIN = 6
_OTHER_SPAN = "the times that the sentence names are another span apart"


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
        self._rows_read: tuple[Held, ...] | None = None
        self._before: tuple[Operand, ...] = ()  # the figures of the sentence before, for "a drop of 2.2 points"
        calendars = Calendars(everything, self._asked.years)
        self._binder = Binder(calendars, self._terms, self._rows, self._asked.periods)
        self._deriver = Deriver(self._asked, self._question, self._binder, vocabulary)

    def judge(self, scope: Scope, ids: tuple[str, ...], mark: DecimalMark | None) -> list[Verdict]:
        """The verdicts on the figures of ``scope``, which the passages ``ids`` cover."""
        text = without_marks(scope.text)
        if not any(c.isdecimal() for c in text) and not find_spelled(text):
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
        self._deriver.derive(verdicts, quantities, self._question if bare else text, scope, cited, self._before)
        if len(verdicts) <= NUMBERS_MAX:
            check_moves(verdicts, cited)
            check_ranks(verdicts, text)
            check_order(verdicts, text)
        verdicts = sorted(
            [*verdicts, *self._spelled(text, quantities, cited, moments_of(verdicts))], key=lambda v: v.quantity.start
        )
        self._before = tuple(v.operand for v in verdicts if v.operand) if scope.kind == "sentence" else ()
        for verdict in verdicts:
            if verdict.state in ("unsourced", "mismatch"):
                verdict.nearest = self._nearest(verdict, scope, cited)
        return verdicts

    def _spelled(
        self, text: str, quantities: Sequence[Quantity], cited: Cited, moments: Sequence[Moment]
    ) -> Iterator[Verdict]:
        """Lengths of time in words: bound, or another length than what their words name; the rest only tell a story."""
        for quantity, said in beside_spelled(text, quantities):
            if self._asked.names(quantity):
                continue
            stated = span_stated(quantity, text, moments)
            if stated is not None:
                yield Verdict(quantity, said, "bound" if stated else "mismatch", nearest="" if stated else _OTHER_SPAN)
                continue
            found = self._binder.bind([quantity], said, cited.numbers)
            again = any(q.value == quantity.value and q.unit is None for q in quantities)  # "ten days (10 × $0.25)"
            if isinstance(found, Bound):
                yield Verdict(quantity, said, "bound", found.held.citation)
            elif not again and any(
                dimension(h.amount.unit) == dimension(quantity.unit) and said.words & h.words for h in cited.numbers
            ):
                yield Verdict(quantity, said, "mismatch", None, found.why)

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
        elif quantity.kind == "ordinal" and _other_ordinal(quantity, text, cited):
            verdict.nearest = "another ordinal stands in what is cited"
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
        if known or words_stand_in(name, cited.folded) or self._occurs(name) or spelled_out_in(name, cited.folded):
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
            days = {p.end_date[-5:] for p in cited.periods if p.end_date and _HAS_DAY.search(p.end_date)}
            own = written[0].end_date if written else None
            if own is None or not days or not _HAS_DAY.search(own):
                verdict.state = "free"  # a period whose year its neighbours give
            elif own[-5:] in days or own[-5:] in {(p.end_date or "")[-5:] for p in self._asked.periods}:
                verdict.state, verdict.citation = "bound", cited.ids[0]
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
        if _old_year(quantity) in cited.years:
            verdict.state, verdict.citation, verdict.nearest = "bound", cited.ids[0] if cited.ids else None, ""
            return
        bare = quantity.kind == "number" and quantity.unit is None and quantity.multiplier == 1
        if scope.kind == "heading" and bare:
            verdict.state = "free"

    # --- what would bind it

    def _nearest(self, verdict: Verdict, scope: Scope, cited: Cited) -> str:
        """What would bind a figure: its own objection, elsewhere the same amount, else the closest that is cited."""
        quantity = verdict.quantity
        count = quantity.kind == "number" and quantity.unit is None and 0 < quantity.value <= _COUNT_MAX
        hint = "; a count of things named here is better written as a word" if count else ""
        if verdict.nearest:
            return f"{verdict.nearest}{hint}"
        if self._seen is None:
            self._seen = Shelf(self._everything(), self._numbers)
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


def _other_ordinal(quantity: Quantity, text: str, cited: Cited) -> bool:
    """Whether the passages name other ordinals of the same thing: "the 38th minute" of goals in the 12th and 34th."""
    noun = _NOUN.match(text, quantity.end)
    if noun is None or quantity.value <= _COUNT_MAX or not cited.read:
        return False
    whole = "\n".join(e.passage.text for e in cited.read)
    named = {int(m[1]) for m in _ORDINAL.finditer(whole)}
    numbers = {h.amount.value for h in cited.numbers}
    return bool(named) and bool(stems(noun[1]) & stems(whole)) and quantity.value not in named | numbers


def _old_year(quantity: Quantity) -> int | None:
    """The year that a bare number of a text may be; from 1900 on, years are told by themselves."""
    year = int(quantity.value) if quantity.text.isdecimal() and len(quantity.text) == _YEAR_DIGITS else 0
    return year if _OLD_YEARS[0] <= year <= _OLD_YEARS[1] else None


def _line_around(quantity: Quantity, text: str) -> str:
    """The line of a block quotation that holds a figure, without its mark."""
    start, end = text.rfind("\n", 0, quantity.start) + 1, text.find("\n", quantity.start)
    return unescaped(text[start : end if end >= 0 else len(text)].lstrip("> \t"))


def _sentence(text: str) -> str:
    """A sentence without its full stop, empty when it is too short to be a quotation."""
    words = text.strip().rstrip(".。 ").strip()
    return words if len(words.split()) >= _QUOTED_WORDS_MIN else ""


_WHOLE_DAY = len("2023-01-28")
_HAS_DAY = re.compile(r"-\d\d-\d\d$")


def _dated(written: Period, known: Sequence[Period], years: Iterable[int]) -> bool:
    """Equal at the written precision: "March 2023" is met by 3 March 2023, a year by any period of it."""
    day = written.end_date
    if day is not None and (written.kind == "date" or len(day) == _WHOLE_DAY):  # "twelve months ended 28 January 2023"
        return any(p.end_date is not None and p.end_date.startswith(day) for p in known)
    return written.year is not None and written.year in years
