"""Owns the contract that the researcher proposes for a plain question: one field, a row for each subject compared.

Never: more than the question says.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.contract import Field, FieldType, Row
from counterfoil.researcher.ask import Ask, interpret
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.rivals import subjects_compared

_TYPES: dict[str, FieldType] = {
    "money": "money",
    "per_share": "money",
    "percent": "percent",
    "ratio": "ratio",
    "count": "count",
    "days": "number",
    "text": "text",
}
_ROW_CHARS_MAX = 60
_FIELD_WORDS_MAX = 8


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A contract as an entry reply names it."""

    rows: tuple[Row, ...]
    fields: tuple[Field, ...]
    kind: str = "research"


def propose(question: str, lexicon: Lexicon) -> str:
    """Return the JSON of a contract proposal for ``question``."""
    ask = interpret(question, lexicon)
    compared = subjects_compared(question, lexicon) if ask.targets else ()
    rows = tuple(Row(name=name[:_ROW_CHARS_MAX]) for name in compared or (ask.subject or _topic(ask),))
    return msgspec.json.encode(
        {"kind": "research", **msgspec.to_builtins(Proposal(rows, (_field(ask, compared=bool(compared)),)))}
    ).decode()


def _topic(ask: Ask) -> str:
    return " ".join(ask.plain.rstrip("?？。.").split()[:6]).rstrip(",;:") or "answer"


def _field(ask: Ask, *, compared: bool = False) -> Field:
    period = ask.period.text if ask.period else None
    if not ask.targets or (ask.kind in ("text", "extreme") and not compared):
        return Field(name=_asked_for(ask), period=period)
    target = ask.targets[0]
    kind: FieldType = "percent" if target.kind == "percent" else _TYPES.get(target.kind, "text")
    money = kind == "money"
    return Field(
        name=target.label,
        type=kind,
        unit=ask.unit if money else None,
        scale=ask.scale if money else None,
        period=period,
    )


def _asked_for(ask: Ask) -> str:
    """The question's own words, shortened to a name."""
    words = ask.plain.rstrip("?？。.").split()
    return " ".join(words[:_FIELD_WORDS_MAX]) if words else "answer"
