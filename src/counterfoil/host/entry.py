"""Owns the reading of an entry reply as a contract.

Never: letting the reply change the question or grant anything; it may only name rows, fields and constraints.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from counterfoil.core.answer.contract import Contract, Field, Row, TaskKind

ROWS_MAX = 50  # a proposal, not a limit of tasks: a task file may name more


class Proposal(msgspec.Struct, frozen=True):
    """What an entry reply may say."""

    kind: TaskKind = "research"
    rows: tuple[Row, ...] = ()
    fields: tuple[Field, ...] = ()
    period: str | None = None
    done: tuple[str, ...] = ()


def read_contract(text: str, asked: Contract) -> tuple[Contract | None, str]:
    """The proposed contract, or None with the reason why the bare question stands."""
    try:
        proposal = msgspec.json.decode(text, type=Proposal)
    except (msgspec.ValidationError, msgspec.DecodeError) as wrong:
        return None, f"the entry reply is no contract: {wrong}"
    if len(proposal.rows) > ROWS_MAX or len(proposal.fields) > ROWS_MAX:
        return None, f"the entry reply names more than {ROWS_MAX} rows or fields"
    return (
        replace(
            asked,
            kind=proposal.kind,
            rows=proposal.rows,
            fields=proposal.fields,
            period=asked.period or proposal.period,
            done=asked.done or proposal.done,
        ),
        "",
    )
