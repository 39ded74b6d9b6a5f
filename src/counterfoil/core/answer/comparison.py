"""Owns claims that rank ("cheaper", "the lowest", "twice as much"): like is compared with like, and truly.

Never: which product is the better one, or a claim without numbers behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.figures import Base, Figure
from counterfoil.core.answer.findings import Finding
from counterfoil.core.answer.likeness import unlike
from counterfoil.core.answer.offers import Offer, mentions, offers_of
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.answer.terms_of_sale import TIME, apart, cost_for, cover_of, times
from counterfoil.core.text.folding import space_folded
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.quantities import format_amount
from counterfoil.core.text.units import is_currency, units_agree

UNLIKE, WRONG = "UNLIKE_RANKED", "FIGURE_MISMATCH"

_LESS = (
    r"cheap(?:er|est)|sav(?:es?|ing) money|less expensive|costs? less"
    r"|(?:lower|lowest|smaller|smallest)(?= (?:price|cost|fee|fare"
    r"|rate|charge)|\b)|least expensive"
    r"|best (?:price|deal|value|offer)|better (?:price|deal|value|offer)|günstig(?:er|ste\w*)|billig(?:er"
    r"|ste\w*)|preiswerter|niedrig(?:er|ste\w*)"
    r"|moins chers?|moins chère|más barat[oa]|meno car[oa]|更便宜|最便宜|较便宜|(?:より)?安い|最安|最低"
)
_MORE = (
    r"dearer|pricier|priciest|more expensive|most expensive|costs? more|higher|highest|larger|largest|teurer"
    r"|teuerste\w*|höher|höchste\w*"
    r"|plus chers?|plus chère|plus élevée?s?|más car[oa]|più car[oa]|更贵|最贵|更高|最高|(?:より)?高い"
)
_RANKS = re.compile(rf"(?<![\w-])(?:(?P<less>{_LESS})|(?P<more>{_MORE}))(?![\w-])", re.IGNORECASE)
_PRICED = re.compile(
    r"cheap|save|saving|expensive|cost|price|deal|value|offer|dear|pric|fee|fare|günstig|billig|preis|teuer|cher|barat"
    r"|car[oa]|便宜|贵|安い|高い|最安",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:not|n['’]t|cannot|hardly|never)\s+(?:be\s+)?(?:directly\s+|strictly\s+|really\s+)?(?:comparable"
    r"|compared?|alike|the same)\b"
    r"|\bunlike products\b|\bdifferent (?:products|periods|terms|conditions)\b|\bnot like for like\b"
    r"|\bnicht (?:direkt )?vergleichbar|\bpas (?:directement )?comparable"
    r"|\bcannot (?:say|tell)\b|\blooks? (?:cheaper|dearer)\b|\bseems? (?:cheaper|dearer)\b"
    r"|\bneither\b|\bno cheaper\b|\bnot cheaper\b|\bif\b|\bwhether\b|不可比|不能直接比较|比較できない",
    re.IGNORECASE,
)
_COMPARED_WITH = re.compile(r"(?:\b(?:than|als|que|di|to|with)\b|比|より)\s*(?:the\s+|in\s+)?$", re.IGNORECASE)
_RATED = re.compile(
    rf"(?:^|[,;:]\s)\W*(?:per|pro|par|by the)\s+(?:{TIME})\b"
    r"|\b(?:cheaper|dearer|less|(?:more|less) expensive|günstiger|billiger|moins cher)\s+"
    rf"(?:per|by the|a|pro|par)\s+(?:{TIME})\b",
    re.IGNORECASE,
)
# "More than 50" bounds a number; "more than the 101,900 of 2022" compares with one.
_MORE_THAN = re.compile(
    r"\b(?:(?P<less>less|fewer|lower|shorter)|(?P<more>more|greater|longer)) than"
    r"(?= (?!about|around|half|twice)[^\W\d_])",
    re.IGNORECASE,
)
_BEATS = re.compile(
    r"\b(?:outsold|outsells|outscored|outperform(?:s|ed)|outnumber(?:s|ed)|exceed(?:s|ed)|surpass(?:es|ed)|beats?)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"^\W*(?:\S+\s){0,6}?(?:against|(?P<to>to)|versus|vs\.?|compared (?:with|to)|gegen|gegenüber|contre)\b"
)
_THAN = re.compile(r"\b(?:than|als|que|di)\b|比|より", re.IGNORECASE)
_EACH = re.compile(r"\s(?:each|apiece|per head|je(?:weils)?|chacune?|cada uno)\b", re.IGNORECASE)
_TIMES_AS = re.compile(
    r"\b(?P<n>twice|double|half|three times|four times|five times|doppelt|deux fois)\s+(?:as\b|the\b|so\b"
    r"|of\b|plus\b|le\b)",
    re.IGNORECASE,
)
_FACTORS = {
    "twice": "2",
    "double": "2",
    "half": "0.5",
    "three times": "3",
    "four times": "4",
    "five times": "5",
    "doppelt": "2",
    "deux fois": "2",
}


def check_comparisons(body: str, figures: Sequence[Figure], base: Base) -> tuple[Finding, ...]:
    """UNLIKE_RANKED for every ranking of unlike values, FIGURE_MISMATCH for one that the values contradict."""
    scopes = split_scopes(body)
    offers = offers_of(body, figures, base)
    found: list[Finding] = []
    for scope in scopes:
        text = without_marks(scope.text)
        own = [f for f in figures if f.scope.start == scope.start]
        finding = None if _HEDGED.search(text) else _compared_alike(text, scope, own, offers, base.contract)
        finding = finding or _factor(text, scope, own)
        if finding is not None:
            found.append(finding)
    return tuple(found)


def _compared_alike(
    text: str, scope: Scope, own: Sequence[Figure], offers: Sequence[Offer], contract: Contract
) -> Finding | None:
    """The finding on what a sentence ranks: by the rows it names, then by its own two figures."""
    judged, finding = _ranked(text, scope, offers, contract)
    if finding is not None:
        return finding
    if scope.kind != "row" and (needed := unlike(text, own)):
        return Finding(UNLIKE, space_folded(scope.text)[:200], needed)
    return None if judged else _than(text, scope, own)


def _ranked(text: str, scope: Scope, offers: Sequence[Offer], contract: Contract) -> tuple[bool, Finding | None]:
    """Whether "City South is cheaper" could be judged by what is known of the rows, and the finding on it."""
    claim = _RANKS.search(text)
    if claim is None or not _PRICED.search(claim[0] + text[claim.end() : claim.end() + 12]):
        return False, None
    named = mentions(text, contract)
    subject = _subject(text, claim, named)
    if not subject:
        return False, None
    after = {name for name, m in named if m.start() > claim.end()} - {subject}
    own = [o for o in offers if o.place == scope.start]
    if not _both(own, subject):
        own = list(offers)
    mine = [o for o in own if o.name == subject]
    others = [o for o in own if o.name != subject and (o.name in after or not after)]
    judged = False
    for other_name in dict.fromkeys(o.name for o in others):
        theirs = [o for o in others if o.name == other_name]
        if mine and theirs:
            judged = True
            finding = _held_to(text, claim, scope, mine, theirs, contract)
            if finding is not None:
                return True, finding
    return judged, None


def _subject(text: str, claim: re.Match[str], named: Sequence[tuple[str, re.Match[str]]]) -> str:
    """The row that is ranked: the last one before the claim that is not what another is compared with."""
    before = [
        name
        for name, m in named
        if m.start() < claim.start() and not _COMPARED_WITH.search(text[max(0, m.start() - 12) : m.start()])
    ]
    return before[-1] if before else ""


def _both(offers: Sequence[Offer], subject: str) -> bool:
    return any(o.name == subject for o in offers) and any(o.name != subject for o in offers)


def _held_to(
    text: str, claim: re.Match[str], scope: Scope, mine: Sequence[Offer], theirs: Sequence[Offer], contract: Contract
) -> Finding | None:
    """The finding on a ranking of two rows by values that cover the same, else by what the task's period costs."""
    less, where = bool(claim["less"]), space_folded(scope.text)[:200]
    pair = _alike(mine, theirs)
    if pair is not None:
        needed = f"a claim that the values bear out: {pair[0].text}; {pair[1].text}"
        return Finding(WRONG, where, needed) if _contradicts(pair[0].value, pair[1].value, less=less) else None
    a, b = mine[0], theirs[0]
    costs = _normalised(a, b, text, contract) if units_agree(a.unit, b.unit) else None
    if costs is not None and costs[0] != costs[1] and not _contradicts(*costs, less=less):
        return None
    return Finding(UNLIKE, where, _bridge(a, b))


def _normalised(a: Offer, b: Offer, text: str, contract: Contract) -> tuple[Decimal, Decimal] | None:
    """Two values for one span: the rate that the sentence ranks by, else the task's period; None when unknown."""
    rate = _RATED.search(text)
    count = times(b.cover, a.cover)
    if rate is not None:
        return None if count is None else (a.value, b.value * count)
    need = cover_of(contract.period)
    costs = cost_for(a.value, a.cover, need), cost_for(b.value, b.cover, need)
    return None if costs[0] is None or costs[1] is None else (costs[0], costs[1])


def _alike(mine: Sequence[Offer], theirs: Sequence[Offer]) -> tuple[Offer, Offer] | None:
    """The first two values that cover the same; calculated ones first, for they were made to be compared."""
    for a in sorted(mine, key=lambda o: not o.calculated):
        for b in sorted(theirs, key=lambda o: not o.calculated):
            if units_agree(a.unit, b.unit) and not apart(a.cover, b.cover):
                return a, b
    return None


def _contradicts(first: Decimal, second: Decimal, *, less: bool) -> bool:
    return first > second if less else first < second


def _bridge(mine: Offer, theirs: Offer) -> str:
    """The two values and the calculation that makes them comparable."""
    said = f"values that cover the same: {mine.text}; {theirs.text}"
    if not units_agree(mine.unit, theirs.unit):
        return f"{said}; convert one with a cited exchange rate and its date"
    factor = times(mine.cover, theirs.cover)
    small, large = (mine, theirs)
    if factor is not None and factor < 1:
        small, large, factor = theirs, mine, 1 / factor
    if factor is None or factor == 1:
        return f"{said}; say that they are not alike"
    total = small.value * factor
    decimals = 0 if total == total.to_integral_value() else 2
    price = format_amount(small.value, 0 if small.value == small.value.to_integral_value() else 2)
    count = format(factor.normalize(), "f")
    return (
        f"{said}; calculate {count} × {price} = {format_amount(total, decimals)} {small.unit or ''} {large.cover.text}"
    )


def _than(text: str, scope: Scope, figures: Sequence[Figure]) -> Finding | None:
    """The finding on "A at $15 is cheaper than B at $18" from the two figures of the sentence itself."""
    found = _compared(text, [f for f in figures if f.quantity.kind in ("money", "percent", "number")])
    if found is None:
        return None
    less, first, second = found
    a, b = first.quantity, second.quantity
    if any(_EACH.match(text, one.end) for one in (a, b)):
        return None  # "cheaper than two singles at $38 each": how many is what is compared
    if first.state != "bound" or second.state != "bound" or a.unit != b.unit:
        return None
    if a.unit is None and a.multiplier != b.multiplier:
        return None
    covers = cover_of(_after(text, a.end, b.start)), cover_of(_after(text, b.end, len(text)))
    offers = (
        Offer("first", a.value, a.unit, covers[0], first.citation or ""),
        Offer("second", b.value, b.unit, covers[1], second.citation or ""),
    )
    where = space_folded(scope.text)[:200]
    if is_currency(a.unit) and apart(*covers):
        return Finding(UNLIKE, where, _bridge(*offers))
    if first.calculation is None and _contradicts(a.value, b.value, less=less):
        return Finding(WRONG, where, f"a claim that the values bear out: {a.text} against {b.text}")
    return None


def _compared(text: str, figures: Sequence[Figure]) -> tuple[bool, Figure, Figure] | None:
    """(less, first, second) of a claim that sets two figures against each other; None when it is not plain which."""
    beats = _BEATS.search(text)
    claim = beats or _RANKS.search(text) or _MORE_THAN.search(text)
    if claim is None:
        return None
    less = beats is None and bool(claim["less"])
    than = _THAN.search(text, claim.end() - 4 if claim.re is _MORE_THAN else 0)
    if than is not None:
        before = [f for f in figures if f.quantity.start < than.start()]
        after = [f for f in figures if f.quantity.start > than.start()]
        if len(before) == len(after) == 1:
            return less, before[0], after[0]
    after = [f for f in figures if f.quantity.start > claim.end()]
    if (than is None and beats is None) or len(after) != 2:
        return None
    between = text[after[0].quantity.end : after[1].quantity.start]
    joined = _AGAINST.search(between)
    if joined is None or (joined["to"] and beats is None):
        return None  # "4% to 6%" is a range, but a score behind "outsold"
    return less, after[0], after[1]


def _after(text: str, start: int, end: int) -> str:
    return text[start : min(end, start + 30)]


def _factor(text: str, scope: Scope, figures: Sequence[Figure]) -> Finding | None:
    """The finding on "twice as much": the two figures of the sentence are about that far apart."""
    claim = _TIMES_AS.search(text)
    same = [f.quantity for f in figures if f.state == "bound" and f.quantity.kind in ("money", "percent", "number")]
    if claim is None or len(same) != 2 or same[0].unit != same[1].unit or not same[1].value or not same[0].value:
        return None
    factor = Decimal(_FACTORS[claim["n"].casefold()])
    ratio = same[0].value / same[1].value
    if any(abs(r / factor - 1) <= Decimal("0.15") for r in (ratio, 1 / ratio)):
        return None
    needed = f"a claim that the values bear out: {same[0].text} is {ratio:.2f} times {same[1].text}"
    return Finding(WRONG, space_folded(scope.text)[:200], needed)
