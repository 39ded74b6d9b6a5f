"""Owns answers to "which one is the most": a quantity over named alternatives, or the rows of one table.

Never: a winner among rows whose values, periods or units are not all stated alike.
"""

from __future__ import annotations

import re
from decimal import Decimal

import msgspec

from counterfoil.core.evidence.facts import FactDraft
from counterfoil.researcher import compose
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.binding import Candidate, on_primary_statement
from counterfoil.researcher.calendar import Calendar, calendar, holds
from counterfoil.researcher.compute import Answer, Wish, answer
from counterfoil.researcher.draft import Cell as Place
from counterfoil.researcher.draft import Draft, binder, reported
from counterfoil.researcher.grammar import number
from counterfoil.researcher.labels import label_words
from counterfoil.researcher.memory import Cell, Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Column, Period, column
from counterfoil.researcher.subjects import same
from counterfoil.researcher.targets import Target, of_mention
from counterfoil.researcher.words import NEUTRAL, fold, stem, words

_MOST = re.compile(r"\b(?:most|largest|biggest|highest|greatest|best|top|fastest)\b")
_LEAST = re.compile(r"\b(?:least|lowest|smallest|worst|slowest|dragged down)\b")
_CHANGED = re.compile(r"\bgr[eo]w|growth|drop|decline|decrease|increase|change|fell|rise|rose|improv|perform|dragged")
_TOTAL = re.compile(r"\btotals?\b|\bconsolidated\b|\bgesamt\b|合计|合計")
_ROWS_MIN = 3
_RELEVANT = 0.5


def draft_extreme(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Place) -> Draft | None:
    """Name the extreme of the alternatives in the question, else of a table that lists such things, else None."""
    return _among_named(ask, memory, lexicon, cell) or _among_rows(ask, memory, lexicon, cell)


def _upwards(ask: Ask) -> bool:
    text = fold(ask.plain)
    falling = ask.direction < 0
    most = _MOST.search(text)
    least = _LEAST.search(text)
    if most and least:  # "the most (or lost the least)": the first one is what is asked
        return most.start() < least.start()
    return (most is not None) != falling if most or least else not falling


def _among_named(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Place) -> Draft | None:
    named = [m for m in lexicon.metrics(_spread(ask.plain)) if m.kind == "term"]
    if len(named) < 2:
        return None
    targets: dict[str, Target] = {m.name: of_mention(m, lexicon) for m in named}
    statements = {lexicon.terms[name].statements[:1] for name in targets}
    if len(targets) < 2 or len(statements) != 1:
        return None
    period = reported(ask, memory)
    gate = binder(msgspec.structs.replace(ask, qualifiers=()), memory, lexicon)
    found = []
    for target in targets.values():
        value = answer(
            msgspec.structs.replace(target, cash=False), period, gate, lexicon, Wish(ask.unit, ask.scale), "C1"
        )
        if not isinstance(value, Answer):
            return None
        found.append(value)
    pick = max if _upwards(ask) else min
    best = pick(found, key=lambda a: a.exact)
    shown = compose.quantity(best.text, best.unit)
    head = f"**{best.target.label}: {shown}** — {compose.about(ask.subject, '', period)} {compose.mark(best)}"
    others = [
        f"- {a.target.label}: {compose.quantity(a.text, a.unit)} {compose.mark(a)}" for a in found if a is not best
    ]
    lines = [head, "", *others, "", *compose.rows([c for a in found for _, c in a.cells])]
    return Draft("\n".join(lines).strip(), [compose.fact(cell.row, cell.field, best)])


def _spread(text: str) -> str:
    """Return the list of alternatives: "operations, investing, and financing activities" names three."""
    match = re.search(
        r"((?:\w+,\s+)+(?:and\s+|or\s+)?\w+)\s+(activities|expenses?|income|assets|liabilities)\b", text, re.IGNORECASE
    )
    if match is None:
        return ""
    parts = [part for part in re.split(r",\s*(?:and\s+|or\s+)?", match.group(1)) if part]
    named = [f"{re.sub('operations', 'operating', part, flags=re.IGNORECASE)} {match.group(2)}" for part in parts]
    return ", ".join(named)


def _among_rows(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Place) -> Draft | None:
    period = reported(ask, memory)
    if period is None:
        return None
    tables: dict[tuple[str, int, str], list[Passage]] = {}
    for passage in memory.passages:
        if passage.cells and (
            ask.subject is None or same(ask.subject, passage.page.subject, passage.page.title, passage.page.url)
        ):
            tables.setdefault((passage.page.handle, passage.page.segment, passage.table), []).append(passage)
    scored = sorted(((_relevance(ask, rows, lexicon), rows) for rows in tables.values()), key=lambda t: -t[0])
    for relevance, rows in scored:
        if relevance < _RELEVANT:
            break
        if on_primary_statement(rows[0], lexicon):
            continue  # its rows add up; they are no alternatives
        found = _column_of(ask, rows, period)
        if len(found) >= _ROWS_MIN:
            return _winner(ask, found, period, cell)
    return None


def _relevance(ask: Ask, rows: list[Passage], lexicon: Lexicon) -> float:
    beside = set(words(" ".join({f"{r.table} {r.heading} {r.section}" for r in rows})))
    wanted = [w for w in ask.words if w not in NEUTRAL and w not in _IGNORED]
    if not wanted:
        return 0.0
    groups = {w: {w, *_same(w, lexicon)} for w in wanted}
    return sum(1 for group in groups.values() if group & beside) / len(wanted)


_IGNORED = frozenset(
    stem(w)
    for w in [
        "biggest",
        "largest",
        "most",
        "least",
        "highest",
        "lowest",
        "smallest",
        "worst",
        "best",
        "drop",
        "year",
        "yoy",
        "percentage",
        "basis",
        "perform",
        "performed",
        "grew",
        "growth",
        "top",
        "line",
        "market",
        "brought",
    ]
)


def _same(word: str, lexicon: Lexicon) -> set[str]:
    found: set[str] = set()
    for group in lexicon.vocabulary.synonyms:
        stems = [words(item) for item in group]
        if [word] in stems:
            found.update(w for item in stems for w in item)
    return found


def _column_of(ask: Ask, rows: list[Passage], period: Period) -> list[Candidate]:
    """Return one cell for each row that is no total: the change column when a change is asked, else the amount."""
    headers = [cell.header for row in rows for cell in row.cells]
    cal = calendar(rows[0].page.period, headers, [])
    wants_change = _CHANGED.search(fold(ask.plain)) is not None
    found: list[Candidate] = []
    for row in rows:
        if _TOTAL.search(fold(row.label)) or not label_words(row.label):
            continue
        chosen = _chosen(row, period, cal, change=wants_change)
        if chosen is None:
            continue
        value = number(chosen.value)
        if value is not None:
            found.append(Candidate(row, chosen, value, Decimal(chosen.multiplier or 1), ()))
    units = {(r.cell.unit, r.cell.multiplier) for r in found}
    columns = {r.cell.header for r in found}
    return found if len(units) == 1 and len(columns) == 1 else []


def _chosen(row: Passage, period: Period, cal: Calendar, *, change: bool) -> Cell | None:
    fitting = [c for c in row.cells if _holds(column(c.header), c, period, cal, change=change)]
    return fitting[0] if len(fitting) == 1 else None


def _holds(col: Column, cell: Cell, period: Period, cal: Calendar, *, change: bool) -> bool:
    if change:
        span = "quarter" if period.quarter else "year"
        return col.change and cell.unit == "percent" and col.span in (span, "unknown")
    return holds(col, period, cal, instant=False)


def _winner(ask: Ask, found: list[Candidate], period: Period, cell: Place) -> Draft | None:
    pick = max if _upwards(ask) else min
    best = pick(found, key=lambda r: r.value)
    if sum(1 for r in found if r.value == best.value) > 1:
        return None
    sign = " %" if best.cell.unit == "percent" and "%" not in best.cell.value else ""
    place = f"{'highest' if pick is max else 'lowest'} of the rows compared"
    label, value = compose.inline(best.passage.label), compose.inline(best.cell.value)
    head = f"**{label}** — {value}{sign}, {place}, {period.text} [{best.passage.id}]"
    lines = [head, ""]
    for row in found:
        lines += [*compose.quotation(row, [row.cell.header]), ""]
    return Draft("\n".join(lines).strip(), [_fact(best, period, cell)])


def _fact(best: Candidate, period: Period, cell: Place) -> FactDraft:
    return FactDraft(
        row=cell.row,
        field=cell.field,
        value=best.passage.label,
        period=period.text,
        evidence_id=best.passage.id,
        quote=compose.quoted_verbatim(best.passage),
    )
