"""Owns disagreement between sentences: other passages that say the same with another figure.

Never: a sentence about another period, under another condition, or of another subject.
"""

from __future__ import annotations

import re

import msgspec

from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.quantities import Quantity, find_quantities, same_amount
from counterfoil.core.text.units import units_agree
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.grammar import grouped
from counterfoil.researcher.memory import Memory, Passage
from counterfoil.researcher.periods import asked, without_periods
from counterfoil.researcher.subjects import same
from counterfoil.researcher.words import fold, is_stop, words

_KINDS = frozenset({"money", "percent", "number"})
_FRAMING = frozenset(
    words("later same document page source here also however now currently facts notes text said says")
)
_FORMS = frozenset(words("ag gmbh inc corp corporation company co ltd plc llc group se sa nv limited holdings"))
_SCALES = {10**3: "thousands", 10**6: "millions", 10**9: "billions"}
_WORDS_MIN = 2


class Figure(msgspec.Struct, frozen=True):
    """The one figure of a sentence, with the words and periods that say what it is of."""

    passage: Passage
    amount: Quantity
    words: frozenset[str]
    periods: frozenset[tuple[int, int | None]]
    sentence: str

    @property
    def written(self) -> tuple[str, str]:
        """(value, unit): "1,200" employees, "18" USD, "12.5" USD millions."""
        scale = _SCALES.get(int(self.amount.multiplier), "")
        if not scale and self.amount.multiplier != 1:
            return self.amount.text.strip().rstrip(".,;"), ""
        value = grouped(self.amount.value / self.amount.multiplier, 6)
        if self.amount.kind == "number" and not scale:
            return value, re.sub(r"^[^A-Za-zÀ-ÿ]*", "", self.amount.text).rstrip(".,;")
        return value, f"{self.amount.unit or ''} {scale}".strip()


def disputed(ask: Ask, memory: Memory, first: Passage) -> list[Figure]:
    """The differing figures that sentences of equal words give, that of ``first`` in front; empty when all agree."""
    asked_words = set(ask.words)
    lead = next((f for f in _figures(first) if asked_words & f.words), None)
    if lead is None or first.cells:
        return []
    passages = [p for p in memory.passages if p.kind in ("text", "item")]
    kept = [lead]
    for figure in (f for p in passages for f in _figures(p)):
        if _alike(lead, figure, ask) and not any(_agree(figure.amount, other.amount) for other in kept):
            kept.append(figure)
    return kept if len(kept) > 1 else []


def _figures(passage: Passage) -> list[Figure]:
    found = []
    for low, high in sentences(passage.text, 0, len(passage.text)):
        sentence = passage.text[low:high]
        amounts = [q for q in find_quantities(sentence) if q.kind in _KINDS]
        if len(amounts) != 1:
            continue
        amount = amounts[0]
        named = re.sub(r"[\d.,]+", " ", amount.text) if amount.kind == "number" else ""  # "1,200 employees"
        rest = f"{sentence[: amount.start]} {named} {sentence[amount.end :]}"
        rest = re.sub(r"\[[^\[\]]{1,4}\]", " ", rest)
        have = frozenset(w for w in words(without_periods(rest)) if not is_stop(w) and w not in _FORMS)
        dates = frozenset((p.year, p.quarter) for p in asked(sentence))
        found.append(Figure(passage, amount, have, dates, sentence))
    return found


def _alike(lead: Figure, other: Figure, ask: Ask) -> bool:
    if lead.periods != other.periods or lead.amount.kind != other.amount.kind:
        return False
    if not units_agree(lead.amount.unit, other.amount.unit):
        return False
    if len(lead.words) < _WORDS_MIN or not (lead.words ^ other.words) <= _FRAMING:
        return False
    one, two = lead.passage.page, other.passage.page
    if ask.subject:
        return same(ask.subject, two.subject, two.title, two.url, fold(other.sentence))
    return one.handle == two.handle or (bool(one.title) and one.title == two.title)


def _agree(first: Quantity, second: Quantity) -> bool:
    return same_amount(first, second.value) or same_amount(second, first.value)
