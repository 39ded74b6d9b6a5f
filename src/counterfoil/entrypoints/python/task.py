"""Owns the task as Python code writes it, and how it becomes a contract.

Never: a limit that widens; the Host refuses what its own policies do not allow.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence

import msgspec

from counterfoil.core.answer.contract import Contract, Field, Row, TaskKind
from counterfoil.core.errors import UsageError
from counterfoil.core.law.policy import Number
from counterfoil.entrypoints.intake import require_web_for_domains
from counterfoil.entrypoints.python.given import limits, listed


class Task(msgspec.Struct, frozen=True):
    """A question, and what an answer to it must hold.

    ``rows`` are the things compared and ``fields`` what is asked of each: names, or ``Row`` and ``Field`` with more.
    ``budget`` (policy id → value) only narrows what the Host allows; ``counterfoil policies`` lists the ids.
    ``as_of`` is the day that "today" means (an ISO date), today when None; ``zone`` a time zone like "Europe/Lisbon".
    """

    question: str
    rows: Sequence[str | Row] = ()
    fields: Sequence[str | Field] = ()
    kind: TaskKind = "research"
    domains: Sequence[str] = ()
    forbidden: Sequence[str] = ()
    period: str | None = None
    done: Sequence[str] = ()
    budget: Mapping[str, Number] = {}
    as_of: str | datetime.date | None = None
    zone: str | None = None


def contract_of(task: Task, *, web: bool) -> Contract:
    """The contract that ``task`` spells out. ``web``: whether there are saved pages, which have domains.

    Raises:
        UsageError: a value has the wrong type, is empty or is named twice.
        RefusedError: only some domains are allowed, and files have none.
    """
    if not isinstance(task.question, str) or not task.question.strip():
        raise UsageError("the question is empty", code="QUESTION_EMPTY", hint='ask something: Task("…")')
    code = "TASK_INVALID"
    contract = Contract(
        question=task.question,
        kind=task.kind,
        rows=tuple(row if isinstance(row, Row) else Row(row) for row in listed(task.rows, "rows", code)),
        fields=tuple(
            field if isinstance(field, Field) else Field(field) for field in listed(task.fields, "fields", code)
        ),
        domains=listed(task.domains, "domains", code),
        forbidden=listed(task.forbidden, "forbidden", code),
        period=task.period,
        done=listed(task.done, "done", code),
    )
    try:  # types that a checker would have found, and texts that are not Unicode
        contract = msgspec.json.decode(msgspec.json.encode(contract), type=Contract)
    except (TypeError, ValueError) as wrong:
        raise UsageError(
            f"the task cannot be used: {wrong}", code="TASK_INVALID", hint="see counterfoil.Task"
        ) from wrong
    _require_names(contract.rows, "rows")
    _require_names(contract.fields, "fields")
    hint = "bind rows to documents, Row(name, docs=(…,)), or search a saved web: Host(snapshots=[…])"
    require_web_for_domains(contract, web=web, hint=hint)
    return contract


def budget_of(task: Task) -> dict[str, Number]:
    """The task's own limits.

    Raises:
        UsageError: one is no number.
    """
    for policy, value in limits(task.budget, "budget").items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise UsageError(
                f"the task sets {policy} to {value!r}, not a number", code="SETTING_INVALID", hint="give a number"
            )
    return dict(task.budget)


def _require_names(named: tuple[Row, ...] | tuple[Field, ...], what: str) -> None:
    seen: set[str] = set()
    for item in named:
        if not item.name.strip():
            raise UsageError(f"one of {what} has no name", code="TASK_INVALID", hint="give every one a name")
        if item.name.casefold() in seen:
            raise UsageError(f"{item.name!r} stands twice in {what}", code="NAMED_TWICE", hint="keep one of them")
        seen.add(item.name.casefold())
