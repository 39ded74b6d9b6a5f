"""Owns every choice of the Host: ``decide(state, now) → command`` is total and the only place that chooses.

Never: doing anything, or looking at anything but the state and the time it is given.
"""

from __future__ import annotations

from counterfoil.core.exchange import Purpose, ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import Shortage
from counterfoil.core.law.phases import Phase
from counterfoil.core.law.projection import Projection, project
from counterfoil.core.law.streaks import same_call
from counterfoil.core.record import commands as c
from counterfoil.core.record import review_steps as review
from counterfoil.core.record.attempts import LOCAL_REFUSAL, next_attempt, standing
from counterfoil.core.record.outcome import StopReason
from counterfoil.core.record.state import Publication, RunState

SILENT_TURNS_TO_FINALIZE = 2  # protocol: two replies without a call end research, a third ends the Run


def decide(state: RunState, now: int) -> c.Command:
    """What the Host does next. ``now`` in milliseconds since the epoch."""
    if state.settled or state.paused:
        return c.Rest()
    if state.cancelled is None and (asked := state.reviewing) is not None:
        return c.SettleReview() if state.review is None else c.Settle(asked.reason, asked.policy)
    chosen = _chosen(state, now)
    if isinstance(chosen, c.Settle) and state.cancelled is None and review.reviewer_due(state):
        return _ask_reviewer(state, chosen, now)
    return chosen


def _chosen(state: RunState, now: int) -> c.Command:
    """What the Host does next, reviews of an accepted answer aside."""
    if (stopped := _stopped(state, now)) is not None:
        return stopped
    if not state.confirmed:
        return _before_research(state, now)
    if (undecided := state.undecided) is not None:
        return _pending(state, undecided, now)
    if state.finish_accepted:
        return c.Settle("finish_accepted")
    if state.open_calls:
        return _next_call(state, state.open_calls)
    if (ending := _ending(state, now)) is not None:
        return ending
    if state.phase is Phase.RESEARCH and (change := _research_over(state, now)) is not None:
        return change
    return c.AskModel("research" if state.phase is Phase.RESEARCH else "finalize", standing(state))


def active_ms(state: RunState, now: int) -> int:
    """Milliseconds the Run has been worked on: neither waiting for a person nor lying idle counts."""
    return max(0, now - state.admitted_at - state.paused_ms)


def left_ms(state: RunState, now: int, *, finalizing: bool) -> int:
    """Milliseconds that something begun now may take: research leaves the time that is kept for finalization."""
    kept = 0 if finalizing else state.budget.require(ids.FINALIZATION_SECONDS)
    active = (state.budget.require(ids.ACTIVE_SECONDS) - kept) * 1000 - active_ms(state, now)
    expiry = state.admitted_at + state.budget.require(ids.EXPIRES_SECONDS) * 1000 - now
    return int(max(1, min(active, expiry)))


def expired(state: RunState, now: int) -> bool:
    """Whether so much time has passed since admission, pauses included, that nothing may begin any more."""
    return now - state.admitted_at >= state.budget.require(ids.EXPIRES_SECONDS) * 1000


def projection(state: RunState, now: int) -> Projection:
    """The tools that a request sent now may offer."""
    return project(state.snapshot.tools, state.phase, state.budget, state.contract.forbidden, active_ms(state, now))


def tool_spec(state: RunState, name: str) -> ToolSpec | None:
    """The admitted tool of that name."""
    return next((tool for tool in state.snapshot.tools if tool.name == name), None)


def _stopped(state: RunState, now: int) -> c.Command | None:
    """What comes before everything else: a wish to end, and a request that failed or could not be sent."""
    if state.cancelled is not None:
        return c.Settle("cancelled")
    if state.provider_error is not None:
        return _after_failure(state, now)
    if state.input_refused is not None:
        return _unaffordable(state, state.input_refused)
    return None


def _before_research(state: RunState, now: int) -> c.Command:
    if (ending := _ending(state, now)) is not None:
        return ending
    asked = state.entry_failed or any(turn.purpose == "entry" and turn.status != "unknown" for turn in state.turns)
    if state.snapshot.entry and not asked and state.budget.exploration_shortage() is None:
        return c.AskModel("entry", standing(state))
    if state.turns and state.turns[-1].status == "settled" and state.proposed is None and not state.entry_failed:
        return c.ReadEntryReply(state.turns[-1].text)
    return c.ConfirmContract(state.proposed or state.contract)


def _after_failure(state: RunState, now: int) -> c.Command:
    """Another attempt, at the same model or at the next of the chain, is a new debited request under the same limits;
    when none is lawful the Run settles. A refusal by a budget is no provider's failure, and nothing cures it.

    Where research is over by the time of that attempt, what is asked is a new request: the one to finish.
    """
    error = state.provider_error or {}
    if state.input_refused is not None:
        return c.Settle("provider_failed", state.input_refused)
    if error.get("code") == LOCAL_REFUSAL:
        return c.Settle("finalization_requests_exhausted", error.get("policy") or ids.MODEL_REQUESTS)
    failed = state.turns[-1]
    purpose: Purpose = "finalize" if state.phase is Phase.FINALIZE_ONLY else failed.purpose
    attempt = next_attempt(state, purpose, now)
    if state.retry_at is None and attempt is None:
        return c.Settle("provider_failed", error.get("policy"))
    place, moment = attempt or (None, max(now, state.retry_at or now))
    if (ending := _ending(state, moment)) is not None:
        return ending
    researching = state.phase is Phase.RESEARCH and failed.purpose == "research"
    if researching and (over := _research_over(state, moment)) is not None:
        return over
    if place is None:
        return c.Settle("provider_failed", ids.MODEL_ATTEMPTS)
    if purpose != "finalize" and (short := state.budget.exploration_shortage()) is not None:
        return c.Settle("provider_failed", short.policy)
    return c.Wait(moment) if now < moment else c.AskModel(purpose, place)


def _unaffordable(state: RunState, policy: str) -> c.Command:
    """The next view costs more than is left of ``policy``: research ends, and finalization with it if it was that."""
    if state.phase is Phase.FINALIZE_ONLY:
        return c.Settle("finalization_requests_exhausted", policy)
    return c.ChangePhase(Phase.FINALIZE_ONLY, f"what {policy} leaves for research cannot pay the next request", policy)


def _pending(state: RunState, pending: Publication, now: int) -> c.Command:
    """A candidate waits for its judgement, which may come after its author's own look at it.

    A reply to that which does something takes the candidate back; any other one, or none, leaves it to be judged.
    """
    publication = pending.candidate.id
    lawful = review.self_review_due(state) and _ending(state, now) is None and _research_over(state, now) is None
    if lawful:
        return c.AskSelfReview(publication, standing(state))
    if (looked := review.self_review_of(state, pending)) is not None:
        if review.went_on(state, looked):
            return c.WithdrawPublication(publication, looked.request)
        if work := review.open_work(state, looked):
            return _next_call(state, work)
    return c.JudgePublication(publication)


def _ask_reviewer(state: RunState, ending: c.Settle, now: int) -> c.AskReviewer:
    accepted = state.accepted
    refused = review.reviewer_unpaid(state)
    if expired(state, now):
        refused = ids.EXPIRES_SECONDS
    elif active_ms(state, now) >= state.budget.require(ids.ACTIVE_SECONDS) * 1000:
        refused = ids.ACTIVE_SECONDS
    policy = ending.policy or stop_policy(ending.reason, state)
    return c.AskReviewer(accepted.candidate.id if accepted else "", ending.reason, policy, refused)


def _next_call(state: RunState, among: tuple[str, ...]) -> c.Command:
    """Prepare proposed calls in order; perform reserved ones before anything that must wait for them.

    A call that is the same as a reserved one waits for it: its outcome says whether it is to be made again.
    """
    reserved = tuple(call for call in among if state.calls[call].status == "reserved")
    proposed = next((call for call in among if state.calls[call].status == "proposed"), None)
    if proposed is None:
        return c.PerformCalls(reserved)
    spec = tool_spec(state, state.calls[proposed].call.tool)
    same = any(same_call(state.calls[call].call, state.calls[proposed].call) for call in reserved)
    side_by_side = spec is not None and spec.effect == "repeatable" and not same
    return c.PrepareCall(proposed) if side_by_side or not reserved else c.PerformCalls(reserved)


def _ending(state: RunState, now: int) -> c.Settle | None:
    """The limits that end a Run in whatever phase it is."""
    active = active_ms(state, now)
    if expired(state, now):
        return c.Settle("expired", ids.EXPIRES_SECONDS)
    if active >= state.budget.require(ids.ACTIVE_SECONDS) * 1000:
        return c.Settle("hard_deadline", ids.ACTIVE_SECONDS)
    if state.silent_turns > SILENT_TURNS_TO_FINALIZE:
        return c.Settle("model_stopped")
    if state.phase is not Phase.FINALIZE_ONLY:
        return None
    if state.corrections_open and state.budget.spent_of((ids.CORRECTIONS,)):
        return c.Settle("corrections_exhausted", ids.CORRECTIONS)
    left = state.budget.left(ids.MODEL_REQUESTS)
    if left is not None and left <= 0:
        return c.Settle("finalization_requests_exhausted", ids.FINAL_RESERVE)
    if (short := state.budget.spending_shortage(finalizing=True)) is not None:
        return c.Settle("finalization_requests_exhausted", short.policy)
    return None


def _research_over(state: RunState, now: int) -> c.ChangePhase | None:
    """What moves a Run from research to finalize_only, as a sentence and a policy."""
    shortage: Shortage | None = state.budget.exploration_shortage() or state.budget.spent_of(
        (ids.TOOL_CALLS, ids.PUBLICATION_ATTEMPTS)
    )
    if shortage:
        return c.ChangePhase(Phase.FINALIZE_ONLY, shortage.sentence(), shortage.policy)
    seconds = state.budget.require(ids.ACTIVE_SECONDS) - state.budget.require(ids.FINALIZATION_SECONDS)
    if active_ms(state, now) >= seconds * 1000:
        why = f"{seconds:g} s of working time are spent; the rest is kept for finalization"
        return c.ChangePhase(Phase.FINALIZE_ONLY, why, ids.FINALIZATION_SECONDS)
    if state.silent_turns >= SILENT_TURNS_TO_FINALIZE:
        return c.ChangePhase(Phase.FINALIZE_ONLY, "two replies in a row made no call")
    shown = projection(state, now)
    if not any(tool.gathers_evidence for tool in shown.offered):
        gathering = {tool.name for tool in state.snapshot.tools if tool.gathers_evidence}
        removal = next((why for name, why in shown.removed if name in gathering), None)
        return c.ChangePhase(
            Phase.FINALIZE_ONLY, "no tool that gathers evidence is left", removal.policy if removal else None
        )
    return None


def stop_policy(reason: StopReason, state: RunState) -> str | None:
    """The policy to name beside a stop reason when the ending itself names none."""
    return state.phase_policy if reason in ("model_stopped", "finish_accepted") else None
