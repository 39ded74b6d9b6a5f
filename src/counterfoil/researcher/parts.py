"""Owns questions that ask several things at once: their parts, and which of them an answer does not speak of.

Never: answering them; what is asked by itself is answered better.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from counterfoil.core.answer.candidate import Gap
from counterfoil.researcher import compose
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.draft import Cell, Draft
from counterfoil.researcher.periods import without_periods
from counterfoil.researcher.words import NEUTRAL, content, words

_OPENS = (
    r"(?:what|who|whom|whose|why|when|where|which|how|was|wer|wen|warum|wann|wo|wie|welche[rsn]?"
    r"|que|quel(?:le)?s?|qui|pourquoi|quand|où|combien|comment)\b"
)
_BETWEEN = re.compile(rf"(?<=[?？])\s+(?={_OPENS})|[,;]?\s+(?:and|und|et)\s+(?={_OPENS})", re.IGNORECASE)
_ASKS = re.compile(rf"(?:[^,?]{{0,60}},\s*)?{_OPENS}", re.IGNORECASE)
_TELLING_MIN = 2  # a part of one telling word ("and what did it cost") may be answered in other words

_NAMED_MAX = 3


def parts(question: str) -> tuple[str, ...]:
    """The things that ``question`` asks, each in its own words; one when it asks a single thing."""
    found = tuple(part.strip(" ?？.") for part in _BETWEEN.split(question.strip()))
    return found if len(found) > 1 and all(_ASKS.match(part) for part in found) else (question,)


def unanswered(ask: Ask, body: str, field: str = "") -> tuple[str, ...]:
    """The parts of a question of which not one telling word stands in ``body``.

    A part that tells little is left out, but for the one that names ``field``.
    """
    found = dict.fromkeys(parts(ask.plain))
    if len(found) < 2:
        return ()
    have, named = set(words(body)), _telling(field, ask)
    told = {part: _telling(part, ask) for part in found}
    enough = (part for part in found if len(told[part]) >= _TELLING_MIN or (named and named <= told[part]))
    return tuple(part for part in enough if not told[part] & have)


def _telling(text: str, ask: Ask) -> set[str]:
    known = NEUTRAL | set(words(ask.subject or ""))
    return {word for word in content(without_periods(text)) if word not in known and not word.isdigit()}


def with_parts(draft: Draft, ask: Ask, cell: Cell) -> Draft:
    """The draft with what it leaves unanswered named, and declared as a gap; a value of that part is no value of it."""
    left = unanswered(ask, draft.body, cell.field) if draft.facts else ()
    if not left:
        return draft
    more = f" and {len(left) - _NAMED_MAX} more" if len(left) > _NAMED_MAX else ""
    asked = "; ".join(f"“{part}”" for part in left[:_NAMED_MAX]) + more
    gap = Gap(cell.row, cell.field, "unresolved", f"several things were asked at once, and open is {asked}")
    note = f"Not answered here: {compose.inline(asked)}. Ask it by itself."
    named = _telling(cell.field, ask)
    facts = [] if any(named <= _telling(part, ask) for part in left) else draft.facts
    return replace(draft, body=f"{draft.body}\n\n{note}", facts=facts, gaps=[*draft.gaps, gap])
