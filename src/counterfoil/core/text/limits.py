"""Owns words that make a number a bound or a round one: "more than 50", "nearly 60", "about 5,400".

Never: whether it holds.
"""

from __future__ import annotations

import re

_ABOVE = (
    r"more than|over|above|at least|exceed(?:s|ed|ing)?"
    r"|(?:surpass(?:es|ed|ing)?|topped|topping|dépass[^\W\d_]*|super(?:a|an|ó|aron)|rebas(?:a|ó|aron)|überst[^\W\d_]+)"
    r"(?:\s(?:the|los|las|les|die|den))?"
    r"|mehr als|über|mindestens|plus de|más de|oltre|più di|超过|逾"
)
_BELOW = (
    r"nearly|almost|just under|fewer than|less than|under|below|close to|fast|knapp|beinahe|weniger als|unter"
    r"|près de|presque|moins de|casi|menos de|quasi|meno di|近|不到"
)
_LIMIT = re.compile(rf"(?:(?P<above>(?<![^\W\d_])(?:{_ABOVE}))|(?<![^\W\d_])(?:{_BELOW}))\s*$", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?<![^\W\d_])(?:about|around|some|roughly|approximately|approx\.?|nearly|almost|circa|ca\.?|rund|etwa|ungefähr|fast|knapp"
    r"|environ|presque|près de|unos|unas|cerca de|casi|circa|quasi|约|約|大约|~|≈)\s*$",
    re.IGNORECASE,
)
_WINDOW = 20


def about_before(text: str, position: int) -> bool:
    """Whether the words right before ``position`` say that a number is a round one: "about 5,400"."""
    return _ABOUT.search(text[max(0, position - _WINDOW) : position]) is not None


def limit_before(text: str, position: int) -> int:
    """1 when the words right before ``position`` say "more than", -1 when they say "nearly" or "less than", else 0."""
    match = _LIMIT.search(text[max(0, position - _WINDOW) : position])
    if match is None:
        return 0
    return 1 if match["above"] else -1
