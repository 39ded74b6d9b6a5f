"""Owns what a passage compares a number with: "96.8% (2023: 97.5%)", "€71.40, against €88.10 a year earlier".

Never: numbers of another sentence, or choosing among several that it may be compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from counterfoil.core.answer.beside import AMOUNT_KINDS, Beside
from counterfoil.core.answer.derived import as_points, changes, names_change
from counterfoil.core.answer.held import Held
from counterfoil.core.answer.nouns import unit_class
from counterfoil.core.answer.operands import Operand, Result, operand_of
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.quantities import Quantity

_GAP_MAX = 90  # characters between two numbers that a sentence compares
_BEFORE = re.compile(
    r"\b(?:against|versus|vs\.?|compared (?:to|with)|than|previous(?:ly)?|prior|earlier|gegenüber|nach|zuvor|vorjahr"
    r"|contre|après|frente a|rispetto a)\b|[比从]|から|に比べ|前期|前年",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\b(?:to|auf|à|hasta|a)\s*(?:[$€£¥]|[A-Z]{3})?\s*$|[至到]$", re.IGNORECASE)
_PARTED = re.compile(r"[,;]|\b(?:and|und|et|y|e)\b", re.IGNORECASE)  # "4% fewer than in 2023, and 402,000 vans"
_ASIDE = re.compile(
    r"[(（][^()（）]{0,40}[:：]\s*$|[(（][^()（）\d]{0,24}(?:(?:FY|Q[1-4])?\s?(?:19|20)\d\d)?[^()（）\d]{0,12}$"
)


def along_passage(
    written: Quantity, said: Beside, text: str, operands: Sequence[Operand], cited: Sequence[Held]
) -> Iterator[Result]:
    """ "It fell by 4 to 57": the change from what the passage compares 57 with; also from the base to its level."""
    near = sorted((o for o in operands if o.held is not None), key=lambda o: abs(o.start - written.start))
    if not near or not names_change(written, said, text, near[:2]):
        return
    known = near[0]
    pair = pair_of(known.held, cited) if known.held is not None else None
    if pair is not None:
        before, now = (operand_of(name, held) for name, held in zip(("before", "now"), pair, strict=True))
        yield from changes(as_points(written, text, (before, now)), before, now)


def pair_of(held: Held, cited: Sequence[Held]) -> tuple[Held, Held] | None:
    """(base, level): ``held`` and the one number that its passage compares it with, None without exactly one.

    That is a number beside it in its sentence, else one of the same words in another year.
    """
    own = held.quantity
    if own is None or held.source is None or own.kind not in AMOUNT_KINDS:
        return None
    passage = held.source.passage.text
    low, high = next(((a, b) for a, b in sentences(passage, 0, len(passage)) if a <= own.start < b), (0, 0))
    whole = [
        h for h in cited
        if h.quantity is not None and h.citation == held.citation and h.quantity.kind in AMOUNT_KINDS
        and unit_class(h.amount.unit) == unit_class(held.amount.unit)
    ]  # fmt: skip
    whole.sort(key=lambda h: h.quantity.start if h.quantity else 0)
    alike = [h for h in whole if h.quantity and low <= h.quantity.start < high]
    at = next((i for i, h in enumerate(alike) if h.quantity == own), None)
    if at is None:
        return None
    near = [(alike[a], alike[b]) for a, b in ((at - 1, at), (at, at + 1)) if a >= 0 and b < len(alike)]
    found = [pair for a, b in near if (pair := _compared(a, b, passage)) is not None]
    found = found or [pair for other in whole if (pair := _in_years(held, other)) is not None]
    return found[0] if len(found) == 1 else None


def _compared(first: Held, second: Held, passage: str) -> tuple[Held, Held] | None:
    """(base, level) of two numbers that follow one another, None when nothing compares them."""
    if first.quantity is None or second.quantity is None:
        return None
    gap = passage[first.quantity.end : second.quantity.start]
    if len(gap) > _GAP_MAX:
        return None
    if first.said.role == "base" and (second.said.role == "level" or _FROM_TO.search(gap)):
        return first, second
    than = [match.end() for match in _BEFORE.finditer(gap)]
    if second.said.role == "base" or (than and not _PARTED.search(gap, than[-1])) or _ASIDE.search(gap):
        return second, first
    return _in_years(first, second)


def _in_years(first: Held, second: Held) -> tuple[Held, Held] | None:
    """(earlier, later) of two numbers that the same words name in different years."""
    years = [h.periods[0].year if h.periods else None for h in (first, second)]
    if not years[0] or not years[1] or years[0] == years[1]:
        return None
    if 2 * len(first.words & second.words) <= min(len(first.words), len(second.words)):
        return None
    return (first, second) if years[0] < years[1] else (second, first)
