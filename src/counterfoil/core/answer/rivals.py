"""Owns prices that a passage states for the very thing of which another page of the same row states another price.

Never: which of them is right; or sentences that could speak of another product, time or class of buyer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from counterfoil.core.answer.terms_of_sale import apart, cover_of
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import Quantity, find_quantities, same_amount
from counterfoil.core.text.stems import stems
from counterfoil.core.text.units import is_currency

# Words that say no more than that a price follows.
_PRICED = stems(
    "price priced cost costs sell sells sold charge charges fee fare available offered now currently is are at"
)
_WORDS_MIN = 2  # that name the thing; one alone ("the pass") may be any
_ELSEWHERE = re.compile(r"\s*(?:(?:at|via)\s+(?:the |our |all )?[^\W\d_]+)?\W*")
_ANOTHER = re.compile(
    r"\b(?:was|were|had been|used to|formerly|previously|until|from|up to|at least|starting|deposit|refund\w*"
    r"|discount\w*|reduced|saves?|off|extra|additional|more|less|no|not|if|when|old|new"
    r"|weekends?|nights?|evenings?|mornings?|peak|off-peak|seasons?|holidays?)\b",
    re.IGNORECASE,
)


class Statement(msgspec.Struct, frozen=True):
    """The one price of a sentence, with the stems that name what is priced."""

    amount: Quantity
    thing: frozenset[str]
    sentence: str
    read: Evidence


def statements(read: Evidence) -> Iterator[Statement]:
    """What a passage says plainly: sentences "thing, price" with one price, nothing dated and nothing conditional."""
    if read.passage.table is not None or read.passage.kind == "heading":
        return
    text = read.passage.text
    quantities = [q for q in find_quantities(text) if is_currency(q.unit)]
    for start, end in sentences(text, 0, len(text)):
        own = [q for q in quantities if start <= q.start < end]
        sentence = text[start:end]
        if len(own) != 1 or find_periods(sentence) or _ANOTHER.search(sentence):
            continue
        thing = stems(text[start : own[0].start]) - _PRICED
        if len(thing) >= _WORDS_MIN and _ELSEWHERE.fullmatch(text, own[0].end, end):
            yield Statement(own[0], thing, sentence, read)


def rivals(amount: Quantity, read: Evidence, said: Iterable[Statement]) -> tuple[Statement, ...]:
    """Those of ``said`` on other pages that give the thing priced at ``amount`` in ``read`` another price."""
    own = [s for s in statements(read) if s.amount.unit == amount.unit and same_amount(s.amount, amount.value)]
    if len(own) != 1:
        return ()
    return tuple(s for s in said if _elsewhere(read, s.read) and _rival(own[0], s))


def _elsewhere(read: Evidence, other: Evidence) -> bool:
    """Another document that nobody dated otherwise: a price list of last year is no rival."""
    a, b = read.source.document, other.source.document
    return a.id != b.id and (a.period, a.published) == (b.period, b.published)


def _rival(own: Statement, other: Statement) -> bool:
    return (
        own.thing == other.thing
        and own.amount.unit == other.amount.unit
        and not same_amount(own.amount, other.amount.value)
        and not same_amount(other.amount, own.amount.value)
        and not apart(cover_of(own.sentence), cover_of(other.sentence))
    )
