"""What must hold of an ending fails on one that is not true."""

import pytest
from msgspec.structs import replace
from tests.unit.sim.histories import SEARCH, admitted, answered, asked, commit, has_read, published, said

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.evidence.facts import Fact
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record.outcome import Status, StopReason
from counterfoil.sim.history import History
from counterfoil.sim.invariants import ending

HOST = e.PublicationDelivered("H1", "host", "…")
END = e.PhaseChanged(Phase.SETTLED, "…")
ACCEPTED = e.PublicationAccepted("P1", (), ()), e.PublicationDelivered("P1", "model")
LIMITS = {"hard_deadline": "run/active-seconds", "expired": "run/expires-seconds"}
CANCEL = e.CancelRequested("…")


def settled(
    history: History,
    status: Status,
    reason: StopReason,
    *first: e.Event,
    finished: bool = False,
    at: int = 0,
    policy: str | None = None,
) -> str:
    """What the invariants have against this ending."""
    error = {"code": "auth_refused", "policy": None} if reason == "provider_failed" else None
    done = e.RunSettled(status, reason, policy or LIMITS.get(reason), True, finished, "not_run", error)
    commit(history, *first, END, done, at=at)
    return "; ".join(flaw for invariant in ending.INVARIANTS for flaw in invariant(history))


def silent(history: History, times: int) -> History:
    for n in range(50, 50 + times):
        commit(commit(history, asked(f"m{n}")), *answered(f"m{n}"))
    return history


def test_true_endings_are_lawful() -> None:
    assert settled(silent(admitted(), 3), "failed", "model_stopped", HOST) == ""
    assert settled(commit(admitted(), CANCEL), "cancelled", "cancelled", HOST) == ""
    assert settled(has_read(), "budget_exhausted_partial", "hard_deadline", HOST, at=900_000) == ""
    assert settled(has_read(), "budget_exhausted_partial", "expired", HOST, at=86_400_000) == ""
    gone = commit(commit(has_read(), asked("m3")), e.ModelCallFailed("m3", "X", "auth_refused", "no"))
    assert settled(gone, "partial", "provider_failed", HOST) == ""


@pytest.mark.parametrize(
    "reason",
    ["finish_accepted", "cancelled", "hard_deadline", "expired", "model_stopped", "provider_failed", "revoked",
     "corrections_exhausted", "finalization_requests_exhausted", "internal"],
)  # fmt: skip
def test_a_reason_that_did_not_happen_is_found(reason: StopReason) -> None:
    told = settled(has_read(), "partial", reason, HOST)
    assert "which did not happen" in told or "no reason that a Run can end for" in told


def test_a_status_better_or_worse_than_the_truth_is_found() -> None:
    finish = e.FinishProposed("c9", "done"), e.FinishAccepted("c9")
    for body_gaps, status, due in (
        ((), "completed", "completed_with_gaps"),  # the cell of the contract has no fact
        ((Gap(),), "partial", "completed_with_gaps"),
    ):
        history = commit(published(has_read(), "It costs $18 [E1].", gaps=body_gaps), *ACCEPTED, *finish)
        told = settled(history, status, "finish_accepted", finished=True)  # type: ignore[arg-type]  # any status
        assert f"settled as {status}, which is {due}" in told
    assert "settled as completed, which is failed" in settled(silent(admitted(), 3), "completed", "model_stopped", HOST)
    assert "a finish was not accepted" in settled(silent(admitted(), 3), "failed", "model_stopped", HOST, finished=True)


def test_an_ending_that_delivers_nothing_or_the_wrong_thing_is_found() -> None:
    assert "nothing was delivered" in settled(silent(admitted(), 3), "failed", "model_stopped")
    history = commit(published(has_read(), "It costs $18 [E1]."), *ACCEPTED)
    assert "P1 was accepted, and" in settled(commit(history, CANCEL), "cancelled", "cancelled", HOST)


def test_a_cancelled_run_asks_for_nothing_and_ends_as_cancelled() -> None:
    history = commit(admitted(), CANCEL)
    assert "after the caller had cancelled" in said(ending.nothing_begins_after_a_cancel, commit(history, asked("m1")))
    told = settled(commit(silent(admitted(), 3), CANCEL), "failed", "model_stopped", HOST)
    assert "the caller cancelled, and the Run ended as model_stopped" in told


def test_research_ends_early_only_with_a_cause() -> None:
    early = commit(admitted(), e.PhaseChanged(Phase.FINALIZE_ONLY, "I say so"))
    assert "'I say so' (None), which is not so" in said(ending.finalization_has_a_cause, early)
    quiet = commit(silent(admitted(), 2), e.PhaseChanged(Phase.FINALIZE_ONLY, "silence"))
    assert said(ending.finalization_has_a_cause, quiet) == ""


def test_research_that_ends_by_another_limit_than_it_says_is_found() -> None:
    moved = e.PhaseChanged(Phase.FINALIZE_ONLY, "spent", "run/tool-calls")
    assert "which is not so: {'run/finalization-seconds'}" in said(
        ending.finalization_has_a_cause, commit(admitted({"web/window-seconds": 800}), moved, at=720_000)
    )
    assert said(ending.finalization_has_a_cause, commit(has_read({"run/tool-calls": 2}), moved)) == ""
    refused = commit(admitted(), e.InputRefused("research", 9, "run/input-tokens"))
    assert said(ending.finalization_has_a_cause, commit(refused, replace(moved, policy="run/input-tokens"))) == ""


def test_an_ending_that_names_another_limit_or_error_is_found() -> None:
    told = settled(has_read(), "partial", "hard_deadline", HOST, at=900_000, policy="run/tool-calls")
    assert "hard_deadline names run/tool-calls, lawful are ['run/active-seconds']" in told
    failed = commit(commit(has_read(), asked("m3")), e.ModelCallFailed("m3", "X", "timeout", "late", "", None))
    assert "the error is ('auth_refused', None), the last failure was timeout (None)" in settled(
        failed, "partial", "provider_failed", HOST
    )


def test_attempts_are_counted_by_purpose() -> None:
    def failed(times: int, *more: e.Event) -> History:
        history = has_read({"model/attempts": 2})
        for n in range(3, 3 + times):
            fault = e.ModelCallFailed(f"m{n}", "X", "auth_refused", "no", "", 0)
            commit(commit(history, asked(f"m{n}")), fault)
        return commit(history, *more) if more else history

    assert settled(failed(2), "partial", "provider_failed", HOST, policy="model/attempts") == ""
    assert "did not happen" in settled(failed(1), "partial", "provider_failed", HOST, policy="model/attempts")
    moved = e.PhaseChanged(Phase.FINALIZE_ONLY, "spent")
    assert "did not happen" in settled(failed(2, moved), "partial", "provider_failed", HOST, policy="model/attempts")


def test_an_estimate_that_rests_on_nothing_fills_no_cell() -> None:
    guess = Fact("F1", "North", "price", "estimate", "18", "USD", None, None, None, ())
    history = commit(published(has_read(), "It costs $18 [E1]."), e.FactRecorded(guess, "c9"))
    assert ending.has_gaps(commit(history, *ACCEPTED).tally)
    read = replace(guess, id="F2", evidence=("E1",))
    assert not ending.has_gaps(commit(history, e.FactRecorded(read, "c9")).tally)


def test_what_the_host_closes_itself_is_no_reason() -> None:
    history = commit(commit(has_read(), asked("m3")), *answered("m3", ("c3", SEARCH)))
    ended = e.ToolCallRefused("c3", "RUN_ENDED", "the Run ended")
    assert settled(history, "budget_exhausted_partial", "expired", ended, HOST, at=86_400_000) == ""


def test_gaps_and_spent_budgets_are_told_apart() -> None:
    tally = has_read({"web/searches": 1}).tally
    assert ending.evidence_is_spent(tally)
    assert not ending.evidence_is_spent(has_read().tally)
    assert ending.has_gaps(tally)
    assert ending.true_status(replace(tally, no_answer=True, finished=True), "finish_accepted") == (
        "budget_exhausted_partial"
    )
