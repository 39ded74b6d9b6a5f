"""Owns admission: policies get values, the path is proven, the snapshot is taken. Before it there is no Run.

Never: clamping a value or admitting a Run that has no path to an answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.errors import PolicyRefused, UsageError
from counterfoil.core.evidence.domains import Registrable, owned
from counterfoil.core.evidence.timebase import resolve_relative
from counterfoil.core.exchange import ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.law.demands import REPLY_TOKENS_LEAST, Cramped, Demands, input_room, view_bytes
from counterfoil.core.law.path_proof import prove_path
from counterfoil.core.law.policy import Number, Policy, PolicyValue, effective
from counterfoil.core.record.events import Event, InstructionFlagged, PathProven, RunAdmitted
from counterfoil.core.record.snapshot import Admitted, FallbackModel, Notice, ReviewTerms
from counterfoil.core.text.instructions import find_instructions
from counterfoil.core.view.size import tool_bytes
from counterfoil.ports.model import Model, window_of
from counterfoil.ports.tool import Tool
from counterfoil.ports.validator import Validator

PROTOCOL = 1


class Task(msgspec.Struct, frozen=True):
    """What a caller asks for. ``budget`` (policy id → value) can only narrow; ``operator`` values may widen."""

    contract: Contract
    as_of: str
    zone: str = "unknown"
    budget: dict[str, Number] = {}
    operator: dict[str, Number | None] = {}
    inputs: dict[str, tuple[str, ...]] = {}
    notices: tuple[Notice, ...] = ()
    entry: bool = True  # False for a helper: its contract is given, and it does not review itself


def admitted_values(
    catalogue: Mapping[str, Policy],
    operator: Mapping[str, Number | None],
    budget: Mapping[str, Number],
    models: int = 1,
    reviews: int = 0,
) -> dict[str, PolicyValue]:
    """The effective policies of a task: what the operator set, narrowed by the task's own ``budget``.

    ``models``: how many a request may go to, one after the other; what is kept for finalization follows that number
    where nobody chose it. ``reviews``: requests to a reviewer, which it pays too.

    Raises:
        UsageError: a policy that does not exist.
        PolicyRefused: a value that is not lawful, or a task that widens what it is given.
    """
    deployed = effective(catalogue, operator)
    for policy_id, value in budget.items():
        if policy_id not in catalogue:
            raise UsageError(
                f"the task sets {policy_id!r}, which is no policy",
                code="POLICY_UNKNOWN",
                hint="`counterfoil policies` lists them",
            )
        if catalogue[policy_id].settable_by != "caller":
            raise PolicyRefused(
                f"a task cannot set {policy_id}; only the operator can",
                code="POLICY_NOT_SETTABLE",
                policy=policy_id,
                hint=f"take it out of the task, or set it for this Run: --set {policy_id}={value:g}",
            )
        limit = deployed[policy_id].value
        if limit is not None and value > limit:
            raise PolicyRefused(
                f"the task asks for {policy_id}={value:g}, the deployment allows {limit:g}",
                code="TASK_WIDENS",
                policy=policy_id,
                hint=f"a task can only narrow: give at most {limit:g}, or let the operator set it",
            )
    return _reserving(catalogue[ids.FINAL_RESERVE], effective(catalogue, {**operator, **budget}), models, reviews)


def _reserving(reserve: Policy, values: dict[str, PolicyValue], models: int, reviews: int) -> dict[str, PolicyValue]:
    """``values`` with a review and the attempts at each fallback in the default reserve; what its maximum cannot hold
    is for the path proof to refuse.
    """
    kept, attempts = values[reserve.id], values[ids.MODEL_ATTEMPTS].value
    if (models == 1 and not reviews) or kept.origin != "default" or kept.value is None or attempts is None:
        return values
    wanted = kept.value + attempts * (models - 1) + reviews
    most = wanted if reserve.hard_maximum is None else min(wanted, reserve.hard_maximum)
    return {**values, reserve.id: replace(kept, value=most, origin="derived")}


def owned_domains(contract: Contract, registrable: Registrable) -> Contract:
    """The contract with every domain that it names as the one that somebody registered."""
    rows = tuple(replace(row, domains=_owned(row.domains, registrable)) for row in contract.rows)
    return replace(contract, rows=rows, domains=_owned(contract.domains, registrable))


def _owned(domains: tuple[str, ...], registrable: Registrable) -> tuple[str, ...]:
    return tuple(dict.fromkeys(owned(domain, registrable) for domain in domains))


def needs_entry(contract: Contract, models: Sequence[Model]) -> bool:
    """Whether a request interprets the question first: it names no rows and fields, and each model can propose them."""
    return not contract.rows and not contract.fields and all("entry" in model.purposes for model in models)


def demands_of(
    contract: Contract,
    models: Sequence[Model],
    values: Mapping[str, PolicyValue],
    tools: Iterable[ToolSpec],
    reviewer: Model | None = None,
) -> Demands:
    """What ``contract``, ``models``, ``tools`` and a ``reviewer`` ask of the limits."""
    contract_bytes = len(msgspec.json.encode(contract))
    size_bytes, output = view_bytes(values, contract_bytes), int(values[ids.REQUEST_OUTPUT_TOKENS].value or 0)
    usages = [model.worst("research", size_bytes, REPLY_TOKENS_LEAST) for model in models]
    prices = [model.usd(usage) for model, usage in zip(models, usages, strict=True)]
    if reviewer is not None:
        prices.append(reviewer.usd(reviewer.worst("reviewer", size_bytes, REPLY_TOKENS_LEAST)))
    known = [price for price in prices if price is not None]
    cramped = (
        Cramped(model.spec, usage.input, room)
        for model, usage in zip(models, usages, strict=True)
        if (window := window_of(model)) is not None and usage.input > (room := input_room(window, output))
    )
    return Demands(
        entry=needs_entry(contract, models),
        view_tokens=max(usage.input for usage in usages),
        reply_tokens=max(usage.output for usage in usages),
        view_usd=max(known) if len(known) == len(prices) else None,
        contract_bytes=contract_bytes,
        tool_bytes=tool_bytes(tools),
        forbidden=contract.forbidden,
        models=len(models),
        reviews=0 if reviewer is None else 1,
        cramped=next(cramped, None),
    )


def digests(prompts: Mapping[str, str]) -> dict[str, str]:
    """The versions of prompts: name → sha256 of the text."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in prompts.items()}


def admit(
    task: Task,
    catalogue: Mapping[str, Policy],
    models: tuple[Model, ...],
    tools: tuple[Tool, ...],
    validators: tuple[Validator, ...],
    prompts: Mapping[str, str],
    reviewer: Model | None = None,
) -> tuple[Event, ...]:
    """The first events of a Run; ``models`` in the order in which they are asked, ``reviewer`` in the end.

    Raises:
        UsageError: a policy that does not exist.
        PolicyRefused: a value or a combination of values that is not lawful.
    """
    values = admitted_values(catalogue, task.operator, task.budget, len(models), 0 if reviewer is None else 1)
    demands = demands_of(task.contract, models, values, [tool.spec for tool in tools], reviewer)
    demands = replace(demands, entry=demands.entry and task.entry)
    steps = prove_path(values, demands)
    snapshot = Admitted(
        protocol=PROTOCOL,
        contract=task.contract,
        anchor=TimeAnchor(task.as_of, task.zone),
        policies=tuple(values.values()),
        model=models[0].spec,
        model_label=models[0].label,
        prompts=digests(prompts),
        tools=tuple(tool.spec for tool in tools),
        validators=tuple(validator.name for validator in validators),
        inputs=task.inputs,
        entry=demands.entry,
        windows=resolve_relative(task.contract.question, task.as_of),
        notices=task.notices,
        fallbacks=tuple(FallbackModel(model.spec, model.label) for model in models[1:]),
        reviews=ReviewTerms(
            self_review=task.entry and all("self_review" in model.purposes for model in models),
            reviewer=None if reviewer is None else FallbackModel(reviewer.spec, reviewer.label),
        ),
    )
    flags = (InstructionFlagged(None, 0, excerpt) for excerpt in find_instructions(task.contract.question))
    return RunAdmitted(snapshot), PathProven(steps), *flags
