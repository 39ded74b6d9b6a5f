"""Owns claims that rank ("cheaper", "the lowest", "twice as much"): like is compared with like, and truly.

Never: which product is the better one, or a claim without numbers behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.figures import Figure
from counterfoil.core.answer.findings import Finding
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.answer.terms_of_sale import Cover, apart, cover_of, times
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.text.folding import space_folded
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.quantities import amount_in, format_amount
from counterfoil.core.text.units import is_currency, units_agree

UNLIKE, WRONG = "UNLIKE_RANKED", "FIGURE_MISMATCH"

_LESS = (
    r"cheap(?:er|est)|less expensive|costs? less|(?:lower|lowest|smaller|smallest)(?= (?:price|cost|fee|fare"
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
    r"cheap|expensive|cost|price|deal|value|offer|dear|pric|fee|fare|günstig|billig|preis|teuer|cher|barat"
    r"|car[oa]|便宜|贵|安い|高い|最安",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:not|n['’]t|cannot|hardly|never)\s+(?:be\s+)?(?:directly\s+|strictly\s+|really\s+)?(?:comparable"
    r"|compared?|alike|the same)\b"
    r"|\bunlike products\b|\bdifferent (?:products|periods|terms|conditions)\b|\bnot like for like\b"
    r"|\bnicht (?:direkt )?vergleichbar|\bpas (?:directement )?comparable"
    r"|\bneither\b|\bno cheaper\b|\bnot cheaper\b|\bif\b|\bwhether\b|不可比|不能直接比较|比較できない",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;]|\.\s")
_THAN = re.compile(r"\b(?:than|als|que|di)\b|比|より", re.IGNORECASE)
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
_NAME = re.compile(r"(?<![.\w])(?:[A-Z][\w&'’-]+)(?:\s+[A-Z][\w&'’-]+)*")
_NO_NAME = frozenset(
    [
        "The",
        "A",
        "An",
        "It",
        "In",
        "At",
        "For",
        "This",
        "That",
        "Each",
        "Every",
        "And",
        "But",
        "So",
        "Its",
        "Their",
        "Both",
        "Day",
        "Die",
        "Der",
        "Das",
        "Ein",
        "Le",
        "La",
        "Les",
    ]
)


class Offer(msgspec.Struct, frozen=True):
    """A value of a named thing: what it covers and where it comes from."""

    name: str
    value: Decimal
    unit: str | None
    cover: Cover
    citation: str
    calculated: bool = False

    @property
    def text(self) -> str:
        """In words: "City South: 15 USD for 1 day [E2]"."""
        decimals = 0 if self.value == self.value.to_integral_value() else 2
        parts = (
            format_amount(self.value, decimals),
            self.unit,
            self.cover.text,
            f"[{self.citation}]" if self.citation else "",
        )
        return f"{self.name}: {' '.join(part for part in parts if part)}"


def check_comparisons(
    body: str, figures: Sequence[Figure], contract: Contract, facts: Sequence[Fact]
) -> tuple[Finding, ...]:
    """UNLIKE_RANKED for every ranking of unlike values, FIGURE_MISMATCH for one that the values contradict."""
    scopes = split_scopes(body)
    offers = [*_from_facts(facts), *_from_figures(figures, contract)]
    found: list[Finding] = []
    for scope in scopes:
        text = without_marks(scope.text)
        own = [f for f in figures if f.scope.start == scope.start]
        finding = _ranked(text, scope, offers, contract) or _than(text, scope, own) or _factor(text, scope, own)
        if finding is not None:
            found.append(finding)
    return tuple(found)


def _from_facts(facts: Sequence[Fact]) -> Iterator[Offer]:
    for fact in facts:
        amount = amount_in(fact.value or "", (fact.unit or "").split("/")[0].split(" per ")[0] or None)
        if amount is not None and fact.row and is_currency(amount.unit):
            cover = cover_of(fact.unit, fact.period, fact.conditions, fact.quote)
            cited = fact.evidence[0] if fact.evidence else fact.id
            yield Offer(fact.row, amount.value, amount.unit, cover, cited, fact.kind == "calculation")


def _from_figures(figures: Sequence[Figure], contract: Contract) -> Iterator[Offer]:
    """The bound prices of the answer itself, each with the name that stands closest before it."""
    for figure in figures:
        quantity = figure.quantity
        if figure.state != "bound" or not is_currency(quantity.unit):
            continue
        text = without_marks(figure.scope.text)
        name = _name_before(text, quantity.start, contract)
        if name:
            around = _CLAUSE_END.split(text[quantity.end : quantity.end + 30])[0]
            before = _CLAUSE_END.split(text[max(0, quantity.start - 40) : quantity.start])[-1]
            cover = cover_of(around, before, contract.period if figure.calculation else None)
            yield Offer(
                name, quantity.value, quantity.unit, cover, figure.citation or "", figure.calculation is not None
            )


def _name_before(text: str, position: int, contract: Contract) -> str:
    places = [(m.start(), name) for name, m in _mentions(text, contract)]
    before = [place for place in places if place[0] < position]
    return max(before)[1] if before else min(places)[1] if places else ""


def _mentions(text: str, contract: Contract) -> list[tuple[str, re.Match[str]]]:
    """The rows of the task that ``text`` names; without rows, what is written as a name."""
    if contract.rows:
        found = [(r.name, m) for r in contract.rows for m in re.finditer(re.escape(r.name), text, re.IGNORECASE)]
        return sorted(found, key=lambda mention: mention[1].start())
    out = []
    for match in _NAME.finditer(text):
        words = match[0].removesuffix("'s").removesuffix("’s").split()
        while words and words[0] in _NO_NAME:
            words.pop(0)
        if words:
            out.append((" ".join(words), match))
    return out


def _ranked(text: str, scope: Scope, offers: Sequence[Offer], contract: Contract) -> Finding | None:
    """The finding on "City South is cheaper", from what is known of City South and of the others."""
    claim = _RANKS.search(text)
    if claim is None or not _PRICED.search(claim[0] + text[claim.end() : claim.end() + 12]) or _HEDGED.search(text):
        return None
    mentions = _mentions(text, contract)
    before = [name for name, m in mentions if m.start() < claim.start()]
    subject = before[-1] if before else ""
    if re.search(r"\bthan\b|\bals\b|\bque\b", text[: claim.start()]) or not subject:
        return None
    named = {name for name, m in mentions if m.start() > claim.end()} - {subject}
    mine = [o for o in offers if o.name == subject]
    others = [o for o in offers if o.name != subject and (o.name in named or not named)]
    for other_name in dict.fromkeys(o.name for o in others):
        theirs = [o for o in others if o.name == other_name]
        pair = _alike(mine, theirs)
        if pair is None and mine and theirs:
            return Finding(UNLIKE, space_folded(scope.text)[:200], _bridge(mine[0], theirs[0]))
        if pair is not None and _contradicts(pair, less=bool(claim["less"])):
            needed = f"a claim that the values bear out: {pair[0].text}; {pair[1].text}"
            return Finding(WRONG, space_folded(scope.text)[:200], needed)
    return None


def _alike(mine: Sequence[Offer], theirs: Sequence[Offer]) -> tuple[Offer, Offer] | None:
    """The first two values that cover the same; calculated ones first, for they were made to be compared."""
    for a in sorted(mine, key=lambda o: not o.calculated):
        for b in sorted(theirs, key=lambda o: not o.calculated):
            if units_agree(a.unit, b.unit) and not apart(a.cover, b.cover):
                return a, b
    return None


def _contradicts(pair: tuple[Offer, Offer], *, less: bool) -> bool:
    return pair[0].value > pair[1].value if less else pair[0].value < pair[1].value


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
    claim, than = _RANKS.search(text), _THAN.search(text)
    if claim is None or than is None or _HEDGED.search(text):
        return None
    same = [f for f in figures if f.state == "bound" and f.quantity.kind in ("money", "percent", "number")]
    before = [f for f in same if f.quantity.start < than.start()]
    after = [f for f in same if f.quantity.start > than.start()]
    if len(before) != 1 or len(after) != 1:
        return None
    a, b = before[0].quantity, after[0].quantity
    if a.unit != b.unit or (a.unit is None and a.multiplier != b.multiplier):
        return None
    covers = cover_of(_after(text, a.end, than.start())), cover_of(_after(text, b.end, len(text)))
    offers = (
        Offer("first", a.value, a.unit, covers[0], before[0].citation or ""),
        Offer("second", b.value, b.unit, covers[1], after[0].citation or ""),
    )
    if apart(*covers):
        return Finding(UNLIKE, space_folded(scope.text)[:200], _bridge(*offers))
    if before[0].calculation is None and _contradicts(offers, less=bool(claim["less"])):
        return Finding(
            WRONG, space_folded(scope.text)[:200], f"a claim that the values bear out: {a.text} against {b.text}"
        )
    return None


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
