"""Owns the words that make one offer another: how long it lasts, whom it is for, what is charged.

Never: which offer a task wants (``wanted`` reads that from the contract).
"""

from __future__ import annotations

import re

from counterfoil.researcher.words import fold

Traits = frozenset[str]

_UNITS = {"hour": 1, "hr": 1, "day": 24, "night": 24, "week": 168, "month": 720, "year": 8760}
_UNITS |= {"stunde": 1, "tag": 24, "woche": 168, "monat": 720, "jahr": 8760, "jour": 24, "mois": 720}
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "twelve": 12}
_COUNTS |= {"ein": 1, "zwei": 2, "drei": 3, "vier": 4, "sieben": 7, "trois": 3, "deux": 2}
_COUNTS |= {"一": 1, "单": 1, "両": 2, "两": 2, "二": 2, "三": 3, "七": 7}
_NAMED = {"hourly": 1, "daily": 24, "nightly": 24, "weekly": 168, "monthly": 720, "annual": 8760, "yearly": 8760}
_NAMED |= {"day": 24, "week": 168, "month": 720, "year": 8760, "hour": 1, "journalier": 24, "mensuel": 720}
_NAMED |= {"tages": 24, "wochen": 168, "monats": 720, "jahres": 8760, "月": 720, "年": 8760, "日": 24, "周": 168}
_NOUN = (
    r"(?:pass|passes|tickets?|cards?|fares?|rates?|permits?|fees?|rentals?|memberships?|plans?|subscriptions?|price"
    r"|admissions?|tariffs?|vouchers?|hire|licen[cs]es?|options?|forfait|abonnement|karten?|abos?|preis|gebühr|beitrag)"
)
_BETWEEN = r"(?:[\s-]+(?!and\b|or\b|for\b|per\b|is\b|are\b)[^\W\d_]+){0,2}?"  # "three-day visitor pass"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(k for k in _COUNTS if k.isascii())})"
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})(?:e?[ns]?)"
_COUNTED = re.compile(rf"\b{_COUNT}[\s-]*{_UNIT}\b{_BETWEEN}[\s-]*{_NOUN}\b")
_VALID = re.compile(rf"\b(?:valid|good|lasts?|runs?|gilt|gültig|valable)\b[^.;,]{{0,20}}?\b{_COUNT}[\s-]*{_UNIT}\b")
_FOR = re.compile(rf"\b(?:for|für|pour)\s+{_COUNT}[\s-]+{_UNIT}\b")
_BARE = re.compile(rf"\b{_COUNT}[\s-]*{_UNIT}\b")
_WORD = rf"(?P<word>{'|'.join(k for k in _NAMED if k.isascii())})"
_ADJECTIVE = re.compile(
    rf"(?<![\w-]){_WORD}\b{_BETWEEN}[\s-]*{_NOUN}\b|(?<![\w-]){_WORD.replace('word', 'glued')}{_NOUN}\b"
)
_ALONE = re.compile(rf"^\W*{_WORD}\W*$|\b(?P<sure>hourly|daily|weekly|monthly|annual|yearly)\b")
_PER = re.compile(
    r"(?:\bper|\ba|\ban|\beach|\bevery|/|\bpro|\bje|\bpar)\s*(?P<word>hour|day|night|week|month|year|tag|monat)\b"
)
_CJK_SPAN = re.compile(
    r"(?P<count>\d{1,3}|[一单両两二三七])?(?P<word>[日天周月年])(?:間|间)?(?=[券票卡パ通乗乘]|額|会費|费)"
)
_RIDE = re.compile(
    r"\b(?:single|per|each|one[- ]way)[\s-]+(?:ride|trip|journey|fahrt|trajet)s?\b|\beinzelfahrt\b|单程|片道"
)

_AUDIENCES: tuple[tuple[str, str], ...] = (
    ("adult", r"\badults?\b|\berwachsene\w*|\badultes?\b|成人|大人"),
    ("visitor", r"\bvisitors?\b|\btourists?\b|\bguests?\b|\bcasual\b|\bbesucher\w*|游客|観光客"),
    ("student", r"\bstudents?\b|\bstudierende\w*|\bétudiants?\b|学生"),
    ("child", r"\bchild(?:ren)?\b|\bkids?\b|\byouths?\b|\bjuniors?\b|\bkinder\w*|\benfants?\b|儿童|子供|小児"),
    ("senior", r"\bseniors?\b|\bpensioners?\b|\bsenioren\w*|老人|高齢者|シニア"),
    ("reduced", r"\breduced\b|\bconcessions?\b|\bermäßigt\w*|\bréduit\b|优惠票|割引"),
    ("member", r"\bmembers?(?:hips?)?\b|\bresidents?\b|\bsubscribers?\b|\bmitglied\w*|\bbewohner\w*|会员|会員"),
    ("group", r"\bgroups?\b|\bfamil(?:y|ies)\b|\bgruppen\w*|\bgroupes?\b|团体|団体"),
    ("business", r"\bbusiness(?:es)?\b|\bcorporate\b|\benterprise\b"),
)  # fmt: skip
_USUAL = frozenset({"adult", "visitor"})  # what an offer is for when nothing is said
_CHARGES: tuple[tuple[str, str], ...] = (
    ("overage", r"\badditional\b|\bextra\b|\bovera?ges?\b|\bbeyond\b|\bexceed\w*|\bweitere\b|\bzusätzlich|超出|追加"),
    ("deposit", r"\bdeposits?\b|\bkaution\b|\bcaution\b|押金|保証金"),
    ("refund", r"\brefund\w*|\breimburs\w*|\berstatt\w*|退款|返金"),
    ("penalty", r"\bfines?\b|\bpenalt\w*|\blost\b|\bnot returned\b|\bdamage\w*|\blate\b|\breplacement\b|罚款|罰金"),
    ("discount", r"\bdiscounts?\b|\boff\b|\bsav(?:e|es|ings?)\b|\brabatt\b|\bcheaper\b|折扣|割引"),
    ("unlock", r"\bunlock(?:ing)? (?:fee|charge)\b"),
    ("delivery", r"\bdeliver\w*|\bshipping\b|\bpostage\b|\bversand\w*|运费|送料"),
    ("setup", r"\b(?:setup|set-up|activation|registration|booking|joining)\b"),
)  # fmt: skip
_AUDIENCE_RULES = tuple((name, re.compile(rule)) for name, rule in _AUDIENCES)
_CHARGE_RULES = tuple((name, re.compile(rule)) for name, rule in _CHARGES)
_PAST = re.compile(
    r"\b(?:up|down|raised|lowered|increased|reduced) from\b|\binstead of\b|\brather than\b|\bcompared (?:with|to)\b|"
    r"\bno longer\b|\bused to\b|\bformer(?:ly)?\b|\bpreviously\b|\buntil (?:19|20)\d\d\b|\bwithdrawn\b|\bdiscontinued\b"
    r"|\bnicht mehr\b|\bfrüher\b|\bne\b[^.]{0,30}\bplus\b|不再|原価|以前"
)
_OLD_PAGE = re.compile(
    r"\barchived?\b|\bsuperseded\b|\bout[- ]of[- ]date\b|\boutdated\b|\bno longer (?:valid|updated)\b|\barchiviert\b"
    r"|\bveraltet\b|已失效|已归档|旧版"
)


def spans(text: str, *, named: bool = False) -> Traits:
    """Return how long the offers in ``text`` last ("72h", "ride"); ``named``: the text is a name, such as a label."""
    folded = fold(text)
    found: set[str] = set()
    for pattern in (_COUNTED, _VALID, _FOR, *((_BARE,) if named else ())):
        for match in pattern.finditer(folded):
            found.add(_hours(_number(match["count"]), _UNITS[match["unit"]]))
    for match in _ADJECTIVE.finditer(folded):
        if not _counted_before(folded, match.start()):
            found.add(_hours(1, _NAMED[match["word"] or match["glued"]]))
    if named:
        found.update(_hours(1, _NAMED[m["word"] or m["sure"]]) for m in _ALONE.finditer(folded))
    found.update(_hours(1, {**_UNITS, **_NAMED}[m["word"]]) for m in _PER.finditer(folded))
    for match in _CJK_SPAN.finditer(folded):
        found.add(_hours(_number(match["count"] or "1"), 24 if match["word"] == "天" else _NAMED[match["word"]]))
    return frozenset(found | ({"ride"} if _RIDE.search(folded) else set()))


def without_spans(text: str) -> str:
    """Return ``text`` folded, without the words that say how long an offer lasts."""
    folded = _BARE.sub(" ", fold(text))
    return re.sub(rf"(?<![\w-]){_WORD}(?=[\s-]+{_BETWEEN.replace('+', '*', 1)}{_NOUN}\b)", " ", folded)


def _counted_before(folded: str, start: int) -> bool:
    """ "three-day pass" is not a "day pass"."""
    return re.search(rf"(?:\d|\b(?:{'|'.join(k for k in _COUNTS if k.isascii())}))[\s-]*$", folded[:start]) is not None


def _number(written: str) -> int:
    return int(written) if written.isdigit() else _COUNTS[written]


def _hours(count: int, unit: int) -> str:
    hours = count * unit
    return f"{8760 if hours in (8640, 8760) else hours}h"


def audiences(text: str) -> Traits:
    """Return whom the offers in ``text`` are for."""
    folded = fold(text)
    return frozenset(name for name, rule in _AUDIENCE_RULES if rule.search(folded))


def charges(text: str) -> Traits:
    """Return what kinds of charge ``text`` speaks of, other than the price itself."""
    folded = fold(text)
    return frozenset(name for name, rule in _CHARGE_RULES if rule.search(folded))


def for_others(wanted: Traits, found: Traits) -> bool:
    """Say whether an offer for ``found`` is not the one for ``wanted``."""
    if not found or wanted & found:
        return False
    return bool(found - _USUAL) or bool(wanted - _USUAL)


def is_past(text: str) -> bool:
    """Say whether a clause speaks of what no longer holds."""
    return _PAST.search(fold(text)) is not None


def is_old_page(text: str) -> bool:
    """Say whether a page says of itself that it is out of date."""
    return _OLD_PAGE.search(fold(text)) is not None
