"""What must hold of budgets fails where a unit is lost, doubled, or taken beyond a limit."""

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import CONTRACT
from tests.unit.sim.histories import DEBITS, PUBLISH, SEARCH, admitted, answered, asked, commit, has_read, said

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.exchange import Completion, TokenUsage
from counterfoil.core.law.phases import Phase
from counterfoil.core.law.policy import Number
from counterfoil.core.record import events as e
from counterfoil.sim.history import History
from counterfoil.sim.invariants import budget
from counterfoil.sim.plan import PERSON_MS

FAILED = e.ModelCallFailed("m1", "X", "timeout", "late", wait_ms=500)


def test_a_lawful_history_keeps_them_all() -> None:
    assert [said(invariant, has_read()) for invariant in budget.INVARIANTS] == [""] * len(budget.INVARIANTS)


def test_a_debit_that_the_host_forgets_or_doubles_is_found() -> None:
    history = commit(admitted(), asked("m1"))
    state = history.known
    history.state = replace(state, budget=state.budget.debit_request("research", {}))
    assert "the Host counts 2, its events 1" in said(budget.usage_is_the_sum_of_debits, history)
    history.state = replace(state, budget=replace(state.budget, used={}, requests={}))
    assert "the Host counts 0, its events 1" in said(budget.usage_is_the_sum_of_debits, history)


def test_usage_beyond_a_limit_and_tokens_given_back_are_found() -> None:
    history = commit(admitted({"web/searches": 1}), asked("m1"))
    commit(history, *answered("m1", ("c1", SEARCH), ("c2", SEARCH)), e.ToolCallReserved("c1", DEBITS[SEARCH]))
    assert said(budget.usage_stays_within_limits, history) == ""
    over = commit(history, e.ToolCallReserved("c2", DEBITS[SEARCH]))
    assert said(budget.usage_stays_within_limits, over) == "web/searches allows 1, 2 were used"
    back = e.ModelCallSettled("m1", Completion(usage=TokenUsage(-5, 1)))
    assert "gave something back" in said(budget.usage_stays_within_limits, commit(admitted(), asked("m1"), back))


def test_a_reply_may_cost_more_than_its_request_was_to_and_nothing_else_may() -> None:
    reserved = replace(asked("m1"), worst={"run/input-tokens": 1_000})
    dear = e.ModelCallSettled("m1", Completion(usage=TokenUsage(2_500_000, 1)))
    history = commit(commit(admitted(), reserved), dear)
    assert said(budget.usage_stays_within_limits, history) == ""
    assert history.tally.used["run/input-tokens"] == 2_500_000
    more = commit(history, replace(reserved, request="m2"))
    assert "run/input-tokens allows 2000000, 2501000 were used" in said(budget.usage_stays_within_limits, more)


@pytest.mark.parametrize("taken", [e.RunRecovered, e.RunResumed])
def test_a_limit_that_rises_or_that_nobody_lowered_is_found(taken: type[e.RunRecovered] | type[e.RunResumed]) -> None:
    def told(narrowed: dict[str, Number], **configured: Number) -> str:
        history = admitted({"web/searches": 6})
        history.configured = {name.replace("_", "/"): value for name, value in configured.items()}
        return said(budget.limits_only_fall, commit(history, e.LeaseTaken("p2", 2), taken(0, narrowed)))

    assert told({"web/searches": 2}, web_searches=2) == ""
    assert told({}, web_searches=9, run_corrections=0) == ""
    assert "lower ones are {'web/searches': 2}" in told({}, web_searches=2)
    assert "raised web/searches from 6 to 9" in told({"web/searches": 9}, web_searches=9)
    assert "lower ones are {}" in told({"run/corrections": 0}, run_corrections=0)


def test_a_request_that_spends_what_is_kept_for_finalization_is_found() -> None:
    dear = replace(asked("m1"), worst={"run/output-tokens": 160_001})
    assert "may spend 160001 of run/output-tokens, which leaves 160000" in said(
        budget.exploration_leaves_the_reserve, commit(admitted(), dear)
    )
    moved = commit(admitted(), e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"), replace(dear, purpose="finalize"))
    assert said(budget.exploration_leaves_the_reserve, moved) == ""


def test_calls_beyond_what_a_reply_may_hold_become_one() -> None:
    limit: dict[str, Number] = {"run/calls-per-reply": 1}
    read = commit(commit(admitted(limit), asked("m1")), *answered("m1", ("c1", SEARCH), ("c2", SEARCH)))
    assert "2 calls were read of 2, a reply may hold 1" in said(budget.replies_are_read_to_their_limit, read)
    receipt, first, rest = answered("m1", ("c1", SEARCH), ("c2", SEARCH))
    assert isinstance(rest, e.ToolCallProposed)
    told = replace(rest, call=replace(rest.call, malformed="the rest was not read"))
    history = commit(commit(admitted(limit), asked("m1")), receipt, first, told)
    assert said(budget.replies_are_read_to_their_limit, history) == ""


def test_a_call_that_debits_less_than_its_tool_declares_is_found() -> None:
    history = commit(commit(admitted(), asked("m1")), *answered("m1", ("c1", SEARCH)))
    assert "c1 debited {}" in said(budget.calls_cost_what_they_say, commit(history, e.ToolCallReserved("c1", {})))


def test_exploration_that_takes_from_the_reserve_is_found() -> None:
    history = commit(admitted({"run/model-requests": 8}), asked("m1"))
    commit(history, *answered("m1"), asked("m2"))
    assert said(budget.exploration_leaves_the_reserve, history) == ""
    assert "takes from the reserve" in said(
        budget.exploration_leaves_the_reserve, commit(history, *answered("m2"), asked("m3"))
    )
    early = commit(admitted(), asked("m1", "finalize"))
    assert "for finalize in phase research" in said(budget.exploration_leaves_the_reserve, early)


def test_attempts_are_counted_through_a_crash_and_wait() -> None:
    history = commit(commit(admitted({"model/attempts": 2}), asked("m1")), FAILED)
    assert "too early" in said(budget.attempts_are_bounded, commit(history, asked("m2"), at=499))
    history = commit(commit(admitted({"model/attempts": 2}), asked("m1")), FAILED)
    commit(history, asked("m2"), at=500)
    assert said(budget.attempts_are_bounded, history) == ""
    commit(history, e.EffectOutcomeUnknown("model", "m2"), at=500)
    commit(history, asked("m3"), at=500)
    assert said(budget.attempts_are_bounded, history) == ""
    commit(history, replace(FAILED, request="m3"), at=500)
    assert "is attempt 3" in said(budget.attempts_are_bounded, commit(history, asked("m4"), at=1_500))
    useless = commit(commit(admitted(), asked("m1")), replace(FAILED, wait_ms=None))
    assert "no repetition helps" in said(budget.attempts_are_bounded, commit(useless, asked("m2")))


def test_nothing_begins_past_deadline_or_expiry() -> None:
    late = commit(admitted({"run/active-seconds": 60}), asked("m1"), at=60_000)
    assert "60000 ms into the working time" in said(budget.nothing_starts_after_the_end, late)
    history = commit(commit(admitted(), asked("m1")), *answered("m1", ("c1", SEARCH)))
    slept = commit(history, e.LeaseTaken("p2", 2), e.RunRecovered(86_400_000), at=86_400_000)
    begun = commit(slept, e.ToolCallReserved("c1", DEBITS[SEARCH]), at=86_400_000)
    assert said(budget.nothing_starts_after_the_end, begun) == "ToolCallReserved after the Run had expired"


def test_a_pause_is_no_work() -> None:
    history = commit(admitted(), e.RunPaused("…"), at=1_000)
    resumed = commit(history, e.LeaseTaken("p2", 2), e.RunResumed(0), at=61_000)
    assert "0 ms were called idle of a gap of 60000 ms" in said(budget.idle_time_is_what_nobody_worked, resumed)


def test_a_crashed_attempt_works_at_most_its_timeout() -> None:
    recovered = e.LeaseTaken("p2", 2), e.RunRecovered(200_000), e.EffectOutcomeUnknown("model", "m1")
    wrong = commit(commit(admitted(), asked("m1")), *recovered, at=200_000)
    assert "200000 ms were called idle" in said(budget.idle_time_is_what_nobody_worked, wrong)
    right = e.LeaseTaken("p2", 2), e.RunRecovered(80_000), e.EffectOutcomeUnknown("model", "m1")
    history = commit(commit(admitted(), asked("m1")), *right, at=200_000)
    assert said(budget.idle_time_is_what_nobody_worked, history) == ""


def test_time_that_a_person_took_is_no_work() -> None:
    for took in (0, PERSON_MS):
        for event in (e.ContractConfirmed(CONTRACT, "caller", took), e.RunPaused("…", took)):
            history = admitted()
            history.looked[1, type(event).__name__] = PERSON_MS
            wrong = "" if took else f"the caller took {PERSON_MS} ms, recorded are 0"
            assert said(budget.waiting_for_a_person_is_no_work, commit(history, event)) == wrong
    unseen = commit(admitted(), e.ContractConfirmed(CONTRACT, "unseen", PERSON_MS))
    assert "took 0 ms" in said(budget.waiting_for_a_person_is_no_work, unseen)


def test_a_publication_is_charged_to_its_allowance() -> None:
    history = commit(commit(admitted(), asked("m1")), *answered("m1", ("c1", PUBLISH)))
    free = commit(history, e.PublicationProposed(Candidate("P1", "x"), "c1", None))
    assert "was charged to None, not run/publication-attempts" in said(budget.allowances_are_charged, free)


def chained(*failures: tuple[str, str, int | None]) -> History:
    """A Run with two fallbacks whose requests failed: by whom, of what, and how long to wait."""
    history = admitted({"model/attempts": 2}, ("other", "third"))
    for number, (model, category, wait_ms) in enumerate(failures, 1):
        commit(history, replace(asked(f"m{number}"), model=model))
        commit(history, e.ModelCallFailed(f"m{number}", "X", category, "no", "", wait_ms))
    return history


@pytest.mark.parametrize(
    ("failures", "then", "flaw"),
    [
        ([("played", "auth_refused", None)], "other", ""),
        ([("played", "timeout", 0), ("played", "timeout", 0)], "other", ""),
        ([("played", "timeout", 0)], "other", "played was given up after 1 attempts"),
        ([("played", "auth_refused", None)], "third", "m2 went to third after played"),
        ([("other", "timeout", 0)], "played", "m2 went to played after other"),
        ([], "other", "m1 went to other after played"),
    ],
)
def test_a_chain_that_is_not_walked_forward_is_found(
    failures: list[tuple[str, str, int | None]], then: str, flaw: str
) -> None:
    history = commit(chained(*failures), replace(asked(f"m{len(failures) + 1}"), model=then))
    assert said(budget.the_chain_is_walked_forward, history) == flaw


def test_a_request_after_a_budgets_refusal_is_found_whoever_is_asked() -> None:
    for model in ("played", "other"):
        after = commit(chained(("played", "local_budget_exhausted", None)), replace(asked("m2"), model=model))
        assert "m2 was asked after a budget had refused" in said(budget.nothing_follows_a_budgets_refusal, after)
    assert "waits 500 ms" in said(
        budget.nothing_follows_a_budgets_refusal, chained(("played", "local_budget_exhausted", 500))
    )
