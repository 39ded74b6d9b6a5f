from __future__ import annotations

from decimal import Decimal

import pytest

from counterfoil.core.text.scales import scale_after, scale_of


@pytest.mark.parametrize(
    ("text", "money", "german", "power"),
    [
        (" million", False, False, 6),
        ("bn", False, False, 9),
        (" Mrd.", False, True, 9),
        (" Mio.", False, True, 6),
        (" Billion", False, True, 12),
        (" billion", False, False, 9),
        (" Billionen", False, False, 12),
        ("万", False, False, 4),
        ("百万", False, False, 6),
        ("億", False, False, 8),
        (" m", True, False, 6),
        ("k", False, False, 3),
    ],
)
def test_scale_words(text: str, money: bool, german: bool, power: int) -> None:
    scale = scale_after(text, 0, money=money, german=german)
    assert scale is not None and scale[0] == Decimal(10) ** power


@pytest.mark.parametrize("text", [" m", " metres", "mm", " miles", " billing", "kg", " k"])
def test_what_is_no_scale(text: str) -> None:
    assert scale_after(text, 0, money=False, german=False) is None


def test_phrases_name_a_scale() -> None:
    assert scale_of("USD billions") == 10**9 and scale_of("in Tsd. EUR") == 1000 and scale_of("百万円") == 10**6
    assert scale_of("USD") is None and scale_of("") is None
