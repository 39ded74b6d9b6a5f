"""Owns the researcher's one door to numbers: what is written becomes a Decimal and back.

Never: guessing; what is not a number by grammar is None, and so is a dash.
"""

from __future__ import annotations

from decimal import Decimal

from counterfoil.core.text.quantities import DecimalMark, format_amount, parse_amount, parse_number


def number(written: str, mark: DecimalMark | None = None) -> Decimal | None:
    """Return the value of a written figure ("(1,577)", "$ 8.7", "45%"), or None."""
    return parse_number(written.strip(), mark)


def operand_text(written: str, value: Decimal) -> str:
    """Return a figure as an operand: as written, or plain where that alone would read as another ("(64)", "98.700")."""
    parsed = parse_amount(written)
    return written if parsed is not None and parsed.value == value else format(value, "f")


def grouped(value: Decimal, decimals_max: int = 2) -> str:
    """Return ``value`` with thousands separators, at most so many decimals and no needless zeros: "5,466.31"."""
    text = format_amount(value, decimals_max)
    return text.rstrip("0").rstrip(".") if "." in text else text


def fixed(value: Decimal, places: int) -> str:
    """Return ``value`` with exactly ``places`` decimals and thousands separators."""
    return format_amount(value, places)
