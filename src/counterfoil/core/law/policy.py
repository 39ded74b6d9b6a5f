"""Owns the shape of a policy and of a composed catalogue: identity, value, and who may change it.

Never: a particular limit. Those are declared beside their owner's code and composed in wiring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from counterfoil.core.errors import PolicyRefused, RefusedError, UsageError

Number = int | float
_FRACTIONAL = ("usd", "seconds")
Unit = Literal[
    "requests",
    "attempts",
    "calls",
    "parts",
    "inputs",
    "files",
    "seconds",
    "chars",
    "bytes",
    "tokens",
    "usd",
    "results",
    "handles",
    "days",
]


class Derivation(msgspec.Struct, frozen=True):
    """How a policy's value follows from others: their product, a share of one, or at most one of them or its share."""

    kind: Literal["product", "percent", "at_most"]
    of: tuple[str, ...]
    percent: int = 100

    def value(self, values: Mapping[str, Number | None], default: Number | None) -> Number | None:
        """Compute the value; None where a policy it derives from is off."""
        sources = [values[source] for source in self.of]
        known = [number for number in sources if number is not None]
        if len(known) < len(sources):
            return default
        if self.kind == "product":
            product: Number = 1
            for number in known:
                product *= number
            return product
        share = known[0] if self.percent == 100 else known[0] * self.percent / 100
        return share if self.kind == "percent" or default is None else min(default, share)

    def formula(self) -> str:
        """The derivation as a person reads it."""
        if self.kind == "product":
            return " × ".join(self.of)
        share = self.of[0] if self.percent == 100 else f"{self.percent}% of {self.of[0]}"
        return share if self.kind == "percent" else f"at most {share}"


class Policy(msgspec.Struct, frozen=True):
    """A limit with an owner. ``default`` None means off. ``counts`` and ``stops`` are for people."""

    id: str
    owner: str
    unit: Unit
    default: Number | None
    refusal_code: str
    counts: str
    stops: str
    consumer: str = "the Run"
    version: int = 1
    scope: Literal["run", "request", "call", "document", "store"] = "run"
    hard_maximum: Number | None = None
    minimum: Number = 1
    settable_by: Literal["operator", "caller", "nobody"] = "operator"
    derived: Derivation | None = None
    metered: bool = False  # usage is counted against it


class Declaration(msgspec.Struct, frozen=True):
    """A policy and the place in the code that declares it."""

    policy: Policy
    place: str


class PolicyValue(msgspec.Struct, frozen=True):
    """A policy's effective value in one Run. ``origin`` says where it came from."""

    id: str
    version: int
    unit: str
    value: Number | None
    origin: Literal["default", "derived", "explicit"]
    metered: bool
    refusal_code: str


def compose(declarations: Iterable[Declaration]) -> dict[str, Policy]:
    """Join declarations into a catalogue, in order.

    Raises:
        RefusedError: two declarations of one id differ; both places are named.
    """
    catalogue: dict[str, Declaration] = {}
    for declaration in declarations:
        known = catalogue.setdefault(declaration.policy.id, declaration)
        if known.policy != declaration.policy:
            raise RefusedError(
                f"policy {declaration.policy.id} is declared differently in {known.place} and {declaration.place}",
                code="POLICY_CONFLICT",
                policy=declaration.policy.id,
                hint="declare a limit once, beside its owner, and refer to it everywhere else",
            )
    return {policy_id: declaration.policy for policy_id, declaration in catalogue.items()}


def effective(catalogue: Mapping[str, Policy], explicit: Mapping[str, Number | None]) -> dict[str, PolicyValue]:
    """Give every policy its value: explicit, else derived, else its default.

    Raises:
        UsageError: an id in ``explicit`` is not in the catalogue, or its value is no number of its unit.
        PolicyRefused: a value is below the minimum, above the hard maximum, or not settable.
    """
    for policy_id, value in explicit.items():
        _check_explicit(catalogue, policy_id, value)
    values: dict[str, Number | None] = {p.id: explicit.get(p.id, p.default) for p in catalogue.values()}
    derived = {
        policy.id: policy.derived for policy in catalogue.values() if policy.derived and policy.id not in explicit
    }
    for _ in range(len(derived)):  # a chain of derivations is at most as long as there are derivations
        for policy_id, derivation in derived.items():
            policy = catalogue[policy_id]
            values[policy_id] = _in_units(policy, derivation.value(values, policy.default))
    return {
        policy.id: PolicyValue(
            policy.id,
            policy.version,
            policy.unit,
            values[policy.id],
            "explicit" if policy.id in explicit else "derived" if policy.derived else "default",
            policy.metered,
            policy.refusal_code,
        )
        for policy in catalogue.values()
    }


def _in_units(policy: Policy, value: Number | None) -> Number | None:
    """A derived value in whole units, where its unit has no fractions."""
    if value is None or (policy.unit in _FRACTIONAL and not float(value).is_integer()):
        return value
    return int(value)


def _check_explicit(catalogue: Mapping[str, Policy], policy_id: str, value: Number | None) -> None:
    policy = catalogue.get(policy_id)
    if policy is None:
        near = [known for known in catalogue if known.split("/")[-1] == policy_id.split("/")[-1]]
        raise UsageError(
            f"there is no policy {policy_id!r}",
            code="POLICY_UNKNOWN",
            hint=f"did you mean {near[0]}?" if near else "`counterfoil policies` lists them",
        )
    if policy.settable_by == "nobody":
        raise PolicyRefused(
            f"{policy_id} cannot be set", code="POLICY_NOT_SETTABLE", policy=policy_id, hint="leave it to its owner"
        )
    if value is None:
        if policy.default is not None:
            raise PolicyRefused(
                f"{policy_id} cannot be switched off",
                code="POLICY_NOT_OPTIONAL",
                policy=policy_id,
                hint="give a number",
            )
        return
    if not isinstance(value, int) and policy.unit not in _FRACTIONAL:
        raise UsageError(
            f"{policy_id}={value} is no whole number of {policy.unit}",
            code="POLICY_NOT_WHOLE",
            hint="give a whole number",
        )
    if value < policy.minimum:
        raise PolicyRefused(
            f"{policy_id}={value} is below its minimum {policy.minimum} {policy.unit}",
            code="POLICY_BELOW_MINIMUM",
            policy=policy_id,
            hint=f"give at least {policy.minimum}",
        )
    if policy.hard_maximum is not None and value > policy.hard_maximum:
        raise PolicyRefused(
            f"{policy_id}={value} is above its hard maximum {policy.hard_maximum} {policy.unit}",
            code="POLICY_ABOVE_MAXIMUM",
            policy=policy_id,
            hint=f"give at most {policy.hard_maximum}",
        )
