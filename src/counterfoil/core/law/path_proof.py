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
FINAL_VIEWS = 2  # one publication and one correction


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


class Demands(msgspec.Struct, frozen=True):
    """What a task and its model ask of the limits.

    ``entry``: a request interprets the question first. ``view_tokens``: the input tokens that a view with one segment
    may take. ``reply_tokens``: the output tokens of a short reply. ``view_usd``: what a request with both may cost,
    None when nobody knows the price.
    """

    entry: bool
    view_tokens: int = 0
    reply_tokens: int = 0
    view_usd: float | None = 0.0


def view_bytes(values: Mapping[str, PolicyValue]) -> int:
    """The bytes of a view with its pinned part and one segment."""
    return int(values[ids.SEGMENT_CHARS].value or 0) * BYTES_PER_CHAR + PINNED_BYTES


def examine_path(values: Mapping[str, PolicyValue], demands: Demands) -> PathProof:
    """Compare every step's needs with what feeds it."""
    limits = _Limits(values, demands)
    return PathProof(tuple(_steps(limits)), tuple(_contradictions(limits)))


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


class _Limits:
    """The numbers of a proof, by policy id, and what follows from them."""

    def __init__(self, values: Mapping[str, PolicyValue], demands: Demands) -> None:
        self._values = values
        self.entry = 1 if demands.entry else 0
        self.view_bytes = view_bytes(values)
        self.view_tokens = demands.view_tokens
        self.reply_tokens = demands.reply_tokens
        self.view_usd = demands.view_usd

    def __getitem__(self, policy: str) -> Number:
        value = self._values[policy].value
        if value is None:
            raise ValueError(f"{policy} has no value")
        return value

    def on(self, policy: str) -> bool:
        """Whether a limit has a value."""
        return self._values[policy].value is not None

    def explicit(self, *policies: str) -> bool:
        """Whether somebody chose one of these; defaults follow what contains them and never contradict it."""
        return any(self._values[policy].origin == "explicit" for policy in policies)

    @property
    def exploration(self) -> Number:
        """Requests before finalization."""
        return self[ids.MODEL_REQUESTS] - self[ids.FINAL_RESERVE]

    @property
    def least(self) -> int:
        """Exploration requests of the shortest path: interpreting the question, searching, reading."""
        return self.entry + 2

    @property
    def finalization(self) -> Number:
        """Requests for a publication, its corrections, a finish, and the attempts that one of them may cost more."""
        return 1 + self[ids.CORRECTIONS] + 1 + self[ids.MODEL_ATTEMPTS] - 1

    @property
    def results(self) -> Number:
        """Handles that all searches together may issue."""
        return self[ids.SEARCHES] * self[ids.RESULTS_PER_SEARCH]


def _steps(limits: _Limits) -> Iterator[PathStep]:
    left, reserve, corrections = limits.exploration, limits[ids.FINAL_RESERVE], limits[ids.CORRECTIONS]
    research_tokens = limits[ids.INPUT_TOKENS] - limits[ids.FINAL_INPUT_TOKENS]
    drafts = FINAL_VIEWS * limits.view_tokens
    research_seconds = limits[ids.ACTIVE_SECONDS] - limits[ids.FINALIZATION_SECONDS]
    rows = (
        ("entry", ids.MODEL_REQUESTS, limits.entry, left),
        ("search", ids.MODEL_REQUESTS, 1, left - limits.entry),
        ("search", ids.SEARCHES, 1, limits[ids.SEARCHES]),
        ("search", ids.TOOL_CALLS, 1, limits[ids.TOOL_CALLS]),
        ("search", ids.WINDOW_SECONDS, 1, limits[ids.WINDOW_SECONDS]),
        ("register", ids.REGISTRY_CAPACITY, limits.results, limits[ids.REGISTRY_CAPACITY]),
        ("register", ids.HANDLE_LIFETIME, limits[ids.WINDOW_SECONDS], limits[ids.HANDLE_LIFETIME]),
        ("read", ids.MODEL_REQUESTS, 1, left - limits.entry - 1),
        ("read", ids.READS, 1, limits[ids.READS]),
        ("read", ids.TOOL_CALLS, 1, limits[ids.TOOL_CALLS] - 1),
        ("read", ids.INPUT_BYTES, limits.view_bytes, limits[ids.INPUT_BYTES]),
        ("read", ids.INPUT_TOKENS, limits.least * limits.view_tokens, research_tokens),
        ("read", ids.ACTIVE_SECONDS, 1, research_seconds),
        ("self-review", ids.MODEL_REQUESTS, _reviews(limits), left - limits.least),
        ("draft", ids.FINAL_RESERVE, 1, reserve),
        ("draft", ids.FINAL_INPUT_TOKENS, drafts, limits[ids.FINAL_INPUT_TOKENS]),
        ("draft", ids.FINAL_OUTPUT_TOKENS, FINAL_VIEWS * limits.reply_tokens, limits[ids.FINAL_OUTPUT_TOKENS]),
        ("reject", ids.CORRECTIONS, corrections, corrections),
        ("correct", ids.FINAL_RESERVE, corrections, reserve - 1),
        ("retry", ids.FINAL_RESERVE, limits[ids.MODEL_ATTEMPTS] - 1, reserve - 1 - corrections),
        ("finish", ids.FINAL_RESERVE, 1, reserve - corrections - limits[ids.MODEL_ATTEMPTS]),
        ("finish", ids.FINALIZATION_SECONDS, 1, limits[ids.FINALIZATION_SECONDS]),
    )
    return (PathStep(step, policy, needs, available, available - needs) for step, policy, needs, available in rows)


def _reviews(limits: _Limits) -> Number:
    """Self-reviews that the path holds: as a default none where exploration has no room for one."""
    wanted = limits[ids.SELF_REVIEWS]
    if limits.explicit(ids.SELF_REVIEWS, ids.REVIEW_STEPS_LEFT):
        return wanted
    return wanted if limits.exploration - limits.least >= wanted else 0


def _contradictions(limits: _Limits) -> Iterator[Contradiction]:
    yield from _request_contradictions(limits)
    pairs: list[tuple[str, str, Number, str]] = [
        (
            ids.REGISTRY_CAPACITY,
            ids.SEARCHES,
            limits.results,
            f"{limits.results:g} results may be found ({{1}} × {ids.RESULTS_PER_SEARCH}), {{0}} holds {{holds:g}}",
        ),
        (ids.HANDLE_LIFETIME, ids.WINDOW_SECONDS, limits[ids.WINDOW_SECONDS], "{1} outlives the handles of {0}"),
        (ids.ACTIVE_SECONDS, ids.WINDOW_SECONDS, limits[ids.WINDOW_SECONDS], "{1} is longer than {0}"),
        (ids.ACTIVE_SECONDS, ids.ATTEMPT_SECONDS, limits[ids.ATTEMPT_SECONDS], "one attempt ({1}) may outlast {0}"),
        (
            ids.ACTIVE_SECONDS,
            ids.FINALIZATION_SECONDS,
            limits[ids.FINALIZATION_SECONDS] + 1,
            "{1} leaves no time for research within {0}",
        ),
        (ids.EXPIRES_SECONDS, ids.ACTIVE_SECONDS, limits[ids.ACTIVE_SECONDS], "{1} goes on after {0}"),
        (ids.TOOL_CALLS, ids.SEARCHES, 2, "a search ({1}) and a read need more calls than {0}"),
        (ids.INPUT_BYTES, ids.SEGMENT_CHARS, limits.view_bytes, "one segment ({1}) and the pinned part exceed {0}"),
        (
            ids.OUTPUT_TOKENS,
            ids.REQUEST_OUTPUT_TOKENS,
            limits[ids.REQUEST_OUTPUT_TOKENS],
            "one reply ({1}) exceeds {0}",
        ),
        (
            ids.INPUT_TOKENS,
            ids.FINAL_INPUT_TOKENS,
            limits[ids.FINAL_INPUT_TOKENS] + limits.least * limits.view_tokens,
            f"{{1}} and {limits.least} views with one segment exceed {{0}}",
        ),
        (
            ids.OUTPUT_TOKENS,
            ids.FINAL_OUTPUT_TOKENS,
            limits[ids.FINAL_OUTPUT_TOKENS] + limits.least * limits.reply_tokens,
            f"{{1}} and {limits.least} short replies exceed {{0}}",
        ),
        (
            ids.FINAL_OUTPUT_TOKENS,
            ids.OUTPUT_TOKENS,
            FINAL_VIEWS * limits.reply_tokens,
            "a publication and its correction exceed {0}, what is kept of {1}",
        ),
        (
            ids.FINAL_INPUT_TOKENS,
            ids.SEGMENT_CHARS,
            FINAL_VIEWS * limits.view_tokens,
            "a publication and its correction, each with one segment ({1}) in view, exceed {0}",
        ),
    ]
    for outer, inner, needs, why in pairs:
        if needs > limits[outer]:
            said = why.format(outer, inner, holds=limits[outer])
            repair = f"set {outer} to at least {needs:g}, or narrow {inner}"
            yield Contradiction((outer, inner), needs, limits[outer], said, repair)
    yield from _money_contradictions(limits)
    yield from _carved_contradictions(limits)


def _request_contradictions(limits: _Limits) -> Iterator[Contradiction]:
    total, reserve, corrections = limits[ids.MODEL_REQUESTS], limits[ids.FINAL_RESERVE], limits[ids.CORRECTIONS]
    needs = limits.finalization
    if needs > reserve:
        yield Contradiction(
            (ids.FINAL_RESERVE, ids.CORRECTIONS),
            needs,
            reserve,
            f"a publication, {corrections:g} corrections ({ids.CORRECTIONS}), a finish and "
            f"{limits[ids.MODEL_ATTEMPTS] - 1:g} more attempts ({ids.MODEL_ATTEMPTS}) do not fit {ids.FINAL_RESERVE}",
            f"set {ids.FINAL_RESERVE} to at least {needs:g}, or lower {ids.CORRECTIONS} or {ids.MODEL_ATTEMPTS}",
        )
    least = reserve + limits.least
    if least > total:
        yield Contradiction(
            (ids.MODEL_REQUESTS, ids.FINAL_RESERVE),
            least,
            total,
            f"{ids.MODEL_REQUESTS} cannot hold the reserve: {ids.FINAL_RESERVE} keeps {reserve:g}, and "
            f"{limits.least} more are needed to ask, search and read",
            f"set {ids.MODEL_REQUESTS} to at least {least:g}, or lower {ids.FINAL_RESERVE}",
        )


def _money_contradictions(limits: _Limits) -> Iterator[Contradiction]:
    if not limits.on(ids.COST_USD):
        return
    if limits.view_usd is None:
        why = f"{ids.COST_USD} caps money, and the price of the model is unknown"
        repair = f"switch {ids.COST_USD} off, or choose a model whose price is known"
        yield Contradiction((ids.COST_USD, ids.MODEL_REQUESTS), limits[ids.MODEL_REQUESTS], 0, why, repair)
        return
    kept, final = limits[ids.FINAL_COST_USD], FINAL_VIEWS * limits.view_usd
    if final > kept:
        why = f"a publication and its correction may cost more than {ids.FINAL_COST_USD} keeps of {ids.COST_USD}"
        repair = f"set {ids.FINAL_COST_USD} to at least {final:g}, or raise {ids.COST_USD}"
        yield Contradiction((ids.FINAL_COST_USD, ids.COST_USD), final, kept, why, repair)
    needs = kept + limits.least * limits.view_usd
    if needs > limits[ids.COST_USD] or kept >= limits[ids.COST_USD]:
        why = f"{ids.FINAL_COST_USD} leaves too little money for research within {ids.COST_USD}"
        repair = f"set {ids.COST_USD} to more than {needs:g}"
        yield Contradiction((ids.COST_USD, ids.FINAL_COST_USD), needs, limits[ids.COST_USD], why, repair)


def _carved_contradictions(limits: _Limits) -> Iterator[Contradiction]:
    """What is paid from exploration beside the path itself: a self-review, and the parts that helpers take."""
    reviews = limits[ids.SELF_REVIEWS]
    review_needs = limits.least + reviews * max(1, limits[ids.REVIEW_STEPS_LEFT])
    if reviews and limits.explicit(ids.SELF_REVIEWS, ids.REVIEW_STEPS_LEFT) and review_needs > limits.exploration:
        yield Contradiction(
            (ids.SELF_REVIEWS, ids.MODEL_REQUESTS),
            review_needs,
            limits.exploration,
            f"a self-review ({ids.SELF_REVIEWS}, {ids.REVIEW_STEPS_LEFT}) cannot be paid from what "
            f"{ids.MODEL_REQUESTS} leaves for exploration",
            f"set {ids.SELF_REVIEWS} to 0, or {ids.MODEL_REQUESTS} to at least "
            f"{review_needs + limits[ids.FINAL_RESERVE]:g}",
        )
    most, fewest, share = limits[ids.HELPER_PARTS_MAX], limits[ids.HELPER_PARTS_MIN], limits[ids.HELPER_REQUESTS]
    if fewest > most:
        why = f"{ids.HELPER_PARTS_MIN} is above {ids.HELPER_PARTS_MAX}"
        repair = f"set {ids.HELPER_PARTS_MAX} to at least {fewest:g}"
        yield Contradiction((ids.HELPER_PARTS_MAX, ids.HELPER_PARTS_MIN), fewest, most, why, repair)
    if limits.explicit(ids.HELPER_REQUESTS) and fewest * share > limits.exploration:
        yield Contradiction(
            (ids.MODEL_REQUESTS, ids.HELPER_REQUESTS),
            fewest * share,
            limits.exploration,
            f"{fewest:g} helpers ({ids.HELPER_PARTS_MIN}) of {ids.HELPER_REQUESTS}={share:g} exceed what "
            f"{ids.MODEL_REQUESTS} leaves for exploration",
            f"set {ids.HELPER_REQUESTS} to at most {limits.exploration // fewest:g}, or raise {ids.MODEL_REQUESTS}",
        )
