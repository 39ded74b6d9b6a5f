"""Owns the comparison of an admitted Run with a deployment that wants to go on with it.

Never: widening. What was admitted stands; equal or lawfully narrower goes on, anything else is a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from counterfoil.core.exchange import ToolSpec
from counterfoil.core.law.policy import Number, Policy
from counterfoil.core.record.attempts import chain_of
from counterfoil.core.record.snapshot import Admitted


class Deployment(msgspec.Struct, frozen=True):
    """What a Host offers to a Run that it takes up; ``models`` in the order in which they would be asked.

    ``configured`` (policy id → value) are the operator's explicit limits; ``demanded`` names those of them that were
    given for this very Run, which are refused when they would widen it.
    """

    protocol: int
    models: tuple[str, ...]
    catalogue: Mapping[str, Policy]
    tools: tuple[ToolSpec, ...]
    validators: tuple[str, ...]
    prompts: dict[str, str]  # name → sha256
    configured: dict[str, Number | None] = {}
    demanded: frozenset[str] = frozenset()
    reviewer: str | None = None  # who looks at accepted answers; one more than was admitted changes nothing


class Difference(msgspec.Struct, frozen=True):
    """Something that was admitted otherwise than it is deployed."""

    what: str
    admitted: str
    deployed: str

    def sentence(self) -> str:
        """The difference as a person reads it."""
        return f"{self.what}: admitted {self.admitted}, deployed {self.deployed}"


class Continuity(msgspec.Struct, frozen=True):
    """How a Run may go on: not at all where there are differences, else under ``narrowed`` limits."""

    differences: tuple[Difference, ...]
    narrowed: dict[str, Number]
    prompts: dict[str, str]  # those whose text is another one than at admission


def compare(snapshot: Admitted, deployment: Deployment) -> Continuity:
    """Hold a deployment against what a Run was admitted with; its policies are the limits in force now."""
    return Continuity(
        differences=tuple(_differences(snapshot, deployment)),
        narrowed=dict(_narrowed(snapshot, deployment)),
        prompts={
            name: digest for name, digest in deployment.prompts.items() if snapshot.prompts.get(name, digest) != digest
        },
    )


def _differences(snapshot: Admitted, deployment: Deployment) -> Iterator[Difference]:
    if snapshot.protocol != deployment.protocol:
        yield Difference("protocol", str(snapshot.protocol), str(deployment.protocol))
    if chain_of(snapshot) != deployment.models:
        yield Difference("models", ", ".join(chain_of(snapshot)), ", ".join(deployment.models))
    reviewer = snapshot.reviews.reviewer
    if reviewer is not None and reviewer.spec != deployment.reviewer:
        yield Difference("reviewer", reviewer.spec, deployment.reviewer or "none")
    yield from _missing_tools(snapshot, deployment)
    checks = {name.partition("@")[0] for name in deployment.validators}
    for name in snapshot.validators:
        if name.partition("@")[0] not in checks:
            yield Difference(f"publication check {name}", "present", "absent")
    for value in snapshot.policies:
        policy = deployment.catalogue.get(value.id)
        if policy is None or policy.version != value.version:
            now = f"version {policy.version}" if policy else "absent"
            yield Difference(f"policy {value.id}", f"version {value.version}", now)
        elif value.id in deployment.demanded and not _narrows(policy, value.value, deployment.configured[value.id]):
            yield Difference(value.id, _limit(value.value), _limit(deployment.configured[value.id]))


def _missing_tools(snapshot: Admitted, deployment: Deployment) -> Iterator[Difference]:
    offered = {tool.name: tool for tool in deployment.tools}
    for tool in snapshot.tools:
        if tool.name not in offered:
            yield Difference(f"tool {tool.name}", "present", "absent")
        elif _binding(tool) != _binding(offered[tool.name]):
            yield Difference(f"tool {tool.name}", _told(tool), _told(offered[tool.name]))


def _binding(tool: ToolSpec) -> tuple[object, ...]:
    """What of a tool the law rests on; how it is described may change."""
    rests_on = (tool.parameters, tool.effect, tool.phases, tool.debits)
    return (*rests_on, tool.gathers_evidence, tool.actions, tool.untrusted)


def _told(tool: ToolSpec) -> str:
    return f"effect {tool.effect}, debits {', '.join(tool.debits) or 'nothing'}, {len(tool.parameters)} schema keys"


def _limit(value: Number | None) -> str:
    return "off" if value is None else f"{value:g}"


def _narrows(policy: Policy, admitted: Number | None, wanted: Number | None) -> bool:
    """Whether a limit may take the place of the admitted one: equal, or lower where lower means less."""
    if wanted == admitted:
        return True
    return policy.settable_by == "caller" and wanted is not None and (admitted is None or wanted < admitted)


def _narrowed(snapshot: Admitted, deployment: Deployment) -> Iterator[tuple[str, Number]]:
    for value in snapshot.policies:
        policy, wanted = deployment.catalogue.get(value.id), deployment.configured.get(value.id)
        if policy is None or wanted is None or wanted == value.value:
            continue
        if _narrows(policy, value.value, wanted):
            yield value.id, wanted
