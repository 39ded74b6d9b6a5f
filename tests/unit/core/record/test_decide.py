"""What the Host does next, for every kind of state."""

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import CONTRACT, after, begun, researching, turn

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.law import budget as ids
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import commands as c
from counterfoil.core.record import events as e
from counterfoil.core.record.decide import active_ms, decide, left_ms, projection, tool_spec

FINALIZE = e.PhaseChanged(Phase.FINALIZE_ONLY, "spent", ids.SEARCHES)


def proposed(number: int, charged: str | None = None) -> e.PublicationProposed:
    return e.PublicationProposed(Candidate(f"P{number}", "x"), "c1", charged)


def test_a_run_with_a_given_contract_confirms_it_and_asks_the_model() -> None:
    assert decide(begun(), 0) == c.ConfirmContract(CONTRACT)
    assert decide(researching(), 0) == c.AskModel("research")


@pytest.mark.req("GOV-06")
def test_a_plain_question_is_interpreted_first_by_a_request_that_counts() -> None:
    state = begun(entry=True)
    assert decide(state, 0) == c.AskModel("entry")
    state = after(state, *turn(1, purpose="entry"))
    assert decide(state, 0) == c.ReadEntryReply("")
    assert state.budget.requests == {"entry": 1}
    state = after(state, e.ContractProposed(None, "no JSON"))
    assert decide(state, 0) == c.ConfirmContract(CONTRACT)


def test_reads_and_searches_are_prepared_together_then_performed_side_by_side() -> None:
    state = after(researching(), *turn(1, "search_public_sources", "read_public_source"))
    assert decide(state, 0) == c.PrepareCall("c1")
    state = after(state, e.ToolCallReserved("c1", {}))
    assert decide(state, 0) == c.PrepareCall("c2")
    state = after(state, e.ToolCallReserved("c2", {}))
    assert decide(state, 0) == c.PerformCalls(("c1", "c2"))


@pytest.mark.req("QC-02")
def test_the_same_call_in_one_reply_waits_for_the_outcome_of_its_twin() -> None:
    state = after(researching(), *turn(1, "read_public_source", "read_public_source"), e.ToolCallReserved("c1", {}))
    assert decide(state, 0) == c.PerformCalls(("c1",))
    state = after(state, e.ToolCallFailed("c1", "GONE", "source_invalid", "gone"))
    assert decide(state, 0) == c.PrepareCall("c2")


def test_a_pure_call_waits_for_the_effects_before_it() -> None:
    state = after(researching(), *turn(1, "read_public_source", "publish_answer"), e.ToolCallReserved("c1", {}))
    assert decide(state, 0) == c.PerformCalls(("c1",))
    state = after(state, e.ToolCallSettled("c1", {}))
    assert decide(state, 0) == c.PrepareCall("c2")


def test_a_publication_is_judged_before_anything_else() -> None:
    state = after(researching(), *turn(1, "publish_answer", "publish_answer"), proposed(1))
    assert decide(state, 0) == c.JudgePublication("P1")


@pytest.mark.req("GOV-08")
@pytest.mark.parametrize(
    ("spent", "policy"),
    [
        ({ids.TOOL_CALLS: 80}, ids.TOOL_CALLS),
        ({ids.PUBLICATION_ATTEMPTS: 6}, ids.PUBLICATION_ATTEMPTS),
        ({ids.OUTPUT_TOKENS: 200_000}, ids.OUTPUT_TOKENS),
        ({ids.SEARCHES: 12, ids.READS: 40}, ids.SEARCHES),
    ],
)
def test_any_spent_exploration_budget_ends_research(spent: dict[str, int], policy: str) -> None:
    state = after(
        researching(), *turn(1, "search_public_sources"), e.ToolCallReserved("c1", spent), e.ToolCallSettled("c1", {})
    )
    command = decide(state, 0)
    assert isinstance(command, c.ChangePhase)
    assert (command.to, command.policy) == (Phase.FINALIZE_ONLY, policy)


@pytest.mark.req("GOV-08")
def test_spent_searches_alone_do_not_end_research() -> None:
    spent = e.ToolCallReserved("c1", {ids.SEARCHES: 12})
    state = after(researching(), *turn(1, "search_public_sources"), spent, e.ToolCallSettled("c1", {}))
    assert decide(state, 0) == c.AskModel("research")


def test_working_time_keeps_its_share_for_finalization() -> None:
    state = researching()
    assert decide(state, 719_000) == c.AskModel("research")
    command = decide(state, 720_000)
    assert isinstance(command, c.ChangePhase)
    assert command.policy == ids.FINALIZATION_SECONDS
    assert decide(state, 900_000) == c.Settle("hard_deadline", ids.ACTIVE_SECONDS)


def test_an_expired_run_settles_whatever_time_is_left() -> None:
    state = researching({ids.EXPIRES_SECONDS: 60})
    assert decide(state, 60_000) == c.Settle("expired", ids.EXPIRES_SECONDS)


@pytest.mark.req("TSK-13")
def test_two_silent_replies_end_research_and_a_third_ends_the_run() -> None:
    state = after(researching(), *turn(1), *turn(2))
    assert isinstance(decide(state, 0), c.ChangePhase)
    state = after(state, FINALIZE)
    assert decide(state, 0) == c.AskModel("finalize")
    assert decide(after(state, *turn(3)), 0) == c.Settle("model_stopped")


def test_the_first_publication_of_finalization_is_free_and_each_correction_is_not() -> None:
    state = after(researching(), FINALIZE)
    for number in range(1, 4):
        state = after(state, *turn(number, "publish_answer"), proposed(number, ids.CORRECTIONS if number > 1 else None))
        state = after(state, e.PublicationRejected(f"P{number}", (), ()), e.ToolCallSettled("c1", {}))
        if number < 3:
            assert decide(state, 0) == c.AskModel("finalize")
    assert decide(state, 0) == c.Settle("corrections_exhausted", ids.CORRECTIONS)


def test_the_reserve_ends_the_run_when_it_is_spent() -> None:
    state = after(researching({ids.MODEL_REQUESTS: 9}), FINALIZE)
    for number in range(1, 10):
        state = after(state, *turn(number, "publish_answer"), e.ToolCallSettled("c1", {}))
    assert decide(state, 0) == c.Settle("finalization_requests_exhausted", ids.FINAL_RESERVE)


def test_cancel_comes_first_and_a_settled_run_rests() -> None:
    state = after(researching(), *turn(1, "search_public_sources"), e.CancelRequested("stop"))
    assert decide(state, 0) == c.Settle("cancelled")
    ended = e.RunSettled("cancelled", "cancelled", None, True, False, "not_run")
    assert decide(after(state, ended), 0) == c.Rest()


def test_a_failed_request_settles_the_run_as_provider_failed() -> None:
    state = after(researching(), e.ModelCallReserved("m1", "research", (), (), {}, ""))
    state = after(state, e.ModelCallFailed("m1", "KEY_REFUSED", "auth_refused", "no"))
    assert decide(state, 0) == c.Settle("provider_failed")


def test_active_time_never_runs_backwards() -> None:
    assert active_ms(researching(), -5) == 0


def test_lookups_of_tools() -> None:
    state = researching()
    assert tool_spec(state, "nothing") is None
    assert [tool.name for tool in projection(state, 0).offered] == [tool.name for tool in state.snapshot.tools]


@pytest.mark.req("GOV-07")
@pytest.mark.parametrize(
    ("now", "reason", "policy"),
    [
        (899_999, "finalization_requests_exhausted", "run/finalization-request-reserve"),
        (900_000, "hard_deadline", "run/active-seconds"),
    ],
)
def test_the_limit_that_is_over_is_the_one_that_is_named(now: int, reason: str, policy: str) -> None:
    state = after(researching(), e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))
    spent = replace(state, budget=state.budget.debit({"run/model-requests": 60}))
    assert decide(spent, now) == c.Settle(reason, policy)  # type: ignore[arg-type]  # a test names a reason


@pytest.mark.req("GOV-07")
def test_one_request_left_after_the_deadline_is_worth_nothing() -> None:
    state = after(researching(), e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))
    one_left = replace(state, budget=state.budget.debit({"run/model-requests": 59}))
    assert decide(one_left, 899_999) == c.AskModel("finalize")
    assert decide(one_left, 900_000) == c.Settle("hard_deadline", "run/active-seconds")


@pytest.mark.req("GOV-08", "GOV-12")
def test_a_view_that_tokens_cannot_pay_ends_research_then_the_run() -> None:
    refused = e.InputRefused("research", 90_000, "run/input-tokens")
    state = after(researching(), refused)
    moved = decide(state, 0)
    assert isinstance(moved, c.ChangePhase)
    assert (moved.to, moved.policy) == (Phase.FINALIZE_ONLY, "run/input-tokens")
    final = after(state, e.PhaseChanged(moved.to, moved.why, moved.policy))
    assert decide(final, 0) == c.AskModel("finalize")
    assert decide(after(final, refused), 0) == c.Settle("finalization_requests_exhausted", "run/input-tokens")


@pytest.mark.req("GOV-07")
def test_an_attempt_may_take_no_longer_than_research_has_left() -> None:
    state = researching()
    assert left_ms(state, 700_000, finalizing=False) == 20_000
    assert left_ms(state, 700_000, finalizing=True) == 200_000


def failed(purpose: str, number: int = 1, category: str = "timeout", wait_ms: int | None = 500) -> tuple[e.Event, ...]:
    return (
        e.ModelCallReserved(f"m{number}", purpose, (), (), {}, ""),  # type: ignore[arg-type]  # as in ``turn``
        e.ModelCallFailed(f"m{number}", "X", category, "why", "", wait_ms),
    )


@pytest.mark.req("GOV-08", "GOV-06")
def test_when_the_last_exploration_request_fails_the_reserve_is_still_there_to_finish() -> None:
    state = after(researching({"run/model-requests": 9}), *turn(1), *turn(2), *failed("research", 3))
    change = decide(state, 500)
    assert isinstance(change, c.ChangePhase)
    assert change.policy == "run/model-requests"
    final = after(state, e.PhaseChanged(change.to, change.why, change.policy))
    assert decide(final, 0) == c.Wait(500)
    assert decide(final, 500) == c.AskModel("finalize")


@pytest.mark.req("GOV-07", "GOV-08")
def test_a_retry_that_would_come_after_the_time_for_research_is_one_to_finish() -> None:
    state = after(researching(), *failed("research", wait_ms=720_000))
    change = decide(state, 0)
    assert isinstance(change, c.ChangePhase)
    assert change.policy == "run/finalization-seconds"


def test_the_attempts_of_one_request_are_counted_by_its_purpose() -> None:
    spent = after(researching(), *failed("research", 1), *failed("research", 2), *failed("research", 3))
    assert decide(spent, 500) == c.Settle("provider_failed", "model/attempts")
    moved = after(spent, e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))
    assert decide(moved, 500) == c.AskModel("finalize")


@pytest.mark.parametrize("category", ["output_truncated", "content_refused"])
def test_an_entry_reply_that_cannot_be_used_leaves_the_bare_question(category: str) -> None:
    state = after(begun(entry=True), *failed("entry", category=category, wait_ms=None))
    assert decide(state, 0) == c.ConfirmContract(CONTRACT)


def test_an_entry_request_that_cannot_be_paid_leaves_the_bare_question() -> None:
    state = after(begun(entry=True), e.InputRefused("entry", 9, "run/input-tokens"))
    assert decide(state, 0) == c.ConfirmContract(CONTRACT)


def test_an_entry_that_failed_before_it_could_not_be_used_or_paid_leaves_the_bare_question_too() -> None:
    tried = after(begun(entry=True), *failed("entry", 1))
    assert decide(tried, 500) == c.AskModel("entry")
    for unusable in (failed("entry", 2, "output_truncated", None), (e.InputRefused("entry", 9, "run/input-tokens"),)):
        assert decide(after(tried, *unusable), 500) == c.ConfirmContract(CONTRACT)


@pytest.mark.req("GOV-08")
def test_a_retry_that_tokens_cannot_pay_ends_research_and_not_the_run() -> None:
    state = after(researching(), *failed("research", 1), e.InputRefused("research", 9, "run/cost-usd"))
    change = decide(state, 500)
    assert isinstance(change, c.ChangePhase)
    assert change.policy == "run/cost-usd"


@pytest.mark.req("MOD-01")
def test_an_attempt_of_unknown_outcome_does_not_begin_the_count_of_attempts_again() -> None:
    state = researching({ids.MODEL_ATTEMPTS: 2})
    for number in (1, 2):
        ask = turn(number)[0]
        state = after(state, ask, e.ModelCallFailed(f"m{number}", "X", "timeout", "slow", wait_ms=0))
        if number == 1:
            assert decide(state, 0) == c.AskModel("research")
    assert decide(state, 0) == c.Settle("provider_failed", ids.MODEL_ATTEMPTS)
    lost = after(state, turn(3)[0], e.EffectOutcomeUnknown("model", "m3"))
    assert decide(lost, 0) == c.Settle("provider_failed", ids.MODEL_ATTEMPTS)


@pytest.mark.req("GOV-14")
def test_a_run_that_expired_before_its_question_was_interpreted_asks_nothing() -> None:
    expiry = 86_400_000
    assert decide(begun(entry=True), expiry) == c.Settle("expired", ids.EXPIRES_SECONDS)
    assert decide(begun(entry=True), expiry - 1) == c.Settle("hard_deadline", ids.ACTIVE_SECONDS)
