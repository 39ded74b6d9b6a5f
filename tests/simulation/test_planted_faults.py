"""A defect planted in the Host is found by its simulation, and by the invariant that is there for it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from tests.simulation.worlds import first_failure, played

from counterfoil.adapters.stores import memory
from counterfoil.core.answer.contract import Contract
from counterfoil.core.exchange import View
from counterfoil.core.law.budget import CALLS_PER_REPLY, SAME_CALL_FAILURES, Budget
from counterfoil.core.law.projection import Projection
from counterfoil.core.law.remedies import Remedy
from counterfoil.core.record import attempts, continuity, decide, evolve
from counterfoil.core.record import events as e
from counterfoil.core.record.settlement import settlement_of
from counterfoil.core.record.state import RunState
from counterfoil.core.view import reminders
from counterfoil.host import host, perform, purse, recovery, runner, settle
from counterfoil.host.entry import read_contract
from counterfoil.host.journal import Journal
from counterfoil.host.perform import Performer
from counterfoil.host.tenure import Tenure
from counterfoil.tools import read_public_source

SEEDS = range(1, 201)
Plant = Callable[[pytest.MonkeyPatch], None]


def _fold(patch: pytest.MonkeyPatch, kind: type, fold: Callable[[RunState, Any, int], RunState]) -> None:
    patch.setitem(evolve._FOLDS, kind, fold)


def forget_a_debit(patch: pytest.MonkeyPatch) -> None:
    right = evolve._FOLDS[e.ToolCallReserved]
    _fold(patch, e.ToolCallReserved, lambda s, ev, at: replace(right(s, ev, at), budget=s.budget))


def debit_again_on_resume(patch: pytest.MonkeyPatch) -> None:
    right = evolve._FOLDS[e.EffectOutcomeUnknown]

    def twice(state: RunState, event: e.EffectOutcomeUnknown, at: int) -> RunState:
        after = right(state, event, at)
        return replace(after, budget=after.budget.debit_request("research", {})) if event.kind == "model" else after

    _fold(patch, e.EffectOutcomeUnknown, twice)


def give_a_debit_back_on_resume(patch: pytest.MonkeyPatch) -> None:
    right = evolve._FOLDS[e.RunRecovered]

    def refreshed(state: RunState, event: e.RunRecovered, at: int) -> RunState:
        return replace(right(state, event, at), budget=Budget(state.budget.limits))

    _fold(patch, e.RunRecovered, refreshed)


def debit_a_pause(patch: pytest.MonkeyPatch) -> None:
    right = evolve._FOLDS[e.RunResumed]

    def twice(state: RunState, event: e.RunResumed, at: int) -> RunState:
        after = right(state, event, at)
        return replace(after, budget=after.budget.debit(state.turns[-1].worst)) if state.turns else after

    _fold(patch, e.RunResumed, twice)


def settle_tokens_twice(patch: pytest.MonkeyPatch) -> None:
    right = Budget.settle_request
    patch.setattr(Budget, "settle_request", lambda self, worst, spent: right(right(self, worst, spent), {}, spent))


def give_back_what_a_failure_spent(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(evolve, "UNSPENT", evolve.UNSPENT | {"timeout"})


def reserve_no_worst_case(patch: pytest.MonkeyPatch) -> None:
    right = purse.Purse.pay

    def cheap(self: purse.Purse, view: View, *more: Any) -> purse.Paid | purse.Unpaid:
        paid = right(self, view, *more)
        return paid if isinstance(paid, purse.Unpaid) else replace(paid, worst={})

    patch.setattr(purse.Purse, "pay", cheap)


def spend_what_finalization_keeps(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Budget, "left_to_spend", lambda self, policy, finalizing: self.left(policy))


def raise_a_limit_on_resume(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(continuity, "_narrows", lambda *_: True)


def lower_no_limit_on_resume(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Budget, "narrowed", lambda self, _values: self)


def keep_the_lease(patch: pytest.MonkeyPatch) -> None:
    right = Tenure.due
    patch.setattr(Tenure, "due", lambda self, at, over: right(self, at, over=False))


def act_without_a_lease(patch: pytest.MonkeyPatch) -> None:
    async def trust(_self: Tenure) -> None:
        pass

    patch.setattr(Tenure, "require", trust)


def act_beyond_the_time(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(perform, "left_ms", lambda *_, **__: 10**9)


def call_a_pause_work(patch: pytest.MonkeyPatch) -> None:
    right = runner.idle_ms
    patch.setattr(recovery, "idle_ms", lambda state, last, now: 0 if state.paused else right(state, last, now))


def pause_with_effects_under_way(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(runner, "abandon_effects", lambda _journal: None)


def read_every_call(patch: pytest.MonkeyPatch) -> None:
    right = Budget.require
    patch.setattr(Budget, "require", lambda self, policy: 1000 if policy == CALLS_PER_REPLY else right(self, policy))


def offer_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decide, "project", lambda tools, *_: Projection(tuple(tools), ()))


def let_proposals_bind_domains(patch: pytest.MonkeyPatch) -> None:
    right = read_contract

    def open_handed(text: str, asked: Contract) -> tuple[Contract | None, str]:
        contract, why = right(text, asked)
        return (replace(contract, domains=("evil.invalid",)) if contract else None), why

    patch.setattr(perform, "read_contract", open_handed)


def name_another_limit(patch: pytest.MonkeyPatch) -> None:
    right = settlement_of
    patch.setattr(settle, "settlement_of", lambda *args: replace(right(*args), policy="run/tool-calls"))


def skip_authorisation(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(perform, "removal_of", lambda *_: None)


def drop_receipts(patch: pytest.MonkeyPatch) -> None:
    right, seen = Journal.record, itertools.count(1)

    def lossy(self: Journal, *events: e.Event) -> None:
        right(self, *(event for event in events if not (_is_receipt(self.state, event) and next(seen) % 5 == 0)))

    patch.setattr(Journal, "record", lossy)


def _is_receipt(state: RunState, event: e.Event) -> bool:
    return isinstance(event, e.ToolCallSettled) and state.calls[event.call_id].status == "reserved"


def repeat_an_unknown_call_for_free(patch: pytest.MonkeyPatch) -> None:
    right = Performer._prepare_call

    def free(self: Performer, call_id: str) -> None:
        state = self._journal.state
        if state.epoch > 1 and state.calls[call_id].call.tool == "search_public_sources":
            self._requests[call_id] = {"query": "day pass", "limit": 3, "documents": (), "domains": ()}
            record = self._journal.record
            record(e.ToolCallReserved(call_id, {}))
            return
        right(self, call_id)

    patch.setattr(Performer, "_prepare_call", free)


def call_nothing_unknown(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(recovery, "abandon_effects", lambda _journal: None)


def spend_the_reserve(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Budget, "exploration_shortage", lambda self: self.spent_of(("run/model-requests",)))


def call_all_time_idle(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(recovery, "idle_ms", lambda _state, last, now: max(0, now - last))


def take_an_answer_back(patch: pytest.MonkeyPatch) -> None:
    right = evolve._FOLDS[e.PublicationProposed]

    def forgetful(state: RunState, event: e.PublicationProposed, at: int) -> RunState:
        earlier = tuple(p for p in state.publications if p.status != "accepted")
        return right(replace(state, publications=earlier), event, at)

    _fold(patch, e.PublicationProposed, forgetful)


def ignore_a_cancel(patch: pytest.MonkeyPatch) -> None:
    _fold(patch, e.CancelRequested, lambda state, _event, _at: state)


def praise_every_run(patch: pytest.MonkeyPatch) -> None:
    right = settlement_of
    patch.setattr(settle, "settlement_of", lambda *args: replace(right(*args), status="completed"))


def never_flag(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(read_public_source, "find_instructions", lambda _text: ())


def show_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RunState, "shown", lambda self, evidence_id: self.evidence(evidence_id) is not None)


def ignore_the_living(patch: pytest.MonkeyPatch) -> None:
    def resume_anyway(self: host.Host, **parts: Any) -> None:
        right(self, **parts)
        self._holders = _Nobody(self._holders.own())

    right = host.Host.__init__
    patch.setattr(host.Host, "__init__", resume_anyway)


class _Nobody:
    def __init__(self, own: str) -> None:
        self._own = own

    def own(self) -> str:
        return self._own

    def alive(self, _holder: str) -> bool:
        return False


def let_two_write(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(memory, "require_seq", lambda *_: None)
    patch.setattr(memory, "require_lease", lambda *_: None)


def retry_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(attempts, "failed_attempts", lambda *_: 0)


def give_a_model_up_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(attempts, "failed_attempts", lambda *_: 99)


def take_a_budgets_refusal_to_the_next_model(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decide, "LOCAL_REFUSAL", "")
    patch.setattr(attempts, "remedy_of", lambda _category: Remedy("another_model"))


def go_on_after_the_deadline(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decide, "_ending", lambda _state, _now: None)


def lose_an_event_on_recovery(patch: pytest.MonkeyPatch) -> None:
    right = evolve.evolve

    def lossy(state: RunState, event: e.Event, at: int) -> RunState:
        return replace(state, seq=state.seq + 1) if isinstance(event, e.FactRecorded) else right(state, event, at)

    patch.setattr(runner, "evolve", lossy)


def repeat_what_fails(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(perform, "unrepeated", lambda _call, _state, prepared, _now: prepared)


def call_every_failure_the_last(patch: pytest.MonkeyPatch) -> None:
    right = Budget.known
    patch.setattr(Budget, "known", lambda self, policy: 1 if policy == SAME_CALL_FAILURES else right(self, policy))


def remark_again_and_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reminders, "_given", lambda _state, _kind: False)


def give_no_hint(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(perform, "hint_for", lambda _category: "")


def forget_who_was_looking(patch: pytest.MonkeyPatch) -> None:
    right = Journal.record

    def forgetful(self: Journal, *events: e.Event) -> None:
        right(self, *(e.RunPaused(event.why) if isinstance(event, e.RunPaused) else event for event in events))

    patch.setattr(Journal, "record", forgetful)


def name_no_prompt_that_changed(patch: pytest.MonkeyPatch) -> None:
    right = recovery.require_continuity

    def silent(*given: Any) -> continuity.Continuity:
        return replace(right(*given), prompts={})

    patch.setattr(host, "require_continuity", silent)


PLANTS: Sequence[tuple[Plant, set[str]]] = (
    (forget_a_debit, {"usage_is_the_sum_of_debits", "both_folds_agree"}),
    (debit_again_on_resume, {"usage_is_the_sum_of_debits"}),
    (debit_a_pause, {"usage_is_the_sum_of_debits"}),
    (settle_tokens_twice, {"usage_is_the_sum_of_debits"}),
    (give_back_what_a_failure_spent, {"usage_is_the_sum_of_debits"}),
    (reserve_no_worst_case, {"requests_reserve_their_worst_case"}),
    (spend_what_finalization_keeps, {"exploration_leaves_the_reserve"}),
    (raise_a_limit_on_resume, {"limits_only_fall"}),
    (lower_no_limit_on_resume, {"both_folds_agree"}),
    (keep_the_lease, {"leases_follow_the_run"}),
    (act_without_a_lease, {"effects_need_a_lease"}),
    (act_beyond_the_time, {"effects_end_in_time"}),
    (call_a_pause_work, {"idle_time_is_what_nobody_worked"}),
    (pause_with_effects_under_way, {"a_pause_keeps_everything", "recovery_leaves_nothing_open"}),
    (read_every_call, {"replies_are_read_to_their_limit"}),
    (offer_everything, {"offers_follow_the_facts"}),
    (let_proposals_bind_domains, {"contracts_grant_nothing"}),
    (name_another_limit, {"the_policies_are_true"}),
    (give_a_debit_back_on_resume, {"usage_is_the_sum_of_debits"}),
    (
        skip_authorisation,
        {"only_offered_tools_take_effect", "hidden_tools_stay_hidden", "nothing_starts_after_the_end"},
    ),
    (drop_receipts, {"an_effect_gets_its_own_receipt", "a_pause_keeps_everything"}),
    (repeat_an_unknown_call_for_free, {"calls_cost_what_they_say", "only_offered_tools_take_effect"}),
    (call_nothing_unknown, {"recovery_leaves_nothing_open"}),
    (spend_the_reserve, {"exploration_leaves_the_reserve"}),
    (call_all_time_idle, {"idle_time_is_what_nobody_worked"}),
    (take_an_answer_back, {"both_folds_agree", "accepted_answers_stay"}),
    (ignore_a_cancel, {"both_folds_agree"}),
    (praise_every_run, {"the_status_is_true"}),
    (never_flag, {"instructions_in_pages_are_flagged"}),
    (show_everything, {"facts_stand_in_what_was_shown", "accepted_citations_were_shown"}),
    (ignore_the_living, {"a_living_holder_is_left_alone"}),
    (let_two_write, {"sequence_has_no_holes", "one_holder_at_a_time", "nothing_follows_the_settlement", "events_fold"}),
    (retry_for_ever, {"attempts_are_bounded"}),
    (give_a_model_up_at_once, {"the_chain_is_walked_forward", "the_reason_is_true", "the_policies_are_true"}),
    (take_a_budgets_refusal_to_the_next_model, {"nothing_follows_a_budgets_refusal", "the_reason_is_true"}),
    (
        go_on_after_the_deadline,
        {"nothing_starts_after_the_end", "usage_stays_within_limits", "exploration_leaves_the_reserve"},
    ),
    (repeat_what_fails, {"no_call_is_tried_a_third_time"}),
    (call_every_failure_the_last, {"a_refusal_to_repeat_has_its_failures"}),
    (remark_again_and_again, {"remarks_come_once"}),
    (give_no_hint, {"failures_come_with_a_hint"}),
    (forget_who_was_looking, {"waiting_for_a_person_is_no_work"}),
    (name_no_prompt_that_changed, {"changed_prompts_are_named"}),
    (lose_an_event_on_recovery, {"the_state_is_kept", "views_follow_from_the_ledger", "both_folds_agree"}),
)


@pytest.mark.slow
@pytest.mark.req("SIM-01")
@pytest.mark.parametrize(("plant", "invariants"), PLANTS, ids=[plant.__name__ for plant, _ in PLANTS])
def test_a_planted_fault_is_found_and_replays(
    plant: Plant, invariants: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    found = first_failure(SEEDS)
    assert found is not None
    plan, failure = found
    assert failure.invariant in invariants, failure
    if plant is not drop_receipts:  # which counts across seeds
        assert played(plan).failure == failure
