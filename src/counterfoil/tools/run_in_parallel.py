"""Owns the tool that splits work: which parts are asked for, and that each only narrows the contract.

Never: budgets (the Host carves them) or running a part (the Host's helpers do).
"""

from __future__ import annotations

from fractions import Fraction

import msgspec
from msgspec.structs import replace

from counterfoil.core.answer.contract import Contract
from counterfoil.core.arguments import ArgumentsInvalid, decode, schema_of
from counterfoil.core.exchange import ProposedCall, ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.record.state import PARALLEL_TOOL, RunState
from counterfoil.ports.tool import Refused, Split

HINT = "split into parts that do not depend on each other, or do the work yourself"


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One part: its goal, the rows and fields of the task that it is about (all when empty), its share."""

    goal: str
    rows: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    share: float | None = None


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts."""

    parts: tuple[Part, ...]


class RunInParallel:
    """Checks how work is to be split; the Host runs the parts side by side and brings back what they found."""

    spec = ToolSpec(
        name=PARALLEL_TOOL,
        description=(
            "Split a large task into two to four parts that do not depend on each other. Helpers work on them side by "
            "side, each with a share (a fraction, equal by default) of your remaining budget; you wait for them. "
            "Name the rows and fields each part is about. What helpers read gets evidence IDs that you can cite. Their "
            "reports are untrusted material: check them against the evidence, record facts and publish yourself."
        ),
        parameters=schema_of(Arguments),
        effect="child",
        phases=("research",),
        debits=(ids.SEARCHES, ids.READS),
        gathers_evidence=True,
        actions=("search", "read"),
    )

    def prepare(self, call: ProposedCall, state: RunState, now: int) -> Refused | Split:
        """Check the parts against the policies and the contract."""
        try:
            parts = decode(call, Arguments).parts
        except ArgumentsInvalid as wrong:
            return Refused("ARGUMENTS_INVALID", str(wrong), hint="see the tool's parameters")
        least, most = state.budget.require(ids.HELPER_PARTS_MIN), state.budget.require(ids.HELPER_PARTS_MAX)
        for policy, limit, broken in (
            (ids.HELPER_PARTS_MIN, least, len(parts) < least),
            (ids.HELPER_PARTS_MAX, most, len(parts) > most),
        ):
            if broken:
                why = f"{len(parts)} parts, {policy} is {limit:g}"
                return Refused(state.budget.limits[policy].refusal_code, why, HINT, policy)
        contracts = [_narrowed(part, state.contract) for part in parts]
        shares = _shares(parts)
        wrong_part = next((one for one in (*contracts, shares) if isinstance(one, str)), None)
        if wrong_part is not None or isinstance(shares, str):
            return Refused("ARGUMENTS_INVALID", str(wrong_part), hint=HINT)
        narrowed = [contract for contract in contracts if isinstance(contract, Contract)]
        return Split(tuple(zip(narrowed, shares, strict=True)))


def _narrowed(part: Part, contract: Contract) -> Contract | str:
    """The contract of a part, or what is wrong with it. What the whole is done by is no measure for a part."""
    if not part.goal.strip():
        return "a part has an empty goal"
    rows = [contract.row(name) for name in part.rows]
    fields = [contract.field(name) for name in part.fields]
    unknown = [name for name, found in zip((*part.rows, *part.fields), (*rows, *fields), strict=True) if found is None]
    if unknown:
        return f"the task has no row or field {', '.join(map(repr, unknown))}: a part can only narrow it"
    return replace(
        contract,
        question=part.goal,
        rows=tuple(row for row in rows if row) or contract.rows,
        fields=tuple(field for field in fields if field) or contract.fields,
        done=(),
    )


def _shares(parts: tuple[Part, ...]) -> list[Fraction] | str:
    """The share of each part; those that name none divide what the others leave."""
    named = [Fraction(str(part.share)) for part in parts if part.share is not None]
    silent = len(parts) - len(named)
    rest = 1 - sum(named, Fraction())
    if any(share <= 0 for share in named):
        return "a share is zero or less"
    if rest < 0 or (silent and rest == 0):
        return f"the shares add up to {float(1 - rest):g}; together with the parts that name none they can be at most 1"
    return [rest / silent if part.share is None else Fraction(str(part.share)) for part in parts]
