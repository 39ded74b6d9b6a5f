"""Owns the proof that a Run can finish: search → register → read → draft → reject → correct → finish fits the limits.

Never: a limit's value (policies hold them); it only compares what steps need with what policies feed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from counterfoil.core.errors import PolicyRefused
from counterfoil.core.law import budget as ids
from counterfoil.core.law.policy import Number, PolicyValue

BYTES_PER_CHAR = 4  # the most that a code point takes in UTF-8
PINNED_BYTES = 16_000  # instructions, question, contract, table and tool schemas of an ordinary task


class PathStep(msgspec.Struct, frozen=True):
    """One step of the path: what it needs of which policy, and what is left after it."""

    step: str
    policy: str
    needs: Number
    available: Number
    slack: Number


class Contradiction(msgspec.Struct, frozen=True):
    """Two limits that make an answer impossible together, with the nearest change that would repair it."""

    policies: tuple[str, str]
    needs: Number
    holds: Number
    why: str
    repair: str

    def sentence(self) -> str:
        """The contradiction as a person reads it."""
        return f"{self.why}: {self.needs:g} > {self.holds:g}"


class PathProof(msgspec.Struct, frozen=True):
    """The steps with their slack, and everything that contradicts. Without contradictions a path exists."""

    steps: tuple[PathStep, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def holds(self) -> bool:
        """Whether a Run admitted under these policies can finish."""
        return not self.contradictions


def examine_path(values: Mapping[str, PolicyValue], *, entry: bool, priced: bool = True) -> PathProof:
    """Compare every step's needs with what feeds it.

    ``entry``: whether a request interprets the question first. ``priced``: whether the model's price is known.
    """
    number = {policy: value.value for policy, value in values.items() if value.value is not None}
    return PathProof(tuple(_steps(number, entry)), tuple(_contradictions(number, entry, priced)))


def prove_path(values: Mapping[str, PolicyValue], *, entry: bool, priced: bool = True) -> tuple[PathStep, ...]:
    """The steps of a path that exists.

    Raises:
        PolicyRefused: there is none; names both policies, the numbers and the nearest repair.
    """
    return require_path(examine_path(values, entry=entry, priced=priced))


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


def _finalization(number: Mapping[str, Number]) -> Number:
    """Requests for a publication, its corrections, a finish, and the further attempts that one of them may cost."""
    return 1 + number[ids.CORRECTIONS] + 1 + number[ids.MODEL_ATTEMPTS] - 1


def _exploration(entry: bool) -> int:
    """Requests for interpreting the question, searching, and reading."""
    return (1 if entry else 0) + 2


def _steps(number: Mapping[str, Number], entry: bool) -> Iterator[PathStep]:
    total, reserve = number[ids.MODEL_REQUESTS], number[ids.FINAL_RESERVE]
    corrections = number[ids.CORRECTIONS]
    results = number[ids.SEARCHES] * number[ids.RESULTS_PER_SEARCH]
    left = total - reserve
    rows = (
        ("entry", ids.MODEL_REQUESTS, 1 if entry else 0, left),
        ("search", ids.MODEL_REQUESTS, 1, left - (1 if entry else 0)),
        ("search", ids.SEARCHES, 1, number[ids.SEARCHES]),
        ("search", ids.TOOL_CALLS, 1, number[ids.TOOL_CALLS]),
        ("register", ids.REGISTRY_CAPACITY, results, number[ids.REGISTRY_CAPACITY]),
        ("read", ids.MODEL_REQUESTS, 1, left - _exploration(entry) + 1),
        ("read", ids.READS, 1, number[ids.READS]),
        ("read", ids.TOOL_CALLS, 1, number[ids.TOOL_CALLS] - 1),
        ("read", ids.INPUT_BYTES, _view_bytes(number), number[ids.INPUT_BYTES]),
        ("draft", ids.FINAL_RESERVE, 1, reserve),
        ("reject and correct", ids.FINAL_RESERVE, corrections, reserve - 1),
        ("retry", ids.FINAL_RESERVE, number[ids.MODEL_ATTEMPTS] - 1, reserve - 1 - corrections),
        ("finish", ids.FINAL_RESERVE, 1, reserve - corrections - number[ids.MODEL_ATTEMPTS]),
        ("finish", ids.FINALIZATION_SECONDS, 1, number[ids.FINALIZATION_SECONDS]),
    )
    return (PathStep(step, policy, needs, available, available - needs) for step, policy, needs, available in rows)


def _view_bytes(number: Mapping[str, Number]) -> Number:
    return number[ids.SEGMENT_CHARS] * BYTES_PER_CHAR + PINNED_BYTES


def _contradictions(number: Mapping[str, Number], entry: bool, priced: bool) -> Iterator[Contradiction]:
    yield from _request_contradictions(number, entry)
    results = number[ids.SEARCHES] * number[ids.RESULTS_PER_SEARCH]
    pairs = (
        (ids.REGISTRY_CAPACITY, ids.SEARCHES, results, "{needs:g} results may be found ({1}), {0} holds {holds:g}"),
        (ids.HANDLE_LIFETIME, ids.WINDOW_SECONDS, number[ids.WINDOW_SECONDS], "{1} outlives the handles of {0}"),
        (ids.ACTIVE_SECONDS, ids.WINDOW_SECONDS, number[ids.WINDOW_SECONDS], "{1} is longer than {0}"),
        (ids.ACTIVE_SECONDS, ids.ATTEMPT_SECONDS, number[ids.ATTEMPT_SECONDS], "one attempt ({1}) may outlast {0}"),
        (
            ids.ACTIVE_SECONDS,
            ids.FINALIZATION_SECONDS,
            number[ids.FINALIZATION_SECONDS] + 1,
            "{1} leaves no time for research within {0}",
        ),
        (ids.EXPIRES_SECONDS, ids.ACTIVE_SECONDS, number[ids.ACTIVE_SECONDS], "{1} goes on after {0}"),
        (ids.TOOL_CALLS, ids.SEARCHES, 2, "a search ({1}) and a read need more calls than {0}"),
        (ids.INPUT_BYTES, ids.SEGMENT_CHARS, _view_bytes(number), "one segment ({1}) and the pinned part exceed {0}"),
        (
            ids.OUTPUT_TOKENS,
            ids.REQUEST_OUTPUT_TOKENS,
            number[ids.REQUEST_OUTPUT_TOKENS],
            "one reply ({1}) exceeds {0}",
        ),
    )
    for outer, inner, needs, why in pairs:
        if needs > number[outer]:
            said = why.format(outer, inner, needs=needs, holds=number[outer])
            repair = f"set {outer} to at least {needs:g}, or narrow {inner}"
            yield Contradiction((outer, inner), needs, number[outer], said, repair)
    if ids.COST_USD in number and not priced:
        why = f"{ids.COST_USD} caps money, and the price of the model is unknown"
        repair = f"switch {ids.COST_USD} off, or choose a model whose price is known"
        yield Contradiction((ids.COST_USD, ids.MODEL_REQUESTS), number[ids.MODEL_REQUESTS], 0, why, repair)


def _request_contradictions(number: Mapping[str, Number], entry: bool) -> Iterator[Contradiction]:
    total, reserve, corrections = number[ids.MODEL_REQUESTS], number[ids.FINAL_RESERVE], number[ids.CORRECTIONS]
    needs = _finalization(number)
    if needs > reserve:
        yield Contradiction(
            (ids.FINAL_RESERVE, ids.CORRECTIONS),
            needs,
            reserve,
            f"a publication, {corrections:g} corrections ({ids.CORRECTIONS}), a finish and "
            f"{number[ids.MODEL_ATTEMPTS] - 1:g} more attempts ({ids.MODEL_ATTEMPTS}) do not fit {ids.FINAL_RESERVE}",
            f"set {ids.FINAL_RESERVE} to at least {needs:g}, or lower {ids.CORRECTIONS} or {ids.MODEL_ATTEMPTS}",
        )
    least = reserve + _exploration(entry)
    if least > total:
        yield Contradiction(
            (ids.MODEL_REQUESTS, ids.FINAL_RESERVE),
            least,
            total,
            f"{ids.MODEL_REQUESTS} cannot hold the reserve: {ids.FINAL_RESERVE} keeps {reserve:g}, and "
            f"{_exploration(entry)} more are needed to ask, search and read",
            f"set {ids.MODEL_REQUESTS} to at least {least:g}, or lower {ids.FINAL_RESERVE}",
        )
