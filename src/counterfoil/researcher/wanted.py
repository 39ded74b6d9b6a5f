"""Owns what a cell of a task asks for: the telling words of its field, the offer meant, the years that fit.

Never: documents.
"""

from __future__ import annotations

import re

import msgspec

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import asked, without_periods
from counterfoil.researcher.products import Traits, audiences, charges, spans, without_spans
from counterfoil.researcher.shapes import Shape
from counterfoil.researcher.words import contains, content, fold, has_cjk, stem, words

_ALTERNATIVES: tuple[tuple[str, ...], ...] = (
    (
        "price",
        "cost",
        "fee",
        "fare",
        "charge",
        "rate",
        "tariff",
        "preis",
        "kosten",
        "kostet",
        "gebühr",
        "prix",
        "tarif",
    ),
    ("overage", "additional", "extra", "beyond", "exceed", "overtime", "zusätzlich", "weitere", "supplémentaire"),
    ("included", "free", "inklusive", "enthalten", "inbegriffen", "kostenlos", "inclus", "gratuit"),
    ("pass", "ticket", "card", "karte", "billet"),
    ("ride", "trip", "journey", "fahrt", "trajet"),
    ("founded", "established", "incorporated", "gegründet", "fondée"),
    ("headquarters", "headquartered", "based", "hauptsitz", "siège"),
    ("employees", "staff", "headcount", "mitarbeiter", "beschäftigte", "effectif", "salariés"),
    ("revenue", "sales", "turnover", "umsatz", "umsatzerlöse", "chiffre"),
    ("validity", "valid", "lasts", "expires", "ends", "gültig"),
    ("cancellation", "cancel", "cancelled", "kündigung", "kündbar", "annulation"),
    ("opening", "open", "opens", "opened", "geöffnet", "öffnungszeiten"),
)
_GENERIC_WORDS = (
    "price prices cost costs fee fees fare amount value total rule rules policy terms term detail details info "
    "information description name type kind level figure note overview number preis kosten betrag prix montant"
)
_GENERIC = frozenset(stem(word) for word in _GENERIC_WORDS.split())  # a field called so tells nothing by itself
_WORD_PREFIX_MIN = 6
_CJK_SHARE = 0.6


class Wanted(msgspec.Struct, frozen=True):
    """What a cell asks for. ``groups`` are its telling words, each with those that mean the same."""

    row: str
    others: tuple[str, ...]  # the other rows, whose values are not this one's
    type: str
    groups: tuple[frozenset[str], ...]
    topic: tuple[frozenset[str], ...]  # words of the question, which place a field that tells nothing by itself
    spans: Traits  # how long the offer lasts, said by the field
    period_spans: Traits  # the same, said only by the period of the task
    audiences: Traits
    charges: Traits
    years: frozenset[int]
    shape: Shape = "any"  # what words must look like: a place, a person


def wanted(contract: Contract, row: Row, field: Field, lexicon: Lexicon) -> Wanted:
    """Read what the cell of ``row`` and ``field`` asks for."""
    name = field.name.replace("_", " ")
    when = field.period or contract.period or ""
    offer = field.type == "money" and not lexicon.metrics(name)  # "annual revenue" is no offer
    own = spans(name, named=True) if offer else frozenset()
    listed = [*_ALTERNATIVES, *lexicon.vocabulary.synonyms]
    bare = without_periods(without_spans(name) if offer else name)
    telling = [w for w in content(bare) if w not in _GENERIC]
    rows = {w for r in contract.rows for w in words(r.name)}
    topic = [w for w in content(without_spans(contract.question)) if w not in rows and w not in _GENERIC]
    return Wanted(
        row=row.name,
        others=tuple(r.name for r in contract.rows if r.name != row.name),
        type=field.type,
        groups=tuple(_group(word, listed) for word in telling),
        topic=tuple(_group(word, listed) for word in topic),
        spans=own,
        period_spans=frozenset() if own else spans(when, named=True),
        audiences=audiences(f"{name} {row.name}") or audiences(contract.question),
        charges=charges(name),
        shape=_shape(name) if field.type == "text" else "any",
        years=frozenset(p.year for p in (*asked(name), *asked(when)) if p.year > 0),
    )


_PLACES = re.compile(r"\b(?:headquarters?|head office|location|address|seat|hauptsitz|sitz|siège)\b|本社|总部")
_PEOPLE = re.compile(
    r"\b(?:auditors?|ceo|cfo|chief executive|chair(?:man|woman|person)?|founders?|presidents?|directors?|owners?"
    r"|vorstandsvorsitzende\w*|geschäftsführer\w*)\b|社長|董事长"
)


def _shape(name: str) -> Shape:
    """What an answer in words to a field of this name must hold."""
    folded = fold(name)
    return "place" if _PLACES.search(folded) else "person" if _PEOPLE.search(folded) else "any"


def _group(word: str, listed: list[tuple[str, ...]]) -> frozenset[str]:
    found = {word}
    for group in listed:
        single = {items[0] for item in group if len(items := content(item)) == 1}
        if word in single:
            found |= single
    return frozenset(found)


def holds(group: frozenset[str], have: frozenset[str]) -> bool:
    """Say whether a text with the words ``have`` says one of ``group``, also as part of a compound."""
    if group & have:
        return True
    long = tuple(word for word in group if len(word) >= _WORD_PREFIX_MIN)
    return bool(long) and any(other.startswith(long) or other.endswith(long) for other in have)


def covered(groups: tuple[frozenset[str], ...], have: frozenset[str]) -> list[bool]:
    """Say of every group whether it stands in a text; of a run of Chinese or Japanese, most of it suffices."""
    found = [holds(group, have) for group in groups]
    cjk = [any(has_cjk(word) for word in group) for group in groups]
    if any(cjk):
        hits = [hit for hit, is_cjk in zip(found, cjk, strict=True) if is_cjk]
        enough = sum(hits) >= _CJK_SHARE * len(hits)
        found = [enough if is_cjk else hit for hit, is_cjk in zip(found, cjk, strict=True)]
    return found


def names(name: str, text: str) -> bool:
    """Say whether ``text`` names a row."""
    if has_cjk(name):
        return fold(name) in fold(text)
    return bool(name) and contains(words(text), words(name))
