"""Owns the contradictions between limits: pairs that make an answer impossible together, with the nearest repair.

Never: a limit's value (policies hold them), or repairing one by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from counterfoil.core.law import budget as ids
from counterfoil.core.law.demands import FINAL_VIEWS, FINISH_SECONDS, Limits
from counterfoil.core.law.policy import Number

Pair = tuple[str, str, Number, str]  # the policy that holds, the one that needs, how much, and why in words


class Contradiction(msgspec.Struct, frozen=True):
    """Two limits that make an answer impossible together, with the nearest change that would repair it."""

    policies: tuple[str, str]
    needs: Number
    holds: Number
    why: str
    repair: str

    def sentence(self) -> str:
        """The contradiction as a person reads it; against nothing at all there is no comparison to show."""
        return f"{self.why}: {self.needs:g} > {self.holds:g}" if self.holds else self.why


# The action that each step of the path takes, and the policy that feeds it.
STEP_ACTIONS = {"search": ids.SEARCHES, "read": ids.READS, "publish": ids.PUBLICATION_ATTEMPTS}


def _forbidden(limits: Limits) -> Iterator[Contradiction]:
    for action, policy in STEP_ACTIONS.items():
        if action in limits.forbidden:
            why = f"the task forbids {action}, which the path to an answer needs ({policy})"
            yield Contradiction(("task/forbidden", policy), 1, 0, why, f"take {action} out of `forbidden`")


def contradictions(limits: Limits) -> Iterator[Contradiction]:
    """Everything that makes an answer impossible under ``limits``."""
    yield from _forbidden(limits)
    yield from _request_contradictions(limits)
    for outer, inner, needs, why in (*_times(limits), *_sizes(limits)):
        if needs > limits[outer]:
            said = why.format(outer, inner, holds=limits[outer])
            repair = f"set {outer} to at least {needs:g}, or narrow {inner}"
            yield Contradiction((outer, inner), needs, limits[outer], said, repair)
    yield from _window_contradictions(limits)
    yield from _money_contradictions(limits)
    yield from _carved_contradictions(limits)


def _times(limits: Limits) -> tuple[Pair, ...]:
    kept = limits[ids.FINALIZATION_SECONDS] + FINISH_SECONDS
    return (
        (ids.HANDLE_LIFETIME, ids.WINDOW_SECONDS, limits[ids.WINDOW_SECONDS], "{1} outlives the handles of {0}"),
        (ids.ACTIVE_SECONDS, ids.WINDOW_SECONDS, limits[ids.WINDOW_SECONDS], "{1} is longer than {0}"),
        (ids.ACTIVE_SECONDS, ids.ATTEMPT_SECONDS, limits[ids.ATTEMPT_SECONDS], "one attempt ({1}) may outlast {0}"),
        (ids.ACTIVE_SECONDS, ids.FINALIZATION_SECONDS, kept, "{1} leaves no time for research within {0}"),
        (ids.FINALIZATION_SECONDS, ids.ACTIVE_SECONDS, FINISH_SECONDS, "what {0} keeps of {1} is no time to finish in"),
        (ids.EXPIRES_SECONDS, ids.ACTIVE_SECONDS, limits[ids.ACTIVE_SECONDS], "{1} goes on after {0}"),
    )


def _sizes(limits: Limits) -> tuple[Pair, ...]:
    reply = limits[ids.REQUEST_OUTPUT_TOKENS]
    views, replies = limits.least * limits.view_tokens, limits.least * limits.reply_tokens
    found = f"{limits.results:g} results may be found ({{1}} × {ids.RESULTS_PER_SEARCH}), {{0}} holds {{holds:g}}"
    drafts = "a publication and its correction, each with one segment ({1}) in view, exceed {0}"
    return (
        (ids.REGISTRY_CAPACITY, ids.SEARCHES, limits.results, found),
        (ids.TOOL_CALLS, ids.SEARCHES, 2, "a search ({1}) and a read need more calls than {0}"),
        (
            ids.INPUT_BYTES,
            ids.SEGMENT_CHARS,
            limits.view_bytes,
            "tools, pinned part and one segment ({1}) exceed {0}",
        ),
        (ids.OUTPUT_TOKENS, ids.REQUEST_OUTPUT_TOKENS, reply, "one reply ({1}) exceeds {0}"),
        (
            ids.INPUT_TOKENS,
            ids.FINAL_INPUT_TOKENS,
            limits[ids.FINAL_INPUT_TOKENS] + views,
            f"{{1}} and {limits.least} views with one segment exceed {{0}}",
        ),
        (
            ids.OUTPUT_TOKENS,
            ids.FINAL_OUTPUT_TOKENS,
            limits[ids.FINAL_OUTPUT_TOKENS] + replies,
            f"{{1}} and {limits.least} short replies exceed {{0}}",
        ),
        (
            ids.FINAL_OUTPUT_TOKENS,
            ids.OUTPUT_TOKENS,
            FINAL_VIEWS * limits.reply_tokens,
            "a publication and its correction exceed {0}, what is kept of {1}",
        ),
        (ids.FINAL_INPUT_TOKENS, ids.SEGMENT_CHARS, FINAL_VIEWS * limits.view_tokens, drafts),
    )


def _request_contradictions(limits: Limits) -> Iterator[Contradiction]:
    total, reserve, corrections = limits[ids.MODEL_REQUESTS], limits[ids.FINAL_RESERVE], limits[ids.CORRECTIONS]
    needs = limits.finalization
    if needs > reserve:
        chain = f" at {limits.models} models" if limits.models > 1 else ""
        fewer = ", or name fewer fallbacks" if limits.models > 1 else ""
        yield Contradiction(
            (ids.FINAL_RESERVE, ids.CORRECTIONS),
            needs,
            reserve,
            f"a publication, {corrections:g} corrections ({ids.CORRECTIONS}), a finish and "
            f"{limits.retries:g} more attempts ({ids.MODEL_ATTEMPTS}{chain}) do not fit {ids.FINAL_RESERVE}",
            f"set {ids.FINAL_RESERVE} to at least {needs:g}, or lower {ids.CORRECTIONS} or {ids.MODEL_ATTEMPTS}{fewer}",
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


def _window_contradictions(limits: Limits) -> Iterator[Contradiction]:
    if (cramped := limits.cramped) is None:
        return
    why = (
        f"a view with one segment ({ids.SEGMENT_CHARS}) may take more tokens than the window of {cramped.model} leaves "
        "for input"
    )
    repair = f"narrow {ids.SEGMENT_CHARS}, or choose a model with a larger window"
    yield Contradiction((ids.INPUT_BYTES, ids.SEGMENT_CHARS), cramped.needs, cramped.room, why, repair)


def _money_contradictions(limits: Limits) -> Iterator[Contradiction]:
    if not limits.on(ids.COST_USD):
        return
    if limits.view_usd is None:
        which = "a model of the chain" if limits.models > 1 else "the model"
        why = f"{ids.COST_USD} caps money, and the price of {which} is unknown"
        repair = f"switch {ids.COST_USD} off, or choose models whose price is known"
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


def _carved_contradictions(limits: Limits) -> Iterator[Contradiction]:
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
