"""Owns units as they are written beside numbers: currencies, percent, points, common measures.

Never: conversion between units (see ``measures``), or exchange rates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from counterfoil.core.text.alternatives import one_of
from counterfoil.core.text.measures import UNITS


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_CODES = _words(
    "USD EUR GBP JPY CNY RMB CHF CAD AUD NZD HKD SGD TWD KRW INR BRL MXN ZAR SEK NOK DKK PLN CZK HUF ILS TRY RUB THB"
)
_SYMBOLS = {
    "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
    "NT$": "TWD", "R$": "BRL", "$": "USD", "€": "EUR", "£": "GBP", "¥": "¥", "₹": "INR", "₩": "KRW", "₽": "RUB",
    "Rs.": "INR", "Rs": "INR", "Fr.": "CHF", "SFr.": "CHF", "kr": "SEK", "zł": "PLN",
}  # fmt: skip
_WORDS = {
    "u.s. dollars": "USD", "u.s. dollar": "USD", "us dollars": "USD", "us dollar": "USD", "us-dollar": "USD",
    "dollars": "USD", "dollar": "USD", "euros": "EUR", "euro": "EUR", "pounds sterling": "GBP",
    "swiss francs": "CHF", "franken": "CHF", "yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "rupees": "INR",
    "美元": "USD", "ドル": "USD", "欧元": "EUR", "ユーロ": "EUR", "人民币": "CNY", "円": "JPY", "日元": "JPY",
    "元": "CNY", "人民币元": "CNY", "dólares": "USD", "dollaro": "USD", "francs suisses": "CHF",
}  # fmt: skip
_PERCENT = {
    "percentage points": "points", "percentage point": "points", "percent points": "points", "prozentpunkte": "points",
    "prozentpunkten": "points", "prozentpunkt": "points", "%-punkte": "points", "百分点": "points", "百分點": "points",
    "basis points": "bps", "basis point": "bps", "basispunkte": "bps", "bps": "bps", "bp": "bps", "pp": "points",
    "ppt": "points", "pts": "points", "per cent": "percent", "percent": "percent", "prozent": "percent",
    "pct": "percent", "パーセント": "percent", "%": "percent", "v.h.": "percent",
    "points de pourcentage": "points", "point de pourcentage": "points", "pour cent": "percent", "个百分点": "points",
    "個百分點": "points", "ポイント": "points", "por ciento": "percent", "puntos porcentuales": "points",
    "punti percentuali": "points", "per cento": "percent",
    "‰": "permille", "per mille": "permille", "promille": "permille", "pour mille": "permille", "por mil": "permille",
}  # fmt: skip
_ODD = _words("ah mah ppm db px fps rpm btu x")  # measures that nothing here converts
PHYSICAL = (
    *_ODD,
    *(name.replace("_", " ") for name, unit in UNITS.items() if unit.dimension not in ("time", "calendar")),
    *_words("ms µs ns"),
)
TIMES = tuple(name for name, unit in UNITS.items() if unit.dimension in ("time", "calendar")) + _words("歳 岁")
SUBUNITS = {"cent": "cents", "cents": "cents", "ct": "cents", "¢": "cents", "pence": "pence"}  # hundredths
_COUNTED = tuple(SUBUNITS) + _words(
    "shares share employees people persons customers users stores units countries tokens parameters "
    "人 名 株 股 件 个 個 台 家 店 辆 輛 隻 本 册 冊 回 次"
)
_MEASURES = PHYSICAL + TIMES + _COUNTED


def _alternatives(words: Iterable[str]) -> str:
    return one_of(words, letters_end=r"(?![^\W\d_])")


_LETTER_BEFORE = r"(?<![A-Za-z])"
_CODE = "|".join(_CODES)
_SYMBOL = "|".join(re.escape(s) for s in sorted(_SYMBOLS, key=len, reverse=True))
_BEFORE = re.compile(
    rf"(?:{_LETTER_BEFORE}(?:(?P<code>{_CODE})\s?)?(?P<symbol>{_SYMBOL})"
    rf"|{_LETTER_BEFORE}(?P<alone>{_CODE}))\s{{0,2}}$"
)
_AFTER_MONEY = re.compile(
    rf"\s?(?:(?P<code>{_CODE})(?![A-Za-z])|(?P<symbol>US\$|€|£|¥|₹|₩|₽|\$(?!\s?\d)|zł)|(?P<word>{_alternatives(list(_WORDS))}))",
)
_AFTER_WORD = re.compile(rf"(?:[\s-]|\sd['’]|\s?de\s)?(?P<word>{_alternatives(list(_WORDS))})", re.IGNORECASE)
_AFTER_PERCENT = re.compile(rf"[\s-]?(?P<word>{_alternatives(list(_PERCENT))})", re.IGNORECASE)
_AFTER_MEASURE = re.compile(rf"(?P<gap>[\s-]?)(?P<word>{_alternatives(_MEASURES)})", re.IGNORECASE)
# "Price (EUR)", "Mass [kg]", "Length in mm", "price_eur", "Length, mm".
_NAMED = re.compile(r"(?:(?<=[\s_])|^)[(\[（](?:in\s)?([^()\[\]（）]{1,24})[)\]）]")
_NAMED_LAST = re.compile(rf"(?:,\s*|\bin\s|_|\s(?=(?:{_CODE})$))([^\s,_()\[\]]{{1,12}})\s*$")
_RATE_TAIL = re.compile(r"\s*(?:/|\b(?:per|pro|par|a|an)\b).*$", re.IGNORECASE)
_ALIASES = {"RMB": "CNY"}
_WINDOW = 12  # the longest currency prefix is far shorter


def currency_before(text: str, position: int) -> tuple[str, int] | None:
    """(unit, start) of the currency that ends right before ``position``, None without one."""
    low = max(0, position - _WINDOW)
    match = _BEFORE.search(text[low:position])
    if match is None:
        return None
    name = match["code"] or match["alone"]
    unit: str = _ALIASES.get(name, name) if name else _SYMBOLS[match["symbol"]]
    return unit, low + match.start()


def currency_after(text: str, position: int) -> tuple[str, int] | None:
    """(unit, end) of the currency that begins at ``position`` (one blank allowed), None without one."""
    match = _AFTER_MONEY.match(text, position)
    if match is None:
        match = _AFTER_WORD.match(text, position)
        return (_WORDS[match["word"].casefold()], match.end()) if match else None
    if match["code"]:
        return _ALIASES.get(match["code"], match["code"]), match.end()
    if match["symbol"]:
        return _SYMBOLS[match["symbol"]], match.end()
    return _WORDS[match["word"].casefold()], match.end()


def percent_after(text: str, position: int) -> tuple[str, int] | None:
    """("percent" | "points" | "bps", end) at ``position``, None without one."""
    match = _AFTER_PERCENT.match(text, position)
    return (_PERCENT[match["word"].casefold()], match.end()) if match else None


def measure_after(text: str, position: int) -> tuple[str, int, bool] | None:
    """(measure in small letters, end, whether glued to the number) at ``position``, None without one."""
    match = _AFTER_MEASURE.match(text, position)
    if match is None:
        return None
    word = match["word"].casefold()
    return SUBUNITS.get(word, word), match.end(), not match["gap"]


def unit_of(phrase: str) -> str | None:
    """The unit that a phrase names: a currency code, "percent", "points", "bps" or a measure; None if unknown.

    "USD billions" gives "USD", "%" gives "percent", "US$ in millions" gives "USD".
    """
    text = phrase.strip()
    if not text:
        return None
    for word in re.findall(r"[A-Za-z]+", text):
        code = str(word).upper()
        if code in _CODES:
            return _ALIASES.get(code, code)
    for symbol in sorted(_SYMBOLS, key=len, reverse=True):
        if not symbol[-1].isalpha() and symbol in text:
            return _SYMBOLS[symbol]
    folded = text.casefold()
    tables: tuple[dict[str, str], ...] = (_PERCENT, _WORDS)
    for table in tables:
        for word in sorted(table, key=len, reverse=True):
            if re.search(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])" if word.isascii() else re.escape(word), folded):
                return table[word]
    return folded if folded in _MEASURES else None


def unit_named(heading: str) -> str | None:
    """The unit that a column header, row label or caption names for its numbers, None without one.

    "(m)" may be millions, and a single letter behind a comma anything: they name none.
    """
    for inner in _NAMED.findall(heading):
        unit = _whole_unit(inner) or _whole_unit(_RATE_TAIL.sub("", inner))
        if unit is not None and unit != "m":
            return unit
    last = _NAMED_LAST.search(heading)
    if last is None or (len(last[1]) == 1 and last[1].isalpha()):
        return None
    return _whole_unit(last[1].upper() if last[1].upper() in _CODES else last[1])


def _whole_unit(text: str) -> str | None:
    """The unit that makes up all of ``text``."""
    spaced = f" {text.strip()}"
    for found in (currency_after(spaced, 0), percent_after(spaced, 0), measure_after(spaced, 0)):
        if found is not None and found[1] == len(spaced):
            return found[0]
    return None


def is_currency(unit: str | None) -> bool:
    """Whether a unit as given by this module is a currency."""
    return unit == "¥" or unit in _CODES


def hundredths(small: str | None, money: str | None) -> bool:
    """Whether a hundred of ``small`` make one of the currency ``money``."""
    return money == "GBP" if small == "pence" else small == "cents" and money in ("USD", "EUR", "CAD", "AUD", "NZD")


def is_measure(unit: str | None) -> bool:
    """Whether a unit as given by this module measures or counts: neither money nor percent."""
    return unit in _MEASURES


def units_agree(first: str | None, second: str | None) -> bool:
    """Whether two units may describe one amount. An unknown unit agrees with all; "¥" is yen or yuan."""
    if first is None or second is None or first == second:
        return True
    return {first, second} in ({"¥", "JPY"}, {"¥", "CNY"})
