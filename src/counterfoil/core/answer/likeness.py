"""Owns whether two figures that a sentence ranks measure alike: periods of one length, one currency, one inclusion.

Never: the order of the two (see ``comparison``), levels of one day, or rates: those hold for periods of any length.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from counterfoil.core.answer.figures import Figure
from counterfoil.core.answer.terms_of_sale import cover_of
from counterfoil.core.evidence.amounts import header_text
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.directions import more_behind
from counterfoil.core.text.measures import UNITS, converted
from counterfoil.core.text.periods import Period
from counterfoil.core.text.quantities import format_amount
from counterfoil.core.text.rates import rate_behind
from counterfoil.core.text.units import is_currency

_CLAIM = re.compile(
    r"(?<!no )\b(?:higher|highest|lower|lowest|larger|largest|greater|greatest|bigger|biggest|smaller|smallest"
    r"|(?:more|less|fewer)(?=[^.;]{0,80}?\bthan\b)|cheap(?:er|est)|dearer|faster|slower|best|worst"
    r"|better|worse|exceed(?:s|ed)|surpass(?:es|ed)|beats?|outsold|outsells|outpaced|outperform(?:s|ed)|ahead of"
    r"|höher|höchste\w*|niedriger|niedrigste\w*|größer|größte\w*|kleiner|kleinste\w*"
    r"|(?:mehr|weniger)(?=[^.;]{0,80}?\bals\b)"
    r"|übertraf|übertrifft|plus élevée?s?|supérieure?s?|inférieure?s?|plus (?:grande?|petite?)s?|dépasse|mayor|menor"
    r"|superó)\b",
    re.IGNORECASE,
)
_SET_AGAINST = re.compile(
    r"\b(?:than|against|versus|vs|compared (?:with|to)|while|whereas|but|gegen(?:über)?|als|während|contre|que"
    r"|exceed(?:s|ed)|surpass(?:es|ed)|beats?|outsold|outsells|outpaced|outperform(?:s|ed)|ahead of|übertraf|übertrifft"
    r"|dépasse|superó|tandis que|alors que|frente a)\b",
    re.IGNORECASE,
)
_BY = re.compile(r"\b(?:by|um)\s+$", re.IGNORECASE)
# What adds up over time; a balance, a price or a headcount does not.
_FLOW = re.compile(
    r"\b(?:revenues?|turnover|sales|sold|income|profits?|loss(?:es)?|earnings|earned|costs?|expenses?|spending|spent"
    r"|cash flows?|capex|expenditures?|dividends?|orders?|deliver(?:y|ies|ed)|visitors?|visits|passengers?|production"
    r"|produced|output|generation|generated|emissions?|emitted|rainfall|exports?|imports?|births|arrivals|shipments?|shipped"
    r"|carried|handled|subscriptions sold|tickets|umsatz\w*|gewinn|verlust|ergebnis|kosten|aufwand|einnahmen|ausgaben"
    r"|besucher|fahrgäste|chiffre d['’]affaires|ventes|bénéfice|résultat|visiteurs|ventas|ingresos|beneficio"
    r"|visitantes)\b",
    re.IGNORECASE,
)
# Words that say that the lengths are known to differ, or that they were made equal.
_AWARE = re.compile(
    r"\b(?:alone|already|just|only|all of|whole of|whole|entire|full|annuali[sz]ed|pro rata|average[ds]?|averaging"
    r"|run[- ]rate|allein|bereits|schon|gesamte[nrs]?|ganze[nrs]?|durchschnitt\w*|seul|déjà"
    r"|entière?|moyenne|solo|ya|todo|media)\b"
    r"|\b(?:a|per|each) (?:day|week|month|quarter|year)\b",
    re.IGNORECASE,
)
_MONTHS = {"year": 12, "fiscal_year": 12, "half": 6, "quarter": 3, "month": 1}
_REACH = 60  # characters behind a figure in which what it includes is said


def unlike(text: str, figures: Sequence[Figure]) -> str:
    """What would make the ranking of ``text`` one of like with like; "" when it is, or compares nothing known.

    ``text`` is a sentence without its marks, ``figures`` are its own.
    """
    pair = _ranked_pair(text, figures)
    if pair is None:
        return ""
    first, second = pair
    return _of_inclusion(text, first, second) or _of_unit(text, first, second) or _of_period(text, first, second)


def _ranked_pair(text: str, figures: Sequence[Figure]) -> tuple[Figure, Figure] | None:
    """The two amounts that a ranking word sets against each other; None when it is not plain which."""
    if _CLAIM.search(text) is None:
        return None
    amounts = [f for f in figures if f.quantity.kind in ("money", "number")]
    if len(amounts) != 2 or any(f.state != "bound" or f.calculation is not None for f in amounts):
        return None
    first, second = amounts
    if _SET_AGAINST.search(text, first.quantity.end, second.quantity.start) is None:
        return None
    changes = (_BY.search(text, max(0, f.quantity.start - 8), f.quantity.start) is not None for f in amounts)
    differences = (
        more_behind(text, f.quantity.end) or _CLAIM.match(text, min(f.quantity.end + 1, len(text))) for f in amounts
    )
    return None if any(changes) or any(differences) else (first, second)


def _of_period(text: str, first: Figure, second: Figure) -> str:
    """The objection to sums over periods of two lengths, with what they are per month."""
    months = _months(first), _months(second)
    if None in months or months[0] == months[1] or first.quantity.unit != second.quantity.unit:
        return ""
    if _AWARE.search(text) or not _flows(text, first, second):
        return ""
    shown = "; ".join(_a_month(f, m) for f, m in zip((first, second), months, strict=True) if m is not None)
    return (
        f"amounts of periods of one length: {first.quantity.text} is of {months[0]} months, {second.quantity.text} of "
        f"{months[1]}; compare per month ({shown}), or say that the periods differ and do not rank"
    )


def _a_month(figure: Figure, months: int) -> str:
    """The amount per month, in the scale of the figure: "10 / 12 = 0.83"."""
    quantity = figure.quantity
    written = quantity.value / quantity.multiplier
    decimals = max(0, -int(written.normalize().as_tuple().exponent))
    return f"{format_amount(written, decimals)} / {months} = {format_amount(written / months, 2)}"


def _flows(text: str, first: Figure, second: Figure) -> bool:
    labels = " ".join(f.held.label for f in (first, second) if f.held)
    return _FLOW.search(f"{text} {labels}") is not None


def _months(figure: Figure) -> int | None:
    """The length of the period that a figure is of: as said beside it, else as its passage says without doubt."""
    said = figure.said.period
    periods = (said,) if said is not None else figure.held.periods if figure.held else ()
    lengths = {_length(period) for period in periods}
    return lengths.pop() if len(lengths) == 1 else None


def _length(period: Period) -> int | None:
    return period.months or _MONTHS.get(period.kind)


def _of_unit(text: str, first: Figure, second: Figure) -> str:
    """The objection to amounts of two currencies, or counted per two measures."""
    units = first.quantity.unit, second.quantity.unit
    if all(unit and is_currency(unit) for unit in units) and units[0] != units[1]:
        return (
            f"amounts in one currency: {first.quantity.text} and {second.quantity.text}; convert one with a cited "
            "exchange rate and its date, or say that the currencies differ and do not rank"
        )
    per = rate_behind(text, first.quantity.end), rate_behind(text, second.quantity.end)
    if per[0] is None or per[1] is None or per[0] == per[1] or units[0] != units[1]:
        return ""
    if per[0] not in UNITS or per[1] not in UNITS or UNITS[per[0]] == UNITS[per[1]]:
        return ""
    factor = converted(Decimal(1), per[1], per[0])
    bridge = ""
    if factor:
        value = first.quantity.value * factor
        bridge = f"; calculate {format_amount(factor, 0 if factor >= 1 else 6)} × {first.quantity.text} = "
        bridge += f"{format_amount(value, 2)} per {per[1]}"
    return (
        f"amounts per one measure: {first.quantity.text} is per {per[0]}, {second.quantity.text} per {per[1]}{bridge}"
    )


def _of_inclusion(text: str, first: Figure, second: Figure) -> str:
    """The objection to an amount with and one without the same thing: "including VAT" against "excluding VAT"."""
    ours = _included(text, first, second.quantity.start), _included(text, second, len(text))
    differing = sorted(what for what in ours[0].keys() & ours[1].keys() if ours[0][what] != ours[1][what])
    if not differing:
        return ""
    with_it, without = (first, second) if ours[0][differing[0]] else (second, first)
    return (
        f"amounts that include the same: {with_it.quantity.text} is with and {without.quantity.text} without "
        f"{differing[0]}; take both with or both without it, or say that they are not comparable"
    )


def _included(text: str, figure: Figure, end: int) -> dict[str, bool]:
    """What a figure includes (True) or leaves out (False): as said behind it, else as said around its number."""
    said = dict(cover_of(text[figure.quantity.end : min(end, figure.quantity.end + _REACH)]).included)
    return _included_there(figure) | said


def _included_there(figure: Figure) -> dict[str, bool]:
    """What the passage says of its number: in the row and column, or in the one sentence; nothing when both ways."""
    held = figure.held
    if held is None or held.source is None:
        return {}
    passage = held.source.passage
    if held.amount.cell is not None:
        around = f"{held.label}; {header_text(held.amount.cell)}"
    elif held.quantity is not None:
        at = held.quantity.start
        spans = sentences(passage.text, 0, len(passage.text))
        around = next((passage.text[a:b] for a, b in spans if a <= at < b), "")
    else:
        return {}
    found = cover_of(around).included
    both = {what for what, with_it in found if (what, not with_it) in found}
    return {what: with_it for what, with_it in found if what not in both}
