"""Owns what has to be looked up for a question: terms, statements, queries, and the order to read results in.

Never: the Host's ranking; this only arranges what the searches returned.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.expressions import operands, parse
from counterfoil.researcher.memory import Hit, Memory
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import asked
from counterfoil.researcher.subjects import same
from counterfoil.researcher.words import contains, words

_LABELS_IN_QUERY = 3
_SEARCHES_MAX = 3


class Need(msgspec.Struct, frozen=True):
    """A statement that holds terms which the question needs."""

    statement: str
    terms: tuple[str, ...]


def terms_of(ask: Ask, lexicon: Lexicon, *, every: bool = False) -> list[Term]:
    """Return the terms that the question's best target is made of (``every``: those of all targets)."""
    found: list[Term] = []
    for target in ask.targets if every else ask.targets[:1]:
        for operand in operands(target.node, ask.period):
            if operand.name in lexicon.terms:
                found.append(lexicon.terms[operand.name])
            elif operand.name in lexicon.formulas:
                inner = operands(parse(lexicon.formulas[operand.name].expression), None)
                found.extend(lexicon.terms[o.name] for o in inner if o.name in lexicon.terms)
    return list({term.name: term for term in found}.values())


def needs(ask: Ask, lexicon: Lexicon) -> list[Need]:
    """Group the terms by the statement that holds them, the one with most terms first."""
    groups: dict[str, list[str]] = {}
    for term in terms_of(ask, lexicon):
        statement = next(
            (s for s in term.statements if s in ask.statements), term.statements[0] if term.statements else ""
        )
        groups.setdefault(statement, []).append(term.name)
    return [Need(name, tuple(terms)) for name, terms in sorted(groups.items(), key=lambda g: -len(g[1]))]


def queries(ask: Ask, lexicon: Lexicon) -> list[str]:
    """Return the searches to make first: the question itself, then one for each statement it needs."""
    found = [ask.plain]
    if ask.kind == "text":
        return found
    when = " ".join(dict.fromkeys(p.text for p in ask.periods[-2:]))
    for need in needs(ask, lexicon)[: _SEARCHES_MAX - 1]:
        labels = [
            label
            for name in need.terms
            for label in lexicon.terms[name].labels[: max(1, _LABELS_IN_QUERY - len(need.terms) + 1)]
        ]
        known = lexicon.statements.get(need.statement)
        title = known.titles[0] if known else ""
        found.append(" ".join(part for part in (ask.subject or "", when, title, ", ".join(labels[:4])) if part))
    return found


def order(ask: Ask, memory: Memory, lexicon: Lexicon) -> list[Hit]:
    """Arrange every hit not yet read, the most promising first; each statement needed gets its best page early."""
    hits = [h for h in memory.hits() if (h.handle, h.segment) not in memory.tried]
    base: dict[tuple[str, int], float] = {}
    for search in memory.searches:
        for rank, hit in enumerate(search.hits):
            key = (hit.handle, hit.segment)
            base[key] = base.get(key, 0.0) + 1.0 / (3 + rank)
    weight = {(h.handle, h.segment): base[h.handle, h.segment] * _fit(ask, h) for h in hits}
    ranked = sorted(hits, key=lambda h: -weight[h.handle, h.segment])
    if ask.kind == "text":
        return ranked
    first: list[Hit] = []
    for need in needs(ask, lexicon):
        best = next((h for h in ranked if h not in first and _shows(h, need.statement, lexicon)), None)
        if best is not None and weight[best.handle, best.segment] > 0.3 * weight[ranked[0].handle, ranked[0].segment]:
            first.append(best)
    return first + [h for h in ranked if h not in first]


def _fit(ask: Ask, hit: Hit) -> float:
    """Weigh a hit by its document: the company asked about, and the period asked about or the one after."""
    factor = 1.0
    if ask.subject and (hit.subject or hit.title):
        factor *= 1.6 if same(ask.subject, hit.subject, hit.title, hit.url) else 0.6
    wanted, has = ask.period, asked(hit.period)
    if wanted is not None and has:
        distance = has[0].year - wanted.year
        factor *= 1.5 if distance == 0 else (1.1 if distance in (1, -1) else 0.6)
        if wanted.quarter and has[0].quarter and wanted.quarter != has[0].quarter:
            factor *= 0.7
    return factor


def _shows(hit: Hit, statement: str, lexicon: Lexicon) -> bool:
    known = lexicon.statements.get(statement)
    if known is None:
        return False
    have = words(f"{hit.heading} {hit.snippet}")
    return any(contains(have, words(title)) for title in known.titles)
