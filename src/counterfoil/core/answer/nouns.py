"""Owns whether the words beside a figure name the number that it is bound to, or another one.

Never: counting words that both numbers have; only what tells them apart decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from counterfoil.core.answer.held import Held
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.measures import dimension
from counterfoil.core.text.stems import stems
from counterfoil.core.text.units import is_currency
from counterfoil.core.text.vocabulary import Vocabulary


def unit_class(unit: str | None) -> str | None:
    """What a unit counts: money, percent, a dimension; None when unknown."""
    if unit is None or unit in ("count", "per share"):
        return None
    if is_currency(unit):
        return "money"
    return "percent" if unit in ("percent", "points", "bps") else dimension(unit) or unit.rstrip("s")


class Terms:
    """The vocabulary's terms by their phrases and labels, in stems."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._phrases: list[tuple[frozenset[str], str, str]] = []
        self._labels: dict[frozenset[str], set[str]] = {}
        for term in vocabulary.terms:
            for phrase in (*term.phrases, *(label for label in term.labels if ">" not in label)):
                self._phrases.append((stems(phrase), f" {loosely_folded(phrase)} ", term.name))
            for label in term.labels:
                self._labels.setdefault(stems(label.rpartition(">")[2]), set()).add(term.name)

    def of_label(self, label: str) -> frozenset[str]:
        """The terms that a row's label names word for word."""
        return frozenset(self._labels.get(stems(label), ()))

    def in_words(self, text: str) -> frozenset[str]:
        """The terms that ``text`` names, by their longest phrases only."""
        words, folded = stems(text), loosely_folded(text)
        found = [(p, name) for own, p, name in self._phrases if own and own <= words and p.strip() in folded]
        longest = [(p, n) for p, n in found if not any(p.strip() in q.strip() and p != q for q, _ in found)]
        return frozenset(name for _, name in longest)


def better(words: frozenset[str], said: str, held: Held, rivals: Iterable[Held], terms: Terms) -> Held | None:
    """The rival that ``words`` beside a figure name better than the number it would be bound to, None without one."""
    if not words:
        return None
    named = terms.in_words(said)
    own_terms = _terms(held, terms)
    if named & own_terms:
        return None
    for rival in rivals:
        if rival.words == held.words or not rival.words:
            continue
        own, other = words & (held.words - rival.words), words & (rival.words - held.words)
        if named and own_terms and named & _terms(rival, terms):
            return rival
        if len(other) > len(own):
            return rival
        if not own and not other and held.is_row and rival.is_row and _closer(words, held, rival):
            return rival
    return None


def _terms(held: Held, terms: Terms) -> frozenset[str]:
    table = held.source.passage.table if held.source else None
    return terms.of_label(table.label.text) if held.is_row and table and table.label else frozenset()


def _closer(words: frozenset[str], held: Held, rival: Held) -> bool:
    """ "Revenue" is the row "Revenue", not "Cost of revenue": the words leave nothing of it unsaid."""
    return bool(rival.words & words) and rival.words <= words and not held.words <= words


def another(words: frozenset[str], said: str, held: Held, terms: Terms) -> bool:
    """Whether a figure is said to be a known thing that the row, which is another known thing, is not."""
    own = _terms(held, terms)
    named = terms.in_words(said) if own else frozenset()
    return bool(named) and not named & own and not words & held.words


def rows_beside(held: Held, rows: Sequence[Held]) -> tuple[Held, ...]:
    """The rows of the page of ``held`` that were read but not cited, one number of each."""
    if not held.is_row or held.source is None:
        return ()
    source = held.source
    return tuple(
        row
        for row in rows
        if row.source is not None
        and row.source.segment == source.segment
        and row.source.source.document.id == source.source.document.id
        and row.citation != held.citation
    )
