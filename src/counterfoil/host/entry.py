"""Owns the reading of an entry reply as a contract.

Never: letting the reply change the question or grant anything; it may only name rows and fields. Which documents and
domains a row is bound to is the caller's to say.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from counterfoil.core.answer.contract import Contract, Field, Row, TaskKind
from counterfoil.core.text.json_objects import find_objects

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
    """The proposed contract, also from a fenced block or amid prose; or None and why the bare question stands."""
    objects, problem = find_objects(text)
    if not objects:
        return None, f"the entry reply is no contract: {problem or 'it holds no JSON object'}"
    try:
        proposal = msgspec.convert(objects[0].value, Proposal)
    except msgspec.ValidationError as wrong:
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
