"""Owns the proof that a Run can finish: search → read → draft → reject → correct → finish fits the limits.

Never: a limit's value (policies hold them); it only compares what steps need with what policies feed.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Number, PolicyValue


class PathStep(msgspec.Struct, frozen=True):
    """One step of the path: what it needs of which policy, and what is left after it."""

    step: str
    policy: str
    needs: Number
    available: Number
    slack: Number


def prove_path(values: Mapping[str, PolicyValue], *, entry: bool) -> tuple[PathStep, ...]:
    """Show each step with its slack.

    Raises:
        PolicyRefused: a step does not fit; names both policies, the numbers and the nearest repair.
    """
    number = {policy: value.value for policy, value in values.items() if value.value is not None}
    corrections = number[ids.CORRECTIONS]
    finalization = 1 + corrections + 1
    reserve, total = number[ids.FINAL_RESERVE], number[ids.MODEL_REQUESTS]
    retries = number[ids.MODEL_ATTEMPTS] - 1
    exploration_needs = (1 if entry else 0) + 2
    _at_least(
        reserve,
        finalization + retries,
        ids.FINAL_RESERVE,
        f"a publication, {corrections:g} corrections ({ids.CORRECTIONS}), a finish and "
        f"{retries:g} further attempts ({ids.MODEL_ATTEMPTS}) need {finalization + retries:g} requests",
    )
    _at_least(
        total,
        reserve + exploration_needs,
        ids.MODEL_REQUESTS,
        f"it cannot hold the reserve: {ids.FINAL_RESERVE} keeps {reserve:g} of {ids.MODEL_REQUESTS}={total:g}, "
        f"and {exploration_needs:g} more are needed to ask, search and read",
    )
    results = number[ids.SEARCHES] * number[ids.RESULTS_PER_SEARCH]
    _fits(ids.SEARCHES, results, ids.REGISTRY_CAPACITY, number[ids.REGISTRY_CAPACITY])
    _fits(ids.WINDOW_SECONDS, number[ids.WINDOW_SECONDS], ids.HANDLE_LIFETIME, number[ids.HANDLE_LIFETIME])
    _fits(ids.ATTEMPT_SECONDS, number[ids.ATTEMPT_SECONDS], ids.ACTIVE_SECONDS, number[ids.ACTIVE_SECONDS])
    _fits(
        ids.FINALIZATION_SECONDS, number[ids.FINALIZATION_SECONDS], ids.ACTIVE_SECONDS, number[ids.ACTIVE_SECONDS] - 1
    )
    steps = [
        ("entry", ids.MODEL_REQUESTS, 1 if entry else 0, total - reserve),
        ("search", ids.SEARCHES, 1, number[ids.SEARCHES]),
        ("register", ids.REGISTRY_CAPACITY, results, number[ids.REGISTRY_CAPACITY]),
        ("read", ids.READS, 1, number[ids.READS]),
        ("draft", ids.FINAL_RESERVE, 1, reserve),
        ("reject and correct", ids.FINAL_RESERVE, corrections, reserve - 1),
        ("finish", ids.FINAL_RESERVE, 1, reserve - 1 - corrections),
    ]
    return tuple(
        PathStep(step, policy, needs, available, available - needs) for step, policy, needs, available in steps
    )


def _at_least(value: Number, needed: Number, policy: str, why: str) -> None:
    if value < needed:
        raise PolicyRefused(
            f"{policy}={value:g} is too small: {why}",
            code="PATH_IMPOSSIBLE",
            policy=policy,
            hint=f"set {policy} to at least {needed:g}",
        )


def _fits(inner: str, needs: Number, outer: str, holds: Number) -> None:
    if needs > holds:
        raise PolicyRefused(
            f"{inner} needs {needs:g}, {outer} holds {holds:g}: {needs:g} > {holds:g}",
            code="PATH_IMPOSSIBLE",
            policy=outer,
            hint=f"set {outer} to at least {needs:g}, or narrow {inner}",
        )
