"""Owns questions that name several subjects: which ones, and which of their values is the higher one.

Never: a verdict over values that differ in unit, or of which one is missing.
"""

from __future__ import annotations

import itertools
import re

from counterfoil.core.text.quantities import amount_in
from counterfoil.core.text.units import units_agree
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.cells import CellAnswer
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.subjects import names_in
from counterfoil.researcher.words import fold

_EITHER = re.compile(r"\s*(?:,|,?\s*\bor\b|\bvs\.?|\bversus\b|\bthan\b|\boder\b|\bou\b)\s*$", re.IGNORECASE)
_BOTH = re.compile(r"\s*,?\s*(?:\band\b|&|\bund\b|\bet\b)\s*$", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:compar\w*|both|each|respectively|combined|differen\w+|between|higher|lower|larger|smaller|more|less|bigger"
    r"|total|sum|vergleich\w*|beide\w*|höher\w*)\b"
)
_HIGHER = re.compile(r"\b(?:higher|highest|larger|largest|bigger|more|most|greater|greatest|höher\w*|größer\w*)\b")
_LOWER = re.compile(r"\b(?:lower|lowest|smaller|smallest|less|least|fewer|niedriger\w*|geringer\w*)\b")


def subjects_compared(question: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The subjects that a question sets beside each other, in order; fewer than two names are none."""
    compares = _COMPARES.search(fold(question)) is not None
    parts: list[tuple[str, int, int]] = []
    for name in names_in(question, lexicon):
        start = question.find(name)
        pieces = re.split(r"\s+(?:and|&)\s+", name) if compares else [name]
        for piece in pieces:
            at = question.find(piece, max(start, 0))
            if at >= 0:
                parts.append((piece, at, at + len(piece)))
    parts.sort(key=lambda part: part[1])
    found: list[str] = []
    for before, after in itertools.pairwise(parts):
        between = question[before[2] : after[1]]
        between = re.sub(r"^['’]s?\b", "", between)
        if _EITHER.fullmatch(between) or (compares and _BOTH.fullmatch(between)):
            found += [before[0], after[0]]
    listed = tuple(dict.fromkeys(found))
    return listed if len(listed) > 1 and (compares or " or " in question or " vs" in question) else ()


def verdict(ask: Ask, answers: list[CellAnswer]) -> str | None:
    """One line that says whose value is the higher (or lower) one; None unless every row has one value in one unit."""
    folded = fold(ask.plain)
    up = _HIGHER.search(folded) is not None
    if up == (_LOWER.search(folded) is not None) or len(answers) < 2 or len({a.field for a in answers}) != 1:
        return None
    sized = []
    for answer in answers:
        if len(answer.values) != 1:
            return None
        value = answer.values[0]
        amount = amount_in(value.text, value.unit)
        if amount is None:
            return None
        sized.append((amount, answer))
    first = sized[0][0]
    if first.unit is None or not all(units_agree(first.unit, amount.unit) for amount, _ in sized):
        return None
    ranked = sorted(sized, key=lambda pair: pair[0].value, reverse=up)
    if ranked[0][0].value == ranked[1][0].value:
        return None
    top = ranked[0][1]
    word = "highest" if up else "lowest"
    if len(ranked) == 2:
        word = "higher" if up else "lower"
    cited = " ".join(dict.fromkeys(f"[{a.values[0].passage.id}]" for _, a in ranked))
    return (
        f"**{top.row}** has the {word} {top.field}: {_shown(top)}, against "
        + "; ".join(f"{_shown(a)} ({a.row})" for _, a in ranked[1:])
        + f" {cited}"
    )


def _shown(answer: CellAnswer) -> str:
    return answer.values[0].text
