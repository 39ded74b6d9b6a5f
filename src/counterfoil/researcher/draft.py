"""Owns the draft: what would be published from what was read so far, and what is still missing.

Never: tool calls (``offline`` makes them).
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.evidence.facts import Calculation, FactDraft
from counterfoil.researcher import compose
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.binding import DIFFER, UNSCALED, Binder, Candidate, Scope
from counterfoil.researcher.compute import Answer, Missing, Wish, answer, written
from counterfoil.researcher.disputes import disputed
from counterfoil.researcher.expressions import Operand
from counterfoil.researcher.labels import label_words
from counterfoil.researcher.memory import Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period, asked
from counterfoil.researcher.quotes import Quote, best, stating
from counterfoil.researcher.subjects import names_in, same
from counterfoil.researcher.words import contains, stem, words


class Draft(msgspec.Struct):
    """A publication in the making. ``missing`` are operands that another search or read might bring."""

    body: str
    facts: list[FactDraft] = []
    calculations: list[Calculation] = []
    gaps: list[Gap] = []
    missing: list[Operand] = []
    fallback: Draft | None = None  # words to answer with when nothing more can be read
    quotes: bool = False  # made of quotations only, any of which may stand first


class Cell(msgspec.Struct, frozen=True):
    """The cell of the contract that a plain question fills."""

    row: str = ""
    field: str = ""


def binder(ask: Ask, memory: Memory, lexicon: Lexicon) -> Binder:
    """Return the gate for the question's scope."""
    return Binder(memory, lexicon, Scope(ask.subject, ask.statements, further(ask, lexicon), label_words(ask.plain)))


_WORDS_OF_HOW = (
    "quarterly yearly annually grown became cagr compound usd eur gbp jpy cny euro dollar mio mrd tsd "
    "thousand million billion"
)
_SAYS_HOW = frozenset(stem(word) for word in _WORDS_OF_HOW.split())


def further(ask: Ask, lexicon: Lexicon) -> tuple[str, ...]:
    """Return what a row must be about beside its term: the words that nothing covers, and names ("United States").

    A word that only says that a part is meant ("segment"), or that makes another measure, is no such thing.
    """
    sections = [lexicon.statements[name] for name in ask.statements]
    dull = {w for s in sections if s.parts for phrase in s.phrases for w in words(phrase)}
    have = words(ask.plain)
    dull |= {w for base in lexicon.vocabulary.bases if contains(have, words(base)) for w in words(base)} | _SAYS_HOW
    found = [word for word in ask.qualifiers if word not in dull]
    for name in names_in(ask.plain, lexicon):
        run = words(name)
        about = ask.subject is not None and (same(name, ask.subject) or same(ask.subject, name))
        if not about and len(run) > 1 and not any(word in ask.qualifiers for word in run):
            found += run  # a name of plain words, which the question's reading took for filling
    return tuple(dict.fromkeys(found))


def reported(ask: Ask, memory: Memory) -> Period | None:
    """Return the period asked for, else the one that the best document reports on."""
    if ask.period is not None:
        return ask.period
    for page in memory.pages:
        if page.period and (ask.subject is None or same(ask.subject, page.subject, page.title, page.url)):
            named = asked(page.period)
            if named:
                return named[0]
    return None


def draft_value(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft:
    """Answer with one figure, or declare the gap and show the rows that came nearest."""
    if not ask.targets:
        return nothing(ask, memory, cell)
    gate = binder(ask, memory, lexicon)
    wish = Wish(ask.unit, ask.scale, ask.places)
    missed: list[Missing] = []
    for target in ask.targets:
        found = answer(target, ask.period, gate, lexicon, wish, "C1")
        if isinstance(found, Answer):
            return with_value(ask, found, cell)
        missed.append(found)
    plain = _as_written(ask, missed[0], cell) or _disputed_rows(ask, missed[0], wish, cell) if missed else None
    if plain is not None:
        return plain
    gap = _without(ask, missed, memory, cell)
    gap.fallback = said(ask, memory, lexicon, cell) if not any(b.near for m in missed for _, b in m.operands) else None
    return gap


def _as_written(ask: Ask, missed: Missing, cell: Cell) -> Draft | None:
    """Give a figure as it stands when only its scale is unstated and the question asks for none."""
    if missed.target.formula or ask.scale or ask.unit or len(missed.operands) != 1:
        return None
    binding = missed.operands[0][1]
    if binding.why != UNSCALED:
        return None
    found = binding.near[0]
    mark = f"[{found.passage.id}]"
    about = compose.about(ask.subject, missed.target.label, missed.period)
    head = f"**{compose.inline(found.cell.value)}** — {about}, as written, without a scale {mark}"
    fact = FactDraft(
        row=cell.row,
        field=cell.field,
        value=found.cell.value,
        evidence_id=found.passage.id,
        quote=compose.quoted_verbatim(found.passage),
        header=found.cell.header or None,
    )
    return Draft("\n".join([head, "", *compose.rows([found])]).strip(), [fact])


def with_value(ask: Ask, found: Answer, cell: Cell) -> Draft:
    """Write an answer with one value: the value, how it was computed, the rows it rests on."""
    part = ask.qualifiers and found.calculation is None  # then the row says best what was taken
    row = " ".join(found.cells[0][1].passage.label.split())
    label = found.target.label
    if part and row != label:
        label = f"{label} ({row})"
    lines = [compose.headline(found, ask.subject, label), ""]
    for note in (compose.exact_note(found), compose.year_note(found)):
        lines += [note, ""] if note else []
    lines += compose.calculation(found)
    lines += compose.rows([c for _, c in found.cells])
    made = [found.calculation] if found.calculation else []
    return Draft("\n".join(lines).strip(), [compose.fact(cell.row, cell.field, found)], made)


def _without(ask: Ask, missed: list[Missing], memory: Memory, cell: Cell) -> Draft:
    first = missed[0]
    near: list[Candidate] = [c for _, binding in first.operands for c in binding.near]
    parts = [
        f"{operand.name}{f' {operand.period.text}' if operand.period else ''}: {binding.why}"
        for operand, binding in first.operands
    ]
    why = "; ".join(parts) or first.why
    label = compose.about(ask.subject, first.target.label, ask.period)
    lines = [f"Not answered: {label}. {why}.", ""]
    if near:
        lines += ["The rows that came nearest, none of them taken as the answer:", "", *compose.rows(near)]
    missing = [operand for m in missed[:2] for operand, binding in m.operands if not binding.near]
    gap = compose.gap(cell.row, cell.field, why, memory.search_calls())
    return Draft("\n".join(lines).strip(), gaps=[gap], missing=list(dict.fromkeys(missing)))


def draft_text(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft:
    """Answer with the passages that say it, or declare the gap."""
    found = best(ask, memory, lexicon)
    if not found:
        return nothing(ask, memory, cell)
    told = disagreement(ask, memory, found[0].passage, cell)
    if told is not None:
        return told
    if found[0].passage.kind == "row":
        lines = [*compose.quoted_row(found[0].passage, []), ""]
    else:
        lines = [f"“{compose.quoted(found[0].passage)}” [{found[0].passage.id}]", ""]
    for quote in found[1:]:
        if quote.passage.kind == "row":
            lines += [*compose.quoted_row(quote.passage, []), ""]
        else:
            lines += [f"> “{compose.quoted(quote.passage)}” [{quote.passage.id}]", ""]
    lines.append(_whence(found))
    return Draft("\n".join(lines).strip(), [text_fact(cell, found[0].passage)], quotes=True)


def disagreement(ask: Ask, memory: Memory, first: Passage, cell: Cell) -> Draft | None:
    """Tell every figure that passages of equal standing give, each cited; None when they do not differ."""
    figures = disputed(ask, memory, first)
    if not figures:
        return None
    shown = [(figure, *figure.written) for figure in figures]
    each = "; ".join(f"**{compose.inline(compose.quantity(v, unit))}** [{f.passage.id}]" for f, v, unit in shown)
    passages = {f.passage.id: f.passage for f in figures}
    quotes = [f"> {compose.quoted(p)} [{p.id}]" for p in passages.values()]
    facts = [_differing(cell, f.passage, v, unit, ask.period) for f, v, unit in shown]
    return Draft("\n\n".join([f"What was read disagrees: {each}", *quotes]), facts)


def _differing(
    cell: Cell, passage: Passage, value: str, unit: str, period: Period | None, header: str | None = None
) -> FactDraft:
    return FactDraft(
        row=cell.row,
        field=cell.field,
        value=value,
        unit=unit or None,
        period=period.text if period else None,
        evidence_id=passage.id,
        quote=compose.quoted_verbatim(passage),
        header=header,
    )


def _disputed_rows(ask: Ask, missed: Missing, wish: Wish, cell: Cell) -> Draft | None:
    """Tell the value of every document when documents of equal standing differ on one looked-up row."""
    if missed.target.formula or len(missed.operands) != 1 or missed.operands[0][1].why != DIFFER:
        return None
    near = missed.operands[0][1].near
    handles = [c.passage.page.handle for c in near]
    amounts = {c.amount for c in near}
    if len(set(handles)) < 2 or len(set(handles)) != len(handles) or not all(c.scaled for c in near):
        return None  # one document with several rows says nothing clearly
    size = abs if missed.target.cash else Decimal  # a payment in brackets is asked for as its size
    shown = [(c, *written(size(c.amount), missed.target.kind, c, wish, as_is=size(c.value))) for c in near]
    if len({(v, unit) for _, v, unit in shown}) != len(amounts):
        return None  # they differ only by rounding
    about = compose.about(ask.subject, missed.target.label, missed.period)
    each = "; ".join(f"**{compose.quantity(v, unit)}** [{c.passage.id}]" for c, v, unit in shown)
    facts = [_differing(cell, c.passage, v, unit, missed.period, c.cell.header or None) for c, v, unit in shown]
    body = "\n".join([f"The documents disagree on {about}: {each}", "", *compose.rows(list(near))])
    return Draft(body.strip(), facts)


def said(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft | None:
    """Answer with the sentence that states the quantity for the period; None when no sentence names both."""
    if ask.scale or ask.unit:
        return None  # a figure was asked for in a measure of its own: a sentence nearby will not do
    target = ask.targets[0]
    term = lexicon.terms.get(target.sources[0]) if target.sources and not target.formula else None
    found = stating(ask, term, memory) if term is not None else None
    if found is None:
        return _quoted_part(ask, memory, lexicon, cell)
    told = disagreement(ask, memory, found, cell)
    if told is not None:
        return told
    body = f"“{compose.quoted(found)}” [{found.id}]"
    return Draft(body, [text_fact(cell, found)], quotes=True)


def _quoted_part(ask: Ask, memory: Memory, lexicon: Lexicon, cell: Cell) -> Draft | None:
    """Quote passages that hold every further word of the question ("outlook"); None when it has none."""
    if not ask.qualifiers:
        return None
    beside = {p.id: set(words(f"{p.text} {p.heading} {p.page.heading}")) for p in memory.passages}
    found = [q for q in best(ask, memory, lexicon) if set(ask.qualifiers) <= beside[q.passage.id]]
    if not found:
        return None
    body = "\n\n".join(f"“{compose.quoted(q.passage)}” [{q.passage.id}]" for q in found)
    return Draft(body, [text_fact(cell, found[0].passage)], quotes=True)


def _whence(found: list[Quote]) -> str:
    titles = dict.fromkeys(q.passage.page.title for q in found if q.passage.page.title)
    return (
        f"Quoted from: {compose.inline('; '.join(titles))}."
        if titles and not any(c.isdigit() for t in titles for c in t)
        else ""
    )


def text_fact(cell: Cell, passage: Passage) -> FactDraft:
    """Record a passage as what answers a cell in words."""
    text = compose.quoted_verbatim(passage)
    return FactDraft(row=cell.row, field=cell.field, value=text, evidence_id=passage.id, quote=text)


def nothing(ask: Ask, memory: Memory, cell: Cell) -> Draft:
    """Declare that nothing read answers the question."""
    why = "no passage that was read answers this"
    return Draft(f"Not found: {why}.", gaps=[compose.gap(cell.row, cell.field, why, memory.search_calls())])
