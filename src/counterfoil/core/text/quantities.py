"""Owns numbers as people write them: finding them in text with unit and scale, reading, comparing, writing.

Never: what a number means, or which cell it belongs to; list numbers and headings are the caller's.
"""

from __future__ import annotations

import itertools
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal

import msgspec

from counterfoil.core.text.clocks import CLOCK, clock_of
from counterfoil.core.text.compounds import joined
from counterfoil.core.text.folding import digits_folded
from counterfoil.core.text.labels import label_before
from counterfoil.core.text.periods import Period, find_periods
from counterfoil.core.text.quantity import Quantity as Quantity
from counterfoil.core.text.quantity import QuantityKind
from counterfoil.core.text.scales import scale_after, scale_of
from counterfoil.core.text.units import (
    PHYSICAL,
    currency_after,
    currency_before,
    is_currency,
    measure_after,
    percent_after,
    unit_of,
)

DecimalMark = Literal[".", ","]

_WIDE = Context(prec=60)  # sums of large filings' figures and quantize must not round
_THIN = "\u00a0\u2007\u2009\u202f"
_NUMBER = re.compile(
    rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!,?\d)"  # 1,577.5
    rf"|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?:\.\d+)?(?!,?\d)"  # 1,23,456 (India)
    rf"|\d{{1,3}}(?:\.\d{{3}})+,\d+(?![.,]?\d)|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?![.,]?\d)"  # 1.234,56
    rf"|\d{{1,3}}(?:['’]\d{{3}})+(?:[.,]\d+)?(?!\d)"  # 1'234.5
    rf"|\d{{1,3}}(?:[{_THIN}]\d{{3}})+(?:[.,]\d+)?(?!\d)"  # 1 234,5 with no-break blanks
    rf"|\d{{1,3}}(?: \d{{3}})+,\d+(?!\d)"  # 1 234,5: the comma tells that the blanks group
    rf"|\d+(?:\.\d+){{2,}}"  # 3.11.2
    rf"|\d+\.\d+|(?<!\d,)\d+,\d{{1,3}}(?![.,]?\d)|\d+|(?<![\w.])\.\d+"
)
_SPACED = re.compile(
    rf"(?<![\d,.])\d{{1,3}}(?: \d{{3}})+(?![\d,.]\d|\d)|{_NUMBER.pattern}"
)  # 8 450, where a comma is decimal
_LETTER = r"[A-Za-zÀ-ÖØ-öø-ɏͰ-ϿЀ-ӿ_]"
_GLUED_BEFORE = re.compile(rf"{_LETTER}\Z|{_LETTER}{_LETTER}*[-/.]\Z|[#@\\]\Z|(?<![\d\s%)])/\Z")
_GLUED_AFTER = re.compile(rf"{_LETTER}|[-–][A-Z]{{1,3}}\d*(?![A-Za-z])|[\\/@]{_LETTER}")
_OPAQUE = re.compile(
    r"https?://\S+|www\.\S+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w[\w.]*|\+\d[\d ()/-]{6,}\d|\b\d{3}[-.]\d{3,4}[-.]\d{4}\b"
    rf"|{CLOCK}"
    r"|(?<![\w./-])[\w-]{1,64}(?:/[\w.-]{1,64}){1,12}\.\w{1,8}\b|(?<![\w-])\d+(?:-\d+){2,}\b"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z])")
_VERSION_BEFORE = re.compile(r"\b(?:version|python|release|v)\s?$", re.IGNORECASE)
_CJK_PERCENT = re.compile(r"百分之\s?$")
_CJK_ORDINAL = re.compile(r"第\s?$")
_GERMAN_NUMBER = re.compile(r"\d\.\d{3},\d|(?<![\d,])\d+,\d{1,2}(?![\d,.]\d|\d)")
_ENGLISH_NUMBER = re.compile(r"\d,\d{3}\.\d|(?<![\d.])\d+\.\d{1,2}(?![\d.,]\d|\d)|\d,\d{3},\d{3}")
_COMMA_WORD = re.compile(
    r"\b(?:Mio|Mrd|Tsd|Tausend|Der|Das|betrug(?:en)?|beträgt|Millionen|Milliarden?|Prozent|Umsatz|und|der|die|das|von|für"
    r"|les|une|aux|sont|dont|avec|milliards|[dl]['’]\w+|los|las|una|del|fue|fueron|millones|della|sono|milioni|miliardi|milhões)\b"
)
_DASHES = frozenset({"-", "--", "---", "—", "–", "―", "‒", "nil", "$-", "$—", "$–", "€—", "—%", "-%", "–%", "*"})
_FOOTNOTES = re.compile(r"(?<=[\d)%])\s*(?:\(?[*†‡§]+\)?|\([a-z]\)|[¹²³⁴⁵⁶⁷⁸⁹⁰]+)+$")
_CLOSED = re.compile(r"[\d.,' ]*\d\s?\)")
_RANGE = re.compile(r"\s*(?:[-–—~～]|to|bis|auf|à|a|and|und|至|から)\s*")
_YEAR_DIGITS = re.compile(r"(?:19|20)\d\d")


def guess_decimal(text: str) -> DecimalMark | None:
    """The decimal mark that ``text`` shows in numbers that can be read one way only; None without evidence."""
    german, english = bool(_GERMAN_NUMBER.search(text)), bool(_ENGLISH_NUMBER.search(text))
    if german != english:
        return "," if german else "."
    return "," if not german and _COMMA_WORD.search(text) else None


def _read_digits(token: str, decimal: DecimalMark | None) -> tuple[Decimal, int]:
    """(value, decimals) of a bare number token; only "1,234" and "1.234" depend on ``decimal``."""
    token = re.sub(rf"['’ {_THIN}]", "", token)
    mark = _mark_of(token, decimal)
    other = "," if mark == "." else "."
    plain = token.replace(other, "").replace(mark, ".")
    whole, _, tail = plain.partition(".")
    return Decimal(f"{whole or '0'}.{tail}" if tail else whole), len(tail)


def _mark_of(token: str, decimal: DecimalMark | None) -> DecimalMark:
    last = max(token.rfind("."), token.rfind(","))
    if last < 0:
        return decimal or "."
    mark: DecimalMark = "," if token[last] == "," else "."
    other: DecimalMark = "." if mark == "," else ","
    if other in token:
        return mark  # both are there: the last one is the decimal mark
    if token.count(mark) > 1:
        return other  # only a group mark comes twice
    groups = re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", token)
    return mark if groups is None else (decimal or ".")


def parse_number(text: str, decimal: DecimalMark | None = None) -> Decimal | None:
    """The one number that ``text`` is: sign, accounting brackets, currency and percent sign allowed.

    "12%" is 12, "(206)" is -206. "1.234" and "1,234" read by ``decimal``, else as English. No scale words
    ("1.6 billion" is None here; see ``parse_amount``), no versions. None when the text is anything else.
    """
    folded = digits_folded(" ".join(text.split()) if not any(c in _THIN for c in text) else text.strip())
    folded = folded.replace("–", "-").replace("—", "-") if folded[:1] in "–—" else folded
    negative = False
    bracket = re.fullmatch(r"(?P<pre>[^\d()]*)\((?P<in>[^()]+)\)(?P<post>\s?%?)", folded)
    if bracket:
        folded, negative = f"{bracket['pre']}{bracket['in']}{bracket['post']}", True
    match = re.fullmatch(
        rf"(?P<pre>[^\d.]*?)\s?(?P<n>(?:{_NUMBER.pattern})|\d{{1,3}}(?: \d{{3}})+)\s?(?P<post>[^\d]*)", folded
    )
    if match is None:
        return None
    before, after = match["pre"].replace(" ", ""), match["post"].strip()
    signs = [c for c in before if c in "+-"]
    rest = before.replace("+", "", 1).replace("-", "", 1)
    if len(signs) > 1 or (rest and currency_before(rest, len(rest)) != (_unit(rest), 0)):
        return None
    if after and after != "%" and (currency_after(after, 0) or ("", -1))[1] != len(after):
        return None
    if re.fullmatch(r"\d+(?:\.\d+){2,}", match["n"]) and not re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", match["n"]):
        return None
    value, _ = _read_digits(match["n"], decimal)
    return -value if negative or "-" in signs else value


def _unit(text: str) -> str:
    found = currency_before(text, len(text))
    return found[0] if found else ""


def parse_cell(text: str, decimal: DecimalMark | None = None) -> Decimal | None:
    """The value of a table cell: as ``parse_number``, but a dash or "nil" is 0 and footnote marks are dropped."""
    folded = " ".join(text.split())
    if folded.replace(" ", "").casefold() in _DASHES:
        return Decimal(0)
    return parse_number(_FOOTNOTES.sub("", folded), decimal)


def parse_amount(text: str, decimal: DecimalMark | None = None) -> Quantity | None:
    """The one quantity that makes up all of ``text`` ("$1.6 billion", "8,7 Mio. €"), None otherwise."""
    stripped = text.strip()
    found = find_quantities(stripped, decimal)
    return found[0] if len(found) == 1 and found[0].start == 0 and found[0].end == len(stripped) else None


def find_quantities(text: str, decimal: DecimalMark | None = None) -> tuple[Quantity, ...]:
    """Every number in ``text`` in order, without overlap; each date, period and identifier is one quantity.

    ``decimal`` is the document's decimal mark; without it, numbers in the text that can be read one way only
    decide, else English. "(206)" is negative; a bare bracketed number of one or two digits, or a year, is not.
    """
    folded = digits_folded(text)
    mark = decimal or guess_decimal(folded)
    opaque = [(m.start(), m.end()) for m in _OPAQUE.finditer(folded)]
    periods = find_periods(text)
    out: list[Quantity] = []
    position, opened, begun = 0, 0, 0
    number = _SPACED if mark == "," else _NUMBER
    while (match := number.search(folded, position)) is not None:
        start = match.start()
        while opened < len(opaque) and opaque[opened][1] <= start:
            opened += 1
        while begun < len(periods) and periods[begun].end <= start:
            begun += 1
        covering = opaque[opened] if opened < len(opaque) and opaque[opened][0] <= start else None
        period = periods[begun] if begun < len(periods) and periods[begun].start <= start else None
        if covering is not None and (period is None or period.kind == "year"):
            quantity = _opaque(text, *covering)
        else:
            quantity = _quantity(text, folded, match, mark, out[-1].end if out else 0)
            if period is not None and not _outweighs(quantity, period):
                quantity = _of_period(period)
        if out and quantity.start < out[-1].end:
            position = max(match.end(), out[-1].end)
            continue
        out.append(quantity)
        position = max(quantity.end, match.end() if quantity.end > start else start + 1)
    return tuple(_ranges(folded, joined(folded, out)))


def _outweighs(quantity: Quantity, period: Period) -> bool:
    """A plain year that carries a scale or a measure is an amount ("2000 USD", "2023 million", "2000 kg")."""
    amount = quantity.kind in ("money", "percent") or quantity.multiplier != 1 or quantity.unit in PHYSICAL
    return period.kind == "year" and "年" not in period.text and amount


def _opaque(text: str, start: int, end: int) -> Quantity:
    kind: QuantityKind = "date" if clock_of(text[start:end]) else "identifier"
    return Quantity(text[start:end], start, end, Decimal(0), 0, None, Decimal(1), kind)


def _of_period(period: Period) -> Quantity:
    kind: QuantityKind = "date" if period.kind in ("date", "months") else "year"
    return Quantity(period.text, period.start, period.end, Decimal(period.year or 0), 0, None, Decimal(1), kind)


def _quantity(text: str, folded: str, match: re.Match[str], mark: DecimalMark | None, floor: int) -> Quantity:
    start, end, token = match.start(), match.end(), match.group()
    currency = currency_before(folded, start) or _currency_before_sign(folded, start)
    head = currency[1] if currency else start
    if re.fullmatch(r"\d+(?:\.\d+){2,}", token) and not re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3}){2,}", token):
        return _named(text, folded, start, end, "version", floor)
    if _VERSION_BEFORE.search(folded, max(0, start - 12), start):
        return _named(text, folded, start, end, "version", floor)
    if currency is None and _GLUED_BEFORE.search(folded, max(0, start - 40), start):
        return _named(text, folded, start, end, "identifier", floor)
    if (ordinal := _ORDINAL.match(folded, end)) or _CJK_ORDINAL.search(folded, max(0, start - 2), start):
        stop = ordinal.end() if ordinal else end
        place = Decimal(token.replace(",", "").split(".")[0])
        return Quantity(text[start:stop], start, stop, place, 0, None, Decimal(1), "ordinal")
    value, decimals = _read_digits(token, mark)
    label = label_before(folded, start) if token.isdecimal() and currency is None else None
    unit, kind, multiplier, tail = _tail(folded, end, currency[0] if currency else None, mark)
    glued = _GLUED_AFTER.match(folded, end)
    if currency is None and glued and (glued[0][0] in "-–" or (unit is None and multiplier == 1)):
        return _named(text, folded, start, end, "identifier", floor)
    if label is not None and unit is None and multiplier == 1:
        return Quantity(text[label:end], label, end, value, 0, None, Decimal(1), "identifier")
    if _CJK_PERCENT.search(folded, max(0, start - 4), start):
        unit, kind = "percent", "percent"
    negative, head, tail = _sign(folded, head, start, tail, token, plain=unit is None and multiplier == 1)
    value = _WIDE.multiply(-value if negative else value, multiplier)
    return Quantity(text[head:tail], head, tail, value, decimals, unit, multiplier, kind, negative)


def _currency_before_sign(folded: str, start: int) -> tuple[str, int] | None:
    """The currency in "$(206)" or "$-5", whose sign stands between it and the number."""
    lead = re.search(r"[-(]\s?$", folded[max(0, start - 2) : start])
    if lead is not None and lead[0][0] == "(" and _CLOSED.match(folded, start) is None:
        return None  # "255 € (3 × 85 €)"
    return currency_before(folded, max(0, start - 2) + lead.start()) if lead else None


def _named(text: str, folded: str, start: int, end: int, kind: QuantityKind, floor: int) -> Quantity:
    """Widen to the whole name that the digits belong to, not into what stands before ``floor``."""
    while start > floor and re.match(rf"{_LETTER}|[\d.#@/\\-]", folded[start - 1]):
        start -= 1
    while end < len(folded) and re.match(rf"{_LETTER}|[\d/\\-]|[.](?=\w)", folded[end : end + 2]):
        end += 1
    while end > start + 1 and folded[end - 1] in "-./":
        end -= 1
    digits = re.search(r"\d+", folded[start:end])
    value = Decimal(digits[0]) if digits else Decimal(0)
    return Quantity(text[start:end], start, end, value, 0, None, Decimal(1), kind)


def _tail(
    folded: str, end: int, currency: str | None, mark: DecimalMark | None
) -> tuple[str | None, QuantityKind, Decimal, int]:
    """(unit, kind, multiplier, end) of what follows the digits."""
    close = end + 1 if currency and folded[end : end + 1] == ")" and folded[end + 1 : end + 2] == " " else end
    multiplier, stop = Decimal(1), end
    percent = percent_after(folded, end) or (percent_after(folded, end + 1) if folded[end : end + 1] == ")" else None)
    if percent and currency is None:
        return percent[0], "percent", multiplier, percent[1]
    scale = scale_after(folded, close, money=currency is not None, german=mark == ",")
    if scale:
        multiplier, stop = scale[0], scale[1]
    after = currency_after(folded, stop)
    if after and (currency is None or after[0] == currency):
        return currency or after[0], "money", multiplier, after[1]
    if currency:
        return currency, "money", multiplier, stop
    measure = measure_after(folded, stop)
    if scale and measure and (measure[0] not in PHYSICAL or len(measure[0]) == 1 or measure[2]):
        measure = None  # "2 million years", "5m": only "1.9 million tonnes" is surely measured
    if measure and not (measure[2] and len(measure[0]) == 1 and folded[end].isupper()):
        return measure[0], "number", multiplier, measure[1]
    return None, "number", multiplier, stop


def _sign(folded: str, head: int, start: int, tail: int, token: str, *, plain: bool) -> tuple[bool, int, int]:
    """(negative, start, end) with a minus or accounting brackets taken in."""
    for place in {start, head}:
        before = folded[place - 1 : place]
        if before in ("-", "–") and place > 0 and not re.search(r"(?:[\d%)]\s*|\w)$", folded[: place - 1]):
            return True, min(head, place - 1), tail
        if before != "(":
            continue
        inner = re.match(r"\s?\)", folded[start + len(token) :])
        close = start + len(token) + inner.end() if inner else tail + 1 if folded[tail : tail + 1] == ")" else 0
        short = plain and place == head and token.isdigit() and (len(token) <= 2 or bool(_YEAR_DIGITS.fullmatch(token)))
        if close and not short:
            return True, min(head, place - 1), max(tail, close)
    return False, head, tail


def _ranges(folded: str, found: list[Quantity]) -> list[Quantity]:
    """Give the first end of "10-15%" or "$10 to $15 million" the unit and scale of the second."""
    for i, (first, last) in enumerate(itertools.pairwise(found)):
        scaled = last.unit is None and last.multiplier != 1 and first.decimals == 0  # "£36–39 million"
        plain = (
            first.kind in ("number", "money") and first.multiplier == 1 and (scaled or first.unit in (None, last.unit))
        )
        if not plain or last.kind not in ("number", "money", "percent"):
            continue
        bare = last.multiplier == 1 and last.unit is None and first.unit is None
        if bare or not _RANGE.fullmatch(folded, first.end, last.start):
            continue
        kind: QuantityKind = "money" if "money" in (first.kind, last.kind) else last.kind
        found[i] = msgspec.structs.replace(
            first, value=_WIDE.multiply(first.value, last.multiplier), multiplier=last.multiplier,
            unit=first.unit or last.unit, kind=kind,
        )  # fmt: skip
        if last.unit is None:
            found[i + 1] = msgspec.structs.replace(last, unit=first.unit, kind=kind)
    return found


def amount_in(value: str, unit: str | None, decimal: DecimalMark | None = None) -> Quantity | None:
    """``value`` read with the scale and unit that ``unit`` names: ("1.577", "USD billions") is 1577000000 USD.

    A scale or unit inside ``value`` wins. None when ``value`` is not exactly one amount.
    """
    amount = parse_amount(value, decimal)
    if amount is None or amount.kind not in ("money", "percent", "number", "year"):
        return None
    if unit is None:
        return amount
    scale = scale_of(unit) if amount.multiplier == 1 else None
    name = amount.unit or unit_of(unit)
    kind: QuantityKind = "percent" if name in ("percent", "points", "bps") else "number"
    if is_currency(name):
        kind = "money"
    multiplier = scale or amount.multiplier
    scaled = _WIDE.multiply(amount.value, scale) if scale else amount.value
    return msgspec.structs.replace(amount, value=scaled, multiplier=multiplier, unit=name, kind=kind)


def same_amount(written: Quantity, value: Decimal, *, ignore_sign: bool = False) -> bool:
    """Whether ``written`` may stand for ``value``: within half a unit of its last written digit, scale included.

    8.7 stands for 8.738, 8.70 does not. Signs must agree unless ``ignore_sign`` (a "loss of $206" against
    (206)). Units are the caller's: ``value`` is in the unit of ``written``, unscaled.
    """
    a, b = (abs(written.value), abs(value)) if ignore_sign else (written.value, value)
    return abs(_WIDE.subtract(a, b)) <= _WIDE.divide(written.step, Decimal(2))


def format_amount(value: Decimal, decimals: int) -> str:
    """``value`` with thousands commas and ``decimals`` digits, halves away from zero; never "-0"."""
    context = Context(prec=max(60, value.adjusted() + decimals + 3))
    rounded = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, context)
    return f"{abs(rounded) if rounded == 0 else rounded:,.{decimals}f}"
