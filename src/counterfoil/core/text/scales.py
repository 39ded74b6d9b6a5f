"""Owns scale words (million, Mrd., 億): what each multiplies by and how to read one beside a number.

Never: table captions such as "In millions" (readers resolve those into a cell's multiplier).
"""

from __future__ import annotations

import re
from decimal import Decimal

from counterfoil.core.text.alternatives import one_of
from counterfoil.core.text.units import currency_after

THOUSAND, MILLION, BILLION, TRILLION = (Decimal(10) ** power for power in (3, 6, 9, 12))

# Longer spellings first where one begins another. Keys are case-folded and without a full stop.
_WORDS: dict[str, Decimal] = {
    "thousand": THOUSAND, "thousands": THOUSAND, "tausend": THOUSAND, "tsd": THOUSAND, "mille": THOUSAND,
    "million": MILLION, "millions": MILLION, "millionen": MILLION, "mio": MILLION, "mill": MILLION, "mn": MILLION,
    "mln": MILLION, "mm": MILLION,
    "billion": BILLION, "billions": BILLION, "milliarde": BILLION, "milliarden": BILLION, "milliard": BILLION,
    "milliards": BILLION, "mrd": BILLION, "md": BILLION, "bn": BILLION, "bln": BILLION,
    "millón": MILLION, "millones": MILLION, "milioni": MILLION, "milione": MILLION, "milhões": MILLION,
    "milhão": MILLION,
    "mil millones": BILLION, "miliardi": BILLION, "miliardo": BILLION, "bilhões": BILLION, "bilhão": BILLION,
    "trillion": TRILLION, "trillions": TRILLION, "billionen": TRILLION, "tn": TRILLION, "trn": TRILLION,
    "lakh": Decimal(10) ** 5, "lakhs": Decimal(10) ** 5, "crore": Decimal(10) ** 7, "crores": Decimal(10) ** 7,
}  # fmt: skip
_LETTERS: dict[str, Decimal] = {"k": THOUSAND, "m": MILLION, "b": BILLION, "t": TRILLION}
_CJK_SMALL = {"": Decimal(1), "十": Decimal(10), "百": Decimal(100), "千": THOUSAND}
_CJK_LARGE = {
    "万": Decimal(10) ** 4, "萬": Decimal(10) ** 4, "億": Decimal(10) ** 8, "亿": Decimal(10) ** 8, "兆": TRILLION,
}  # fmt: skip

_WORD = one_of(_WORDS)
# The full stop behind "Mio." is part of it; behind "million." it ends the sentence.
_SHORTENED = r"(?:(?<=tsd)|(?<=mio)|(?<=mill)|(?<=mn)|(?<=mln)|(?<=mrd)|(?<=md)|(?<=bn)|(?<=bln))"
_AFTER = re.compile(
    rf"(?P<gap>[\s-]?)(?:(?P<word>{_WORD})(?:{_SHORTENED}\.(?!\w))?(?![^\W\d_])|(?P<cjk>[十百千]?[万萬億亿兆]|[百千](?=[円元]))"
    r"|(?P<letter>[kmbt])(?![^\W\d_]))",
    re.IGNORECASE,
)


class Scale(tuple[Decimal, int, bool]):
    """(multiplier, end position, whether CJK numerals may go on behind it)."""

    __slots__ = ()


def scale_after(text: str, position: int, *, money: bool, german: bool) -> Scale | None:
    """The scale word at ``position``, None without one.

    A single letter counts when glued to the number ("5m") or, spaced, behind a currency ("$5 m").
    ``german`` reads "Billion" as a million millions.
    """
    match = _AFTER.match(text, position)
    if match is None:
        return None
    if match["cjk"]:
        small, large = (match["cjk"][:1], match["cjk"][1:]) if match["cjk"][0] in _CJK_SMALL else ("", match["cjk"])
        return Scale((_CJK_SMALL[small] * _CJK_LARGE.get(large, Decimal(1)), match.end(), True))
    money = money or currency_after(text, match.end()) is not None  # "310 Md€"
    if match["word"]:
        word = match["word"].casefold()
        if word in ("mm", "md", "mill") and not (money or word == "mill"):
            return None  # millimetres
        value = TRILLION if german and word == "billion" else _WORDS[word]
        return Scale((value, match.end(), False))
    if match["gap"] and not (money and match["gap"] != "-"):
        return None
    return Scale((_LETTERS[match["letter"].casefold()], match.end(), False))


def scale_of(phrase: str) -> Decimal | None:
    """The multiplier that a phrase such as "millions", "USD billions" or "in Tsd. EUR" names, None without one."""
    for word in re.findall(r"[^\W\d_]+", phrase.casefold()):
        if word in _WORDS:
            return _WORDS[word]
    cjk = re.search(r"([十百千]?)([万萬億亿兆])|([百千])(?=[円元])", phrase)
    if cjk:
        return _CJK_SMALL[cjk[3]] if cjk[3] else _CJK_SMALL[cjk[1]] * _CJK_LARGE[cjk[2]]
    return None
