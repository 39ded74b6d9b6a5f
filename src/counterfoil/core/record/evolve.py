"""Owns the fold: ``evolve(state, event, at) → state`` is the only way a Run's state changes.

Never: choosing, refusing, or reading anything but the event and the state before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from counterfoil.core.evidence.sources import Reading, Source
from counterfoil.core.exchange import REVIEWS, TokenUsage
from counterfoil.core.law.budget import COST_USD, INPUT_BYTES, INPUT_TOKENS, OUTPUT_TOKENS, Budget
from counterfoil.core.law.phases import MOVES, Phase
from counterfoil.core.law.policy import Number
from counterfoil.core.record import events as e
from counterfoil.core.record import fold_proxied
from counterfoil.core.record.helper_folds import HELPER_FOLDS
from counterfoil.core.record.note_folds import NOTE_FOLDS, after_failure, after_refusal, after_success
from counterfoil.core.record.proxied import PROXIED, Proxied
from counterfoil.core.record.review_folds import REVIEW_FOLDS, unasked
from counterfoil.core.record.state import Call, CallStatus, Publication, RefusedFact, RunState, Turn

# Failures before a provider began to work: no token was spent. After any other one the worst case stands.
UNSPENT = frozenset(
    {"local_budget_exhausted", "upstream_rate_limited", "auth_refused", "request_invalid", "input_too_large"}
)

# An entry reply that came and cannot be used leaves the bare question; a provider that is not there ends the Run.
UNUSABLE_ENTRY = frozenset({"output_truncated", "content_refused"})


def begin(run_id: str, event: e.RunAdmitted, at: int) -> RunState:
    """The state after admission."""
    snapshot = event.snapshot
    return RunState(
        run_id=run_id,
        snapshot=snapshot,
        contract=snapshot.contract,
        admitted_at=at,
        budget=Budget({value.id: value for value in snapshot.policies}),
        seq=1,
        proxied=Proxied(idle_since=at) if snapshot.model == PROXIED else None,
    )


def evolve(state: RunState, event: e.Event, at: int) -> RunState:
    """The state after ``event``, which happened ``at`` (milliseconds since the epoch)."""
    return replace(_FOLDS[type(event)](state, event, at), seq=state.seq + 1)


def _unchanged(state: RunState, _event: e.Event, _at: int) -> RunState:
    return state


def _contract_proposed(state: RunState, event: e.ContractProposed, _at: int) -> RunState:
    return replace(state, proposed=event.contract, entry_failed=event.contract is None)


def _contract_confirmed(state: RunState, event: e.ContractConfirmed, _at: int) -> RunState:
    paused = state.paused_ms + event.waited_ms
    return replace(state, contract=event.contract, confirmed=True, paused_ms=paused)


def _lease_taken(state: RunState, event: e.LeaseTaken, _at: int) -> RunState:
    return replace(state, holder=event.holder, epoch=event.epoch)


def _paused(state: RunState, event: e.RunPaused, _at: int) -> RunState:
    return replace(state, paused=True, paused_ms=state.paused_ms + event.waited_ms)


def _taken_up(state: RunState, event: e.RunRecovered | e.RunResumed, _at: int) -> RunState:
    budget = state.budget.narrowed(event.narrowed) if event.narrowed else state.budget
    proxied = state.proxied
    if proxied and not proxied.under_way:  # this idle time is counted here, and not again by the next request
        proxied = replace(proxied, idle_since=proxied.idle_since + event.idle_ms)
    return replace(state, paused=False, paused_ms=state.paused_ms + event.idle_ms, budget=budget, proxied=proxied)


def _model_reserved(state: RunState, event: e.ModelCallReserved, _at: int) -> RunState:
    before = state.turns[-1].dropped[: event.still_dropped] if event.still_dropped else ()
    turn = Turn(
        event.request,
        event.purpose,
        event.tools,
        event.view_hash,
        dropped=before + event.dropped,
        worst=event.worst,
        model=event.model,
        summed_up=event.summed_up,
    )
    return replace(state, turns=(*state.turns, turn), budget=state.budget.debit_request(event.purpose, event.worst))


def _input_refused(state: RunState, event: e.InputRefused, _at: int) -> RunState:
    if event.purpose in REVIEWS:
        return unasked(state, event.policy)
    state = replace(state, provider_error=None, retry_at=None)  # an earlier failure has had its retry
    if event.purpose == "entry":  # the bare question stands
        return replace(state, entry_failed=True)
    if event.policy != INPUT_BYTES:  # tokens or money: research is over, the Run is not
        return replace(state, input_refused=event.policy)
    error = {
        "code": "input_too_large",
        "policy": event.policy,
        "message": f"a view of {event.size_bytes} bytes does not fit {_held_by(event)}",
        "hint": f"{_larger(event)}, or ask a shorter question",
    }
    return replace(state, provider_error=error, input_refused=event.policy)


def _held_by(event: e.InputRefused) -> str:
    window = event.window_tokens
    return event.policy if window is None else f"the window of the model, which is {window} tokens"


def _larger(event: e.InputRefused) -> str:
    return f"raise {event.policy}" if event.window_tokens is None else "choose a model with a larger window"


def _model_settled(state: RunState, event: e.ModelCallSettled, _at: int) -> RunState:
    usage = event.completion.usage
    turn = replace(state.turns[-1], status="settled", text=event.completion.text)
    review = turn.purpose in REVIEWS
    silent = 0 if event.completion.calls or turn.purpose == "entry" else state.silent_turns + 1
    return replace(
        state,
        turns=(*state.turns[:-1], turn),
        silent_turns=state.silent_turns if review else silent,
        budget=state.budget.settle_request(turn.worst, _spent(usage, event.usd)),
        cost_usd=_plus(state.cost_usd, event.usd),
        provider_error=state.provider_error if review else None,
        retry_at=state.retry_at if review else None,
    )


def _spent(usage: TokenUsage, usd: float | None) -> dict[str, Number]:
    return {INPUT_TOKENS: usage.input, OUTPUT_TOKENS: usage.output, COST_USD: usd or 0}


def _plus(so_far: float | None, usd: float | None) -> float | None:
    return None if so_far is None or usd is None else so_far + usd


def _model_failed(state: RunState, event: e.ModelCallFailed, at: int) -> RunState:
    turn = replace(state.turns[-1], status="failed", category=event.category, why=event.message)
    error = {
        "code": event.category,
        "policy": event.policy,
        "message": event.message,
        "hint": event.hint,
        "reason": event.code,
    }
    retry_at = None if event.wait_ms is None else at + event.wait_ms
    free = event.category in UNSPENT
    if free or event.spent is not None:
        spent = {} if free or event.spent is None else _spent(event.spent, event.usd)
        state = replace(state, budget=state.budget.settle_request(turn.worst, spent))
        turn = replace(turn, worst={})
    if not free:
        state = replace(state, cost_usd=_plus(state.cost_usd, event.usd))
    budget = state.budget
    if turn.purpose in REVIEWS:
        return replace(state, turns=(*state.turns[:-1], turn), budget=budget)
    if turn.purpose == "entry" and event.category in UNUSABLE_ENTRY:
        turns = (*state.turns[:-1], turn)  # the bare question stands, whatever an earlier attempt failed for
        return replace(state, turns=turns, budget=budget, entry_failed=True, provider_error=None, retry_at=None)
    return replace(state, turns=(*state.turns[:-1], turn), budget=budget, provider_error=error, retry_at=retry_at)


def _call_proposed(state: RunState, event: e.ToolCallProposed, _at: int) -> RunState:
    call = event.call
    turn = state.turns[-1]
    return replace(
        state,
        calls=state.calls.with_(call.id, Call(call, event.request)),
        open_calls=(*state.open_calls, call.id),
        turns=(*state.turns[:-1], replace(turn, calls=(*turn.calls, call.id))),
    )


def _close_call(state: RunState, call_id: str, status: CallStatus, content: dict[str, Any]) -> RunState:
    call = replace(state.calls[call_id], status=status, content=content)
    return replace(
        state,
        calls=state.calls.with_(call_id, call),
        open_calls=tuple(open_id for open_id in state.open_calls if open_id != call_id),
    )


def _call_refused(state: RunState, event: e.ToolCallRefused, _at: int) -> RunState:
    content = {"refused": event.code, "why": event.why}
    if event.policy:
        content["policy"] = event.policy
    if event.hint:
        content["hint"] = event.hint
    state = after_refusal(state, event.call_id, event.code, event.category)
    return _close_call(state, event.call_id, "refused", content)


def _call_reserved(state: RunState, event: e.ToolCallReserved, _at: int) -> RunState:
    call = replace(state.calls[event.call_id], status="reserved")
    return replace(state, calls=state.calls.with_(event.call_id, call), budget=state.budget.debit(event.debits))


def _call_settled(state: RunState, event: e.ToolCallSettled, _at: int) -> RunState:
    return _close_call(after_success(state, event.call_id), event.call_id, "settled", event.content)


def _call_failed(state: RunState, event: e.ToolCallFailed, _at: int) -> RunState:
    content = {"failed": event.code, "why": event.why, **event.content}
    if event.hint:
        content["hint"] = event.hint
    return _close_call(after_failure(state, event.call_id), event.call_id, "failed", content)


def _source_registered(state: RunState, event: e.SourceRegistered, at: int) -> RunState:
    source = Source(event.handle, event.document, event.call_id, at)
    return replace(
        state,
        sources=state.sources.with_(event.handle, source),
        handles=state.handles.with_(event.document.id, event.handle),
    )


def _registration_failed(state: RunState, _event: e.SourceRegistrationFailed, _at: int) -> RunState:
    return replace(state, registration_failures=state.registration_failures + 1)


def _evidence_read(state: RunState, event: e.EvidenceRead, at: int) -> RunState:
    reading = Reading(event.handle, event.segment, event.first, event.call_id, at)
    return replace(
        state,
        readings=(*state.readings, reading),
        read_index=state.read_index.with_((event.handle, event.segment.index), len(state.readings)),
        evidence_count=state.evidence_count + len(event.segment.passages),
        needs_rewrites=0,
    )


def _flagged(state: RunState, event: e.InstructionFlagged, _at: int) -> RunState:
    return replace(state, flags=(*state.flags, event))


def _fact_recorded(state: RunState, event: e.FactRecorded, _at: int) -> RunState:
    return replace(state, facts=(*state.facts, event.fact), needs_rewrites=0)


def _fact_refused(state: RunState, event: e.FactRefused, _at: int) -> RunState:
    refused = RefusedFact(event.draft, event.code, event.why)
    return replace(state, refused_facts=(*state.refused_facts, refused))


def _publication_proposed(state: RunState, event: e.PublicationProposed, _at: int) -> RunState:
    publication = Publication(event.candidate, event.call_id)
    call = replace(state.calls[event.call_id], status="judging")
    return replace(
        state,
        publications=(*state.publications, publication),
        calls=state.calls.with_(event.call_id, call),
        budget=state.budget.debit({event.charged: 1}) if event.charged else state.budget,
    )


def _publication_judged(state: RunState, event: e.PublicationAccepted | e.PublicationRejected, _at: int) -> RunState:
    rejected = isinstance(event, e.PublicationRejected)
    findings = event.findings if isinstance(event, e.PublicationRejected) else event.warnings
    judged = tuple(
        replace(p, status="rejected" if rejected else "accepted", findings=findings)
        if p.candidate.id == event.publication
        else p
        for p in state.publications
    )
    return replace(state, publications=judged, corrections_open=rejected and state.phase is Phase.FINALIZE_ONLY)


def _delivered(state: RunState, event: e.PublicationDelivered, _at: int) -> RunState:
    return replace(state, delivered=event.publication, host_report=event.body or state.host_report)


def _finish_proposed(state: RunState, event: e.FinishProposed, _at: int) -> RunState:
    return replace(state, limitations=event.limitations or state.limitations)


def _finish_accepted(state: RunState, event: e.FinishAccepted, _at: int) -> RunState:
    return replace(state, finish_accepted=True, no_answer=event.no_answer)


def _phase_changed(state: RunState, event: e.PhaseChanged, _at: int) -> RunState:
    if (state.phase, event.to) not in MOVES:
        raise ValueError(f"no move from {state.phase} to {event.to}")
    return replace(state, phase=event.to, phase_policy=event.policy, input_refused=None)


def _cancel_requested(state: RunState, event: e.CancelRequested, _at: int) -> RunState:
    return replace(state, cancelled=event.why)


def _unknown(state: RunState, event: e.EffectOutcomeUnknown, at: int) -> RunState:
    if event.kind == "proxied":
        return fold_proxied.end_call(state, event.id, at, stands=True)
    if event.kind == "model":
        turn = replace(state.turns[-1], status="unknown")
        return replace(state, turns=(*state.turns[:-1], turn))
    call = state.calls[event.id]
    effect = next((tool.effect for tool in state.snapshot.tools if tool.name == call.call.tool), None)
    if effect == "repeatable":  # may be tried again, as a new debit
        return replace(state, calls=state.calls.with_(event.id, replace(call, status="proposed")))
    why = "the process ended before a receipt; the outcome is unknown and the debit stands"
    hint = "find out whether it took effect before you ask for it again, or go on without it"
    return _close_call(state, event.id, "unknown", {"failed": "OUTCOME_UNKNOWN", "why": why, "hint": hint})


def _settled(state: RunState, event: e.RunSettled, _at: int) -> RunState:
    return replace(state, settled=event)


# Any: each fold takes its own event type; mypy cannot tie a dict's keys to its values.
_FOLDS: dict[type, Callable[[RunState, Any, int], RunState]] = {
    e.LeaseTaken: _lease_taken,
    e.PathProven: _unchanged,
    e.ContractProposed: _contract_proposed,
    e.ContractConfirmed: _contract_confirmed,
    e.ModelCallReserved: _model_reserved,
    e.InputRefused: _input_refused,
    e.ModelCallSettled: _model_settled,
    e.ModelCallFailed: _model_failed,
    e.ToolCallProposed: _call_proposed,
    e.ToolCallRefused: _call_refused,
    e.ToolCallReserved: _call_reserved,
    e.ToolCallSettled: _call_settled,
    e.ToolCallFailed: _call_failed,
    e.SourceRegistered: _source_registered,
    e.SourceRegistrationFailed: _registration_failed,
    e.EvidenceRead: _evidence_read,
    e.InstructionFlagged: _flagged,
    e.FactRecorded: _fact_recorded,
    e.FactRefused: _fact_refused,
    e.PublicationProposed: _publication_proposed,
    e.PublicationRejected: _publication_judged,
    e.PublicationAccepted: _publication_judged,
    e.PublicationDelivered: _delivered,
    e.FinishProposed: _finish_proposed,
    e.FinishRefused: _unchanged,
    e.FinishAccepted: _finish_accepted,
    e.PhaseChanged: _phase_changed,
    e.CancelRequested: _cancel_requested,
    e.EffectOutcomeUnknown: _unknown,
    e.RunPaused: _paused,
    e.RunRecovered: _taken_up,
    e.RunResumed: _taken_up,
    e.BlobPurged: _unchanged,
    e.RunSettled: _settled,
    **NOTE_FOLDS,
    **REVIEW_FOLDS,
    **HELPER_FOLDS,
    **fold_proxied.FOLDS,
}
