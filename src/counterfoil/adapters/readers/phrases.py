"""Owns scale phrases such as "(in millions, except per share data)": finding one in a text, and what it says.

Never: deciding which cells a phrase scales (see ``scales``), or reading a scale out of a figure ("$3.2 million").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from counterfoil.core.text.scales import scale_of
from counterfoil.core.text.units import is_currency, unit_of

_BIG = {
    "thousand": "1000", "million": "1000000", "billion": "1000000000", "trillion": "1000000000000",
    "millier": "1000", "milliard": "1000000000", "miles de": "1000", "millones": "1000000",
    "migliaia": "1000", "milioni": "1000000", "miliardi": "1000000000",
}  # fmt: skip
_BIG_WORD = r"(?:thousand|million|billion|trillion)s?"
_CODES = "USD|EUR|GBP|CHF|JPY|CNY|RMB|CAD|AUD|INR"
_OTHER_BIG = (
    rf"(?:[$€£¥]|\b(?:{_CODES})\b)\s?(?:000s?|000['’]s|m|mm|mn|bn|k)\b|000['’]?s|['’]000s?|Mio\.?|Mrd\.?"
    r"|TEUR|T€|TUSD|kEUR"
)
_MONEY_NAMED = rf"(?:(?:U\.?S\.?\s?)?dollars|euros?|pounds(?: sterling)?|yen|swiss francs|(?:{_CODES})\b|US\$|[$€£¥])"
# Scales that need no "in" before them, for the currency beside them tells: "EUR '000", "TEUR", "en milliers d'euros".
_WITH_MONEY = re.compile(
    rf"(?<!\d)(?<!\d[ \u00a0])(?:\bin\s)?"
    rf"(?:(?:\b(?:{_CODES})|US\$|[$€£¥])\s?(?:{_BIG_WORD}|['’]000s?|000['’]?s|m|mn|mm|bn|k)\b"
    rf"|\b(?:TEUR|TUSD|TCHF|kEUR|kCHF|MEUR|MCHF)\b|\b[TkM]€|\b(?:Mio|Mrd|Tsd)\b\.?\s?{_MONEY_NAMED}"
    rf"|['’]000s?\s?(?:of\s)?{_MONEY_NAMED})"
    rf"|\ben (?:milliers|millions|milliards) (?:de |d['’]){_MONEY_NAMED}"
    rf"|\ben (?:miles|millones|miles de millones) de (?:euros|dólares)"
    rf"|\bin (?:migliaia|milioni|miliardi) di (?:euro|dollari)",
    re.IGNORECASE,
)
# "in Tsd. EUR", "EUR in Mio.", "単位：百万円", "单位：人民币万元": read by the tables of scale words and units in core.
_OTHER_PHRASE = re.compile(
    rf"(?:(?:\b(?:{_CODES}|euro)\b|[$€£¥])\s)?\bin (?:tsd|tausend|mio|millionen|mrd|milliarden)\b\.?"
    rf"(?:\s?(?:\b(?:{_CODES}|euro|franken|us-dollar|stück)\b|[$€£¥]))?"
    r"|(?:金額)?(?:単位|单位|單位)\s*[:：]\s*[^\s()（）。、，]{1,12}",
    re.IGNORECASE,
)
_ASIDES = frozenset([
    "all", "amounts", "figures", "values", "numbers", "data", "are", "is", "be", "stated", "expressed",
    "presented", "shown", "reported", "given", "unaudited", "audited", "continued", "monetary", "unless",
    "indicated", "specified", "note", "notes", "in", "the", "this", "these", "table", "tables", "report",
    "statements", "of", "and", "alle", "angaben", "beträge", "werte", "zahlen", "ungeprüft", "sofern", "nicht",
    "anders", "angegeben", "dollars", "u", "s", "except", "where", "noted", "otherwise", "tous", "toutes",
    "les", "montants", "sont", "exprimés", "sauf", "indication", "contraire",
])  # fmt: skip
# A line that speaks for every table of its document.
_ALL = re.compile(r"^\W*(?:all|alle|sämtliche|tous les|toutes les)\b|\b(?:unless|sofern|sauf)\b", re.IGNORECASE)
_SCALE_LINE_CHARS_MAX = 120  # a longer line says more than how a table is counted
# A figure before the word makes it prose ("$3.2 million"), not a scale.
_PHRASE = re.compile(
    rf"\((?:[^()]|\([^()]*\))*?(?:\b{_BIG_WORD}\b|{_OTHER_BIG})(?:[^()]|\([^()]*\))*\)"
    rf"|(?:(?:\b(?:all|dollar|dollars|euros?|amounts|tabular|figures|shares?|and|data|expressed|stated|presented|are|"
    rf"U\.?S\.?|currency|[A-Z]{{3}})\b|US\$|[$€£¥])[\s,]*)*\bin (?:(?:(?:{_CODES})\b|US\$|[$€£¥])\s?)?{_BIG_WORD}\b"
    rf"(?:\s(?:of\s)?{_MONEY_NAMED})?"
    rf"(?:,?\s*\(?except(?: for)?[^.;:)\n]*\)?)?"
    rf"|^\W*(?:[$€£¥]\s?)?{_BIG_WORD}\b(?:[ ,]+(?:of {_MONEY_NAMED}|except[^.;:)\n]*))?\W*$"
    rf"|[$€£]\s?{_BIG_WORD}",
    re.IGNORECASE,
)
_FIGURE_BEFORE = re.compile(rf"\d[\d.,]*\s*{_BIG_WORD}\b", re.IGNORECASE)
_COUNTED = re.compile(r"\W*(shares|options|units|awards|square feet|members(?:hips)?)\s+in\b", re.IGNORECASE)
_MONEY_WORDS = (
    (re.compile(r"US\$|\$|\bU\.?S\.? dollars?\b|\bdollars?\b|\bUSD\b", re.I), "USD"),
    (re.compile(r"€|\beuros?\b|(?:\b|[TkM])EUR\b", re.I), "EUR"),
    (re.compile(r"£|\bpounds?\b|\bGBP\b", re.I), "GBP"),
    (re.compile(r"¥|\byen\b|\bJPY\b", re.I), "JPY"),
    (re.compile(r"\bCHF\b|\bfrancs?\b", re.I), "CHF"),
)
_EXCEPT_SHARES = re.compile(r"except.*?(?<!per )(?<!per-)\b(?:shares?|number of shares)\b", re.IGNORECASE | re.DOTALL)
_EXCEPT_PER_SHARE = re.compile(r"except.*\bper[ -](?:\w+[ -]){0,2}(?:share|unit)", re.IGNORECASE | re.DOTALL)
_DOLLARS_ONLY = re.compile(
    r"\b(?:dollars|U\.?S\.? dollars?|\$|€|£)\s+(?:amounts )?in\b|^\(?[$€£](?!\s*and\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A scale phrase found in a text: where it stands and what it says."""

    start: int
    end: int
    text: str
    multiplier: str
    money: str | None
    spares_shares: bool  # counts of shares are not scaled
    spares_per_share: bool
    money_only: bool  # "dollars in millions" says nothing of counts
    counted: str | None = None  # "shares in thousands": what the phrase scales, when it is no money


def find_phrase(text: str) -> Phrase | None:
    """Return the scale phrase in a line or cell, if one stands there."""
    for match in _PHRASE.finditer(text):
        found = match.group()
        if _FIGURE_BEFORE.search(found) or _FIGURE_BEFORE.search(text[max(0, match.start() - 12) : match.end()]):
            continue
        if found.startswith("(") and len(found.split()) > 25:
            continue
        lead = len(found) - len(found.lstrip(" ,"))
        trail = len(found.rstrip(" ,"))
        found = found[lead:trail]
        return Phrase(
            match.start() + lead,
            match.start() + trail,
            found,
            _multiplier(found),
            money_in(found),
            bool(_EXCEPT_SHARES.search(found)),
            bool(_EXCEPT_PER_SHARE.search(found)) or bool(_EXCEPT_SHARES.search(found)),
            bool(_DOLLARS_ONLY.search(found)),
            _counted(found),
        )
    named = _WITH_MONEY.search(text)
    if named is not None:
        found = named.group()
        return Phrase(*named.span(), found, _multiplier(found), money_in(found), False, False, False)
    return _other_phrase(text)


def _other_phrase(text: str) -> Phrase | None:
    match = _OTHER_PHRASE.search(text)
    if match is None:
        return None
    found, scale, unit = match.group(), scale_of(match.group()), unit_of(match.group())
    money = unit if is_currency(unit) else None
    if scale is None and money is None:
        return None  # a unit of something else: a cell's own header tells better
    multiplier = "1" if scale is None else f"{scale:f}"
    return Phrase(match.start(), match.end(), found, multiplier, "JPY" if money == "¥" else money, False, False, False)


def scales_all(text: str) -> Phrase | None:
    """Return the phrase of a sentence that says how all tables of its document are counted, if ``text`` is one."""
    return find_phrase(text) if _ALL.search(text) and is_scale_line(text) else None


def ending_phrase(text: str) -> Phrase | None:
    """Return the scale phrase that a heading or caption ends with, if it says nothing but a scale and a currency."""
    phrase = find_phrase(text) if len(text) <= _SCALE_LINE_CHARS_MAX else None
    if phrase is None or re.search(r"\w", text[phrase.end :]):
        return None
    said = re.split(r"\bexcept", phrase.text.casefold())[0]
    said = re.sub(
        rf"(?:{_BIG_WORD}|{_WITH_MONEY.pattern}|{_OTHER_PHRASE.pattern}|{_OTHER_BIG}|{_MONEY_NAMED})",
        " ",
        said,
        flags=re.I,
    )
    return phrase if all(word in _ASIDES for word in re.findall(r"\w+", said)) else None


def is_scale_line(text: str) -> bool:
    """Tell a line that says how the table below it is counted, and nothing else."""
    if len(text) > _SCALE_LINE_CHARS_MAX:
        return False
    phrase = find_phrase(text)
    if phrase is None:
        return False
    rest = text[: phrase.start] + " " + text[phrase.end :]
    return all(word in _ASIDES for word in re.findall(r"\w+", rest.casefold()))


def _counted(phrase: str) -> str | None:
    match = _COUNTED.match(phrase)
    if match is None:
        return None
    return "shares" if match.group(1).lower().startswith("share") else "count"


def _multiplier(phrase: str) -> str:
    lower = re.split(r"\bexcept", phrase.lower())[0]
    for word in sorted(_BIG, key=len, reverse=True):
        if word in lower:
            return _BIG[word]
    if re.search(r"bn|mrd", lower):
        return _BIG["billion"]
    if re.search(rf"(?:[$€£¥]|\b(?:{_CODES.lower()}))\s?m|mm|mio|\bm(?:€|eur|chf)", lower):
        return _BIG["million"]
    return _BIG["thousand"]


def money_in(text: str) -> str | None:
    """Return the currency that a text names."""
    for pattern, code in _MONEY_WORDS:
        if pattern.search(text):
            return code
    return None
