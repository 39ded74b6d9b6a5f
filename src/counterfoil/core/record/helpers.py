"""Owns what a Run records of its helpers: which part each works on, what was carved out for it, how it ended.

Never: what a helper did; its own ledger, under the id that is named here, holds that once.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.contract import Contract
from counterfoil.core.law.policy import Number
from counterfoil.core.record.content import Content


class Helper(msgspec.Struct, frozen=True):
    """A helper of a Run. ``part`` counts from 1 within its call, ``number`` over all helpers of the Run."""

    id: str
    number: int
    part: int
    call_id: str
    contract: Contract
    limits: dict[str, Number | None]
    carve: dict[str, Number] = {}  # policy id → units debited for it
    status: str = ""  # "" until it is known how it ended


class HelperAdmitted(msgspec.Struct, frozen=True, tag=True):
    """A part of a call is the Run ``helper``, with this contract and ``limits`` (policy id → value)."""

    call_id: str
    part: int
    helper: str
    contract: Content[Contract]
    limits: dict[str, Number | None]


class BudgetCarved(msgspec.Struct, frozen=True, tag=True):
    """What the helper may use at most (policy id → units) was debited from its parent."""

    call_id: str
    helper: str
    carve: dict[str, Number]


class HelperSettled(msgspec.Struct, frozen=True, tag=True):
    """It is known how a helper ended. ``head``: the last hash of its own chain, "" where it has none."""

    call_id: str
    helper: str
    status: str
    stop_reason: str
    head: str
    why: Content[str] = ""  # what broke, where the helper could not go on


class BudgetReturned(msgspec.Struct, frozen=True, tag=True):
    """What the helper did not use of its carve (policy id → units) is its parent's again.

    Below zero where a provider charged more than was reserved for a request: that is debited as well.
    """

    call_id: str
    helper: str
    returned: dict[str, Number]


HelperEvent = HelperAdmitted | BudgetCarved | HelperSettled | BudgetReturned


def helper_id(parent: str, number: int) -> str:
    """The id of the helper of that number, the same whenever it is asked for."""
    return f"{parent}/{number}"


def parent_of(run_id: str) -> str | None:
    """The Run whose helper this is, None for a Run of its own."""
    parent, slash, _number = run_id.rpartition("/")
    return parent if slash else None
