"""Owns the reading of an entry reply as a contract.

Never: letting the reply change the question or grant anything; it may only name rows and fields. Which documents and
domains a row is bound to is the caller's to say.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from counterfoil.core.answer.contract import Contract, Field, Row, TaskKind

ROWS_MAX = 50  # a proposal, not a limit of tasks: a task file may name more


NAME_CHARS_MAX = 200


class Proposal(msgspec.Struct, frozen=True):
    """What an entry reply may say."""

    kind: TaskKind = "research"
    rows: tuple[Row, ...] = ()
    fields: tuple[Field, ...] = ()
    period: str | None = None
    done: tuple[str, ...] = ()


def _unusable(proposal: Proposal) -> str | None:
    """What is wrong with a proposal that can be read."""
    if len(proposal.rows) > ROWS_MAX or len(proposal.fields) > ROWS_MAX:
        return f"the entry reply names more than {ROWS_MAX} rows or fields"
    for names in ([row.name for row in proposal.rows], [field.name for field in proposal.fields]):
        if any(not name.strip() or len(name) > NAME_CHARS_MAX or "\n" in name for name in names):
            return f"the entry reply has a name that is empty, of several lines or over {NAME_CHARS_MAX} characters"
        if len({name.strip().casefold() for name in names}) < len(names):
            return "the entry reply names a row or field twice"
    return None


def read_contract(text: str, asked: Contract) -> tuple[Contract | None, str]:
    """The proposed contract, or None with the reason why the bare question stands.

    Many models put words or a fence around the object that they were asked for; those are left out.
    """
    begins, ends = text.find("{"), text.rfind("}") + 1
    try:
        proposal = msgspec.json.decode(text[begins:ends] if 0 <= begins < ends else text, type=Proposal)
    except (msgspec.ValidationError, msgspec.DecodeError) as wrong:
        return None, f"the entry reply is no contract: {wrong}"
    if (why := _unusable(proposal)) is not None:
        return None, why
    return (
        replace(
            asked,
            kind=proposal.kind,
            rows=tuple(Row(row.name.strip()) for row in proposal.rows),
            fields=proposal.fields,
            period=asked.period or proposal.period,
            done=asked.done or proposal.done,
        ),
        "",
    )
