"""Owns the proof that a Run can finish: search → register → read → draft → reject → correct → finish fits the limits.

Never: a limit's value (policies hold them); it only compares what steps need with what policies feed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law import budget as ids
from counterfoil.core.law.contradictions import Contradiction, contradictions
from counterfoil.core.law.demands import FINAL_VIEWS, FINISH_SECONDS, Demands, Limits
from counterfoil.core.law.policy import Number, PolicyValue


class PathStep(msgspec.Struct, frozen=True):
    """One step of the path: what it needs of which policy, and what is left after it."""

    step: str
    policy: str
    needs: Number
    available: Number
    slack: Number


class PathProof(msgspec.Struct, frozen=True):
    """The steps with their slack, and everything that contradicts. Without contradictions a path exists."""

    steps: tuple[PathStep, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def holds(self) -> bool:
        """Whether a Run admitted under these policies can finish."""
        return not self.contradictions


def examine_path(values: Mapping[str, PolicyValue], demands: Demands) -> PathProof:
    """Compare every step's needs with what feeds it."""
    limits = Limits(values, demands)
    return PathProof(tuple(_steps(limits)), tuple(contradictions(limits)))


def prove_path(values: Mapping[str, PolicyValue], demands: Demands) -> tuple[PathStep, ...]:
    """The steps of a path that exists.

    Raises:
        PolicyRefused: there is none; names both policies, the numbers and the nearest repair.
    """
    return require_path(examine_path(values, demands))


def require_path(proof: PathProof) -> tuple[PathStep, ...]:
    """The steps of ``proof``.

    Raises:
        PolicyRefused: something contradicts.
    """
    if proof.contradictions:
        first, more = proof.contradictions[0], len(proof.contradictions) - 1
        raise PolicyRefused(
            first.sentence() + (f" (and {more} more; `counterfoil check` lists them)" if more else ""),
            code="PATH_IMPOSSIBLE",
            policy=first.policies[0],
            hint=first.repair,
        )
    return proof.steps


def _steps(limits: Limits) -> Iterator[PathStep]:
    left, reserve, corrections = limits.exploration, limits[ids.FINAL_RESERVE], limits[ids.CORRECTIONS]
    research_tokens = limits[ids.INPUT_TOKENS] - limits[ids.FINAL_INPUT_TOKENS]
    drafts = FINAL_VIEWS * limits.view_tokens
    research_seconds = limits[ids.ACTIVE_SECONDS] - limits[ids.FINALIZATION_SECONDS]
    rows = (
        ("entry", ids.MODEL_REQUESTS, limits.entry, left),
        ("search", ids.MODEL_REQUESTS, 1, left - limits.entry),
        ("search", ids.SEARCHES, 1, limits[ids.SEARCHES]),
        ("search", ids.TOOL_CALLS, 1, limits[ids.TOOL_CALLS]),
        ("search", ids.WINDOW_SECONDS, FINISH_SECONDS, limits[ids.WINDOW_SECONDS]),
        ("register", ids.REGISTRY_CAPACITY, limits.results, limits[ids.REGISTRY_CAPACITY]),
        ("register", ids.HANDLE_LIFETIME, limits[ids.WINDOW_SECONDS], limits[ids.HANDLE_LIFETIME]),
        ("read", ids.MODEL_REQUESTS, 1, left - limits.entry - 1),
        ("read", ids.READS, 1, limits[ids.READS]),
        ("read", ids.TOOL_CALLS, 1, limits[ids.TOOL_CALLS] - 1),
        ("read", ids.INPUT_BYTES, limits.view_bytes, limits[ids.INPUT_BYTES]),
        ("read", ids.INPUT_TOKENS, limits.least * limits.view_tokens, research_tokens),
        ("read", ids.ACTIVE_SECONDS, FINISH_SECONDS, research_seconds),
        ("self-review", ids.MODEL_REQUESTS, _reviews(limits), left - limits.least),
        ("draft", ids.FINAL_RESERVE, 1, reserve),
        ("draft", ids.FINAL_INPUT_TOKENS, drafts, limits[ids.FINAL_INPUT_TOKENS]),
        ("draft", ids.FINAL_OUTPUT_TOKENS, FINAL_VIEWS * limits.reply_tokens, limits[ids.FINAL_OUTPUT_TOKENS]),
        ("reject", ids.CORRECTIONS, corrections, corrections),
        ("correct", ids.FINAL_RESERVE, corrections, reserve - 1),
        ("retry", ids.FINAL_RESERVE, limits.retries, reserve - 1 - corrections),
        ("finish", ids.FINAL_RESERVE, 1, reserve - 1 - corrections - limits.retries),
        ("finish", ids.FINALIZATION_SECONDS, FINISH_SECONDS, limits[ids.FINALIZATION_SECONDS]),
    )
    after = reserve - limits.finalization + limits.reviews
    reviewed = (("review", ids.FINAL_RESERVE, limits.reviews, after),) if limits.reviews else ()
    every = (*rows, *reviewed)
    return (PathStep(step, policy, needs, available, available - needs) for step, policy, needs, available in every)


def _reviews(limits: Limits) -> Number:
    """Self-reviews that the path holds: as a default none where exploration has no room for one."""
    wanted = limits[ids.SELF_REVIEWS]
    if limits.explicit(ids.SELF_REVIEWS, ids.REVIEW_STEPS_LEFT):
        return wanted
    return wanted if limits.exploration - limits.least >= wanted else 0
