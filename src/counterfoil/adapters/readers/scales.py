"""Owns what a cell's number is counted in: its scale and its unit, by the words that stand around it.

A scale is taken from what stands at the cell, its column, its row, its table, in this order.
Never: guessing; a cell without any such words has no scale.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from counterfoil.adapters.readers.phrases import Phrase, find_phrase
from counterfoil.core.text.units import is_measure, unit_named

_PER_SHARE = re.compile(
    r"\bper[ -](?:(?:common|ordinary|diluted|basic|preferred|class [ab]|average|weighted) )*(?:share|unit|ads|adr)s?\b"
    r"|\beps\b|\bje aktie\b",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"\bnumber of (?:\w+ ){0,3}shares\b|\bshares? (?:outstanding|issued|authori[sz]ed|repurchased|purchased|withheld|"
    r"granted|vested|used)\b|(?:average|diluted|basic|outstanding)\b.{0,40}\b(?:shares|ADSs?)\b"
    r"|^(?:common |ordinary |treasury )?shares\b|\bshares$|\baktien$",
    re.IGNORECASE,
)
_NOT_SHARES = re.compile(r"\bissuance|\brepurchases? of|\bproceeds|\bpayments?\b|\bcost of|\bvalue\b|\$", re.IGNORECASE)
_COUNT = re.compile(
    r"\bnumber of\b|\bemployees\b|\bheadcount\b|\bstores\b|\bstore count\b|\bsquare (?:feet|footage)\b|\bpeople\b"
    r"|\blocations\b|\bcountries\b|\bdays\b",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(?<![\d\s])%|^%|(?<!\d)\s%|\bpercent(?:age)?s?\b|\bprozent\b|\bmargin rate\b", re.IGNORECASE)
_SHARE_NAMED = re.compile(
    r"\b(?:margin|rate|ratio|growth|yield|share of|quote|rendite)\b|(?:marge|quote)\b", re.IGNORECASE
)
_SHARE_VALUE = re.compile(r"[-−(]?\s*0?[.,]\d+\)?|[-−(]?[01]\)?")
_POINTS = re.compile(r"\b(?:basis points|bps?)\b", re.IGNORECASE)
_MONEY_CHANGE = re.compile(r"(?:\$|amount of)\s*change\s*$", re.IGNORECASE)
_OTHER_MEASURES = re.compile(r"\b(?:income|ebit|ebitda|sales|revenues?|cash)\b", re.IGNORECASE)
_YEAR_VALUE = re.compile(r"(?:19|20)\d\d")
_DATED = re.compile(r"\b(?:date|maturity|matures|due|expir\w+|since)\b", re.IGNORECASE)
_PER_SHARE_MAX = 20.0
_SHARES_WORD = re.compile(r"\bshares?\b", re.IGNORECASE)
_YEARS = re.compile(
    r"\(?in years\)|\buseful li(?:fe|ves)\b|\b(?:remaining|contractual|expected) (?:life|lives|term)\b|^\W*years?\W*$"
    r"|\bterm \(|\(years\)|\bage\b",
    re.IGNORECASE,
)
_RATIO = re.compile(r"\d[xX]$")
_MONEY = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_CENTS = re.compile(r"\bcents\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a cell is counted. ``source`` says where the words stand, ``phrase`` which they are."""

    source: str  # "own", "first", "header", "label", "section", "table", "none"
    multiplier: str | None
    unit: str | None
    phrase: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything around one value that can tell how it is counted."""

    value: str
    label: str
    section: str
    headers: tuple[str, ...]  # outermost first
    table: Phrase | None
    first_percent: bool = False  # the first value of the column shows "%" and nothing there speaks against it
    column_money: str | None = None  # the currency sign shown in this column
    table_money: str | None = None  # the currency sign shown anywhere in the table


def money_sign(value: str) -> str | None:
    """Return the currency of a value's own sign."""
    return next((code for sign, code in _MONEY.items() if sign in value), None)


def judge(s: Surroundings) -> Verdict:
    """Decide how a cell is counted, from the nearest words outwards."""
    for rule in (_own, _by_label_phrase, _by_header, _by_first, _by_label, _by_section):
        verdict = rule(s)
        if verdict is not None:
            return verdict
    money = _money(s)
    if money_sign(s.value) is None and _SHARE_NAMED.search(" ".join([*s.headers, s.label])) and _is_share(s.value):
        return Verdict("none", None, None)  # 0.125 in "Operating margin": a share whose format was lost, and no money
    measure = next((unit for text in (*s.headers, s.label) if is_measure(unit := unit_named(text))), None)
    if measure is not None and money is None:
        return Verdict("none", None, measure)  # "Diameter (mm)" in a report whose amounts are in thousands
    if s.table is not None and s.table.counted and money:
        return Verdict("none", None, money)  # "shares in thousands" does not scale amounts
    if s.table is not None:
        return Verdict("table", s.table.multiplier, s.table.counted or money or s.table.money or s.table_money, s.table)
    return Verdict("none", None, money_sign(s.value))


def speaks(header: str) -> bool:
    """Tell whether a header says by itself how its column is counted."""
    return any(p.search(header) for p in (_PERCENT, _POINTS, _PER_SHARE, _YEARS, _SHARES_WORD))


def _money(s: Surroundings) -> str | None:
    return money_sign(s.value) or s.column_money


def _own(s: Surroundings) -> Verdict | None:
    if _YEAR_VALUE.fullmatch(s.value) and _DATED.search(" ".join(s.headers)):
        return Verdict("none", None, "year")
    if "%" in s.value:
        return Verdict("own", "1", "percent")
    if _POINTS.search(s.value):
        return Verdict("own", "1", "basis points")
    if re.search(r"\b(?:pts|pp)\b", s.value):
        return Verdict("own", "1", "points")
    if _RATIO.search(s.value):
        return Verdict("own", "1", "ratio")
    return None


def _by_label_phrase(s: Surroundings) -> Verdict | None:
    phrase = find_phrase(s.label)
    if phrase is None:
        return None
    unit = _money(s) or phrase.money
    if _SHARES.search(s.label):
        unit = "shares"
    elif _COUNT.search(s.label):
        unit = "count"
    return Verdict("label", phrase.multiplier, unit, phrase)


def _by_header(s: Surroundings) -> Verdict | None:
    joined = " ".join(s.headers)
    phrase = find_phrase(joined)
    spoken = joined if phrase is None else joined[: phrase.start] + joined[phrase.end :]
    counts_shares = bool(_SHARES_WORD.search(spoken)) and not _NOT_SHARES.search(spoken)
    if money_sign(s.value) is None:
        if _POINTS.search(spoken):
            return Verdict("header", "1", "basis points")
        if _YEARS.search(spoken) and s.column_money is None:
            return Verdict("header", "1", "years")
        if _PERCENT.search(spoken) and not _MONEY_CHANGE.search(spoken):
            return Verdict("header", "1", "percent")
    if _PER_SHARE.search(spoken):
        return _per_share(s, "header")
    if phrase is not None and (s.table is None or phrase.text != s.table.text) and not _speaks_against(s):
        return Verdict("header", phrase.multiplier, "shares" if counts_shares else _money(s) or phrase.money, phrase)
    if counts_shares and money_sign(s.value) is None and not _PER_SHARE.search(s.label):
        return _shares(s, "header")
    return None


def _speaks_against(s: Surroundings) -> bool:
    """Rows that a phrase over the column does not scale: per share, per cent, counts."""
    return bool(_PER_SHARE.search(s.label) or _PERCENT.search(s.label) or s.first_percent)


def _by_first(s: Surroundings) -> Verdict | None:
    if s.first_percent and money_sign(s.value) is None:
        return Verdict("first", "1", "percent")
    return None


def _by_label(s: Surroundings) -> Verdict | None:
    if _is_per_share(s.label):
        return _per_share(s, "label")
    if money_sign(s.value) is None:
        if _PERCENT.search(s.label):
            return Verdict("label", "1", "percent")
        if _YEARS.search(s.label) and s.column_money is None:
            return Verdict("label", "1", "years")
        if _is_per_share(s.section) and _is_rate(s.value):
            return None
        if _counts_shares(s.label):
            return _shares(s, "label")
        if _COUNT.search(s.label) and s.column_money is None:
            return Verdict("label", "1", "count")
    return None


def _by_section(s: Surroundings) -> Verdict | None:
    phrase = find_phrase(s.section)
    if _is_per_share(s.section) and _is_small(s.value):
        return _per_share(s, "section")
    if money_sign(s.value) is None:
        if _PERCENT.search(s.section) and _is_small(s.value):
            return Verdict("section", "1", "percent")
        if _counts_shares(s.section) and not phrase:
            return _shares(s, "section")
    if phrase is not None:
        return Verdict("section", phrase.multiplier, _money(s) or phrase.money, phrase)
    return None


def _per_share(s: Surroundings, source: str) -> Verdict:
    unit = "cents per share" if _CENTS.search(" ".join([*s.headers, s.label, s.section])) else "per share"
    phrase = s.table if s.table is not None and s.table.spares_per_share else None
    return Verdict("table" if phrase else source, "1", unit, phrase)


def _shares(s: Surroundings, source: str) -> Verdict:
    """Counts of shares: scaled like the table unless it spares them; unknown where only money is scaled."""
    if s.table is None or s.table.money_only:
        return Verdict("none", None, "shares")
    return Verdict("table", "1" if s.table.spares_shares else s.table.multiplier, "shares", s.table)


def _counts_shares(text: str) -> bool:
    """Tell a count of shares: "weighted-average shares used in computing earnings per share" is one."""
    rest = _PER_SHARE.sub("", text)
    return bool(_SHARES.search(rest)) and not _NOT_SHARES.search(rest)


def _is_per_share(text: str) -> bool:
    """Tell an amount per share; "EPS" in a list of measures does not make one."""
    match = _PER_SHARE.search(text)
    if match is None or _counts_shares(text):
        return False
    return match.group().lower() != "eps" or not _OTHER_MEASURES.search(text)


def _is_rate(value: str) -> bool:
    """An amount per share rather than a count of shares: small, with decimals."""
    match = re.search(r"\d*\.\d+", value)
    return match is not None and float(match.group()) < _PER_SHARE_MAX and "," not in value


def _is_small(value: str) -> bool:
    return "," not in value


def _is_share(value: str) -> bool:
    """Tell a value from -1 to 1."""
    return bool(_SHARE_VALUE.fullmatch(value.strip()))
