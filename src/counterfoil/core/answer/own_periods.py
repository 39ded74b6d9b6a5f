"""Owns which period of a sentence belongs to which of its numbers.

Never: whether a number is of that period in a document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from counterfoil.core.text.periods import Period
from counterfoil.core.text.quantities import Quantity

_AFTER_GAP = re.compile(r"[^,;.，、。；:\d]{0,40}", re.IGNORECASE)
_AFTER_STOP = re.compile(
    r"\b(?:and|from|compared|against|versus|vs|than|up|down|und|gegenüber|nach|contre|et|but|while|to|or)\b|[和与比から]",
    re.IGNORECASE,
)
_COMPARED = re.compile(  # "4% fewer than in 2023, and 40 vans": the vans are not of 2023
    r"\b(?:than|compared (?:to|with)|against|versus|vs\.?|gegenüber|als|contre|qu['’]|que)"
    r"\s*(?:in|im|en|the|dem|year)?\s*$",
    re.IGNORECASE,
)
_NEAR = 24
_JOIN = re.compile(r"\s*(?:,|，|、|&|and|und|et|y|e|和|及|と|,\s*and|,\s*und)\s*(?:in\s+|im\s+|en\s+)?", re.IGNORECASE)
_JOIN_TO = re.compile(rf"(?:{_JOIN.pattern}|\s*(?:to|auf|à|bis)\s*)", re.IGNORECASE)  # "from 11 to 9"
_COMPARE = re.compile(
    r"\b(?:from|compared|against|versus|vs|than|gegenüber|nach|von|contre|auf|zuvor|previous|prior|earlier"
    r"|year before|vorjahr|après)\b"
    r"|[比从]|から|に比べ|に対し|同期|前期|前年",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"[(（][^()（）]*[:：]\s*$")  # "94% (2023: 92%)"
_WORDS_MAX = 6  # between a number and the period behind it


def owned(
    text: str, amounts: Sequence[Quantity], periods: Sequence[Period]
) -> tuple[dict[int, Period], dict[int, frozenset[int]]]:
    """Each amount's own period, and the years that belong to what it is compared with."""
    own = _listed(text, amounts, periods)
    for i, amount in enumerate(amounts):
        if i in own:
            continue
        limit = amounts[i + 1].start if i + 1 < len(amounts) else len(text)
        after = next((p for p in periods if amount.end <= p.start < limit), None)
        if (
            after is not None
            and _close(text[amount.end : after.start])
            and not re.match(r"\s?[:：]", text[after.end :])
        ):
            own[i] = after
            continue
        floor = amounts[i - 1].end if i else 0
        before = [p for p in periods if floor <= p.start and p.end <= amount.start and not _taken(p, own)]
        before = [p for p in before if not _COMPARED.search(text, max(0, p.start - _NEAR), p.start)]
        if before and not (i and _belongs(text, amounts[i - 1], before[-1], own, i - 1)):
            own[i] = before[-1]
    _inherited(text, amounts, own)
    return own, _excluded(text, amounts, own)


def _taken(period: Period, own: dict[int, Period]) -> bool:
    return any(p.start == period.start for p in own.values())


def _belongs(text: str, earlier: Quantity, period: Period, own: dict[int, Period], at: int) -> bool:
    return own.get(at) == period


def _close(gap: str) -> bool:
    """Whether a period right behind a number is its own: a few words, no comma, nothing that compares."""
    return (
        _AFTER_GAP.fullmatch(gap) is not None
        and len(gap.split()) <= _WORDS_MAX
        and not _AFTER_STOP.search(
            re.sub(r"\b(?:as|end|start|beginning|half|quarter|year)\s+of\b|^\s*of\b(?=.*\bin\b)", "", gap)
        )
    )


def _listed(text: str, amounts: Sequence[Quantity], periods: Sequence[Period]) -> dict[int, Period]:
    """ "$5, $4 and $3 in 2022, 2021 and 2020": as many periods as amounts, in the same order."""
    runs = [
        _runs(text, [(p.start, p.end) for p in periods]),
        _runs(text, [(a.start, a.end) for a in amounts], _JOIN_TO),
    ]
    own: dict[int, Period] = {}
    for dates in runs[0]:
        for numbers in runs[1]:
            if len(dates) != len(numbers) or len(dates) < 2:
                continue
            for p, a in zip(dates, numbers, strict=True):
                own.setdefault(a, periods[p])
    return own


def _runs(text: str, spans: Sequence[tuple[int, int]], join: re.Pattern[str] = _JOIN) -> list[list[int]]:
    out: list[list[int]] = []
    for i, (start, _) in enumerate(spans):
        if out and join.fullmatch(text, spans[i - 1][1], start):
            out[-1].append(i)
        else:
            out.append([i])
    return out


def _inherited(text: str, amounts: Sequence[Quantity], own: dict[int, Period]) -> None:
    """Numbers without a period take that of the number before or behind, unless the two are compared."""
    for i in range(1, len(amounts)):
        if i in own or i - 1 not in own or _COMPARE.search(text, amounts[i - 1].end, amounts[i].start):
            continue
        compared = i > 1 and _COMPARE.search(text, amounts[i - 2].end, amounts[i - 1].start)
        if not compared:
            own[i] = own[i - 1]
        elif i - 2 in own:  # "184 in 2024, against 171 in 2023, a rise of 7%"
            own[i] = own[i - 2]
    for i in range(len(amounts) - 2, -1, -1):
        behind = own.get(i + 1)
        if i not in own and behind is not None and behind.start > amounts[i + 1].start:
            gap = text[amounts[i].end : amounts[i + 1].start]
            if not _COMPARE.search(gap) and not re.search(r"\bto\b|\bà\b|[到至]", gap):
                own[i] = behind


def _excluded(text: str, amounts: Sequence[Quantity], own: dict[int, Period]) -> dict[int, frozenset[int]]:
    out: dict[int, frozenset[int]] = {}
    for i in range(len(amounts) - 1):
        base = own.get(i + 1)
        gap = text[amounts[i].end : amounts[i + 1].start]
        if i not in own and base is not None and base.year and (_COMPARE.search(gap) or _ASIDE.search(gap)):
            out[i] = frozenset({base.year})
    return out
