"""What must hold of the ledger fails on a history in which it does not."""

from msgspec.structs import replace
from tests.unit.core.record.folding import CONTRACT, begun
from tests.unit.sim.histories import (
    DEBITS,
    PUBLISH,
    READ,
    SEARCH,
    admitted,
    answered,
    asked,
    commit,
    has_read,
    said,
)

from counterfoil.core.answer.contract import Row
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.ports.ledger import Lease
from counterfoil.sim.history import History
from counterfoil.sim.invariants import ledger

LEASE = e.LeaseTaken("p2", 2)
SETTLED = e.RunSettled("failed", "model_stopped", None, True, False, "not_run")


def test_a_lawful_history_keeps_them_all() -> None:
    history = has_read()
    kept = [invariant for invariant in ledger.INVARIANTS if invariant is not ledger.views_follow_from_the_ledger]
    assert [said(invariant, history) for invariant in kept] == [""] * len(kept)


def test_holes_and_strange_beginnings_are_found() -> None:
    history = commit(History(), e.RunAdmitted(begun().snapshot), e.RunAdmitted(begun().snapshot))
    assert said(ledger.sequence_has_no_holes, history) == "event 2 is RunAdmitted"
    history = admitted()
    del history.records[1]
    assert "event 4 stands where 3 should" in said(ledger.sequence_has_no_holes, commit(history, asked("m1")))


def test_a_holder_writes_under_its_own_epoch() -> None:
    assert "epoch 3 follows epoch 1" in said(ledger.one_holder_at_a_time, commit(admitted(), e.LeaseTaken("p2", 3)))
    zombie = commit(commit(admitted(), e.LeaseTaken("p2", 2)), asked("m1"), epoch=1)
    assert "under epoch 1, not 2" in said(ledger.one_holder_at_a_time, zombie)


def test_phases_move_as_the_table_says_and_nothing_follows_the_end() -> None:
    early = commit(admitted(), SETTLED)
    assert said(ledger.phases_follow_the_table, early) == "settled in phase research"
    assert "after the Run had settled" in said(ledger.nothing_follows_the_settlement, commit(early, asked("m1")))
    assert said(ledger.phases_follow_the_table, commit(admitted(), e.PhaseChanged(Phase.FINALIZE_ONLY, "x"))) == ""


def test_an_attempt_is_reserved_once_and_while_nothing_is_open() -> None:
    twice = commit(commit(admitted(), asked("m1")), asked("m1"))
    assert "m1 was reserved twice" in said(ledger.one_reservation_an_attempt, twice)
    history = commit(commit(admitted(), asked("m1")), *answered("m1", ("c1", SEARCH)))
    assert "while ['c1'] were open" in said(ledger.one_reservation_an_attempt, commit(history, asked("m2")))
    again = e.ToolCallReserved("c1", DEBITS[SEARCH])
    history = commit(commit(commit(admitted(), asked("m1")), *answered("m1", ("c1", SEARCH))), again)
    commit(history, e.EffectOutcomeUnknown("tool", "c1"))
    assert said(ledger.one_reservation_an_attempt, commit(history, again)) == ""
    assert "again while reserved" in said(ledger.one_reservation_an_attempt, commit(history, again))


def test_a_receipt_needs_a_reservation_and_comes_once() -> None:
    history = commit(admitted(), asked("m1"))
    commit(history, *answered("m1", ("c1", SEARCH), ("c2", READ)))
    assert "without a reservation" in said(
        ledger.one_receipt_a_reservation, commit(history, e.ToolCallSettled("c1", {}))
    )
    assert "which is settled" in said(ledger.one_receipt_a_reservation, commit(history, e.ToolCallSettled("c1", {})))
    assert said(ledger.one_receipt_a_reservation, commit(history, e.ToolCallSettled("c2", {"repeated": True}))) == ""
    failed = e.ModelCallFailed("m1", "X", "timeout", "late")
    assert "which is settled" in said(ledger.one_receipt_a_reservation, commit(history, failed))
    lost = commit(history, e.EffectOutcomeUnknown("model", "m1"))
    assert "called unknown, and it is failed" in said(ledger.one_receipt_a_reservation, lost)
    refused = commit(history, e.ToolCallRefused("c1", "X", "x"))
    assert "c1 was refused, and it is settled" in said(ledger.one_receipt_a_reservation, refused)


def test_recovery_names_everything_that_was_open() -> None:
    history = commit(admitted(), asked("m1"))
    silent = commit(history, e.LeaseTaken("p2", 2), e.RunRecovered(0))
    assert "still reserved after recovery" in said(ledger.recovery_leaves_nothing_open, silent)
    named = e.LeaseTaken("p3", 3), e.RunRecovered(0), e.EffectOutcomeUnknown("model", "m1")
    assert said(ledger.recovery_leaves_nothing_open, commit(history, *named)) == ""


def test_a_lease_of_another_or_one_that_outlives_the_run_is_found() -> None:
    def told(*events: e.Event, **lease: object) -> str:
        history = admitted()
        history.lease = replace(Lease("p1", 1, 30_000), **lease)
        return said(ledger.leases_follow_the_run, commit(history, *events))

    assert told(asked("m1")) == ""
    assert told(e.RunPaused("…"), until=0) == ""
    assert "the lease lasts 30000 ms longer, the Run is paused" in told(e.RunPaused("…"))
    assert "the lease lasts 30000 ms longer, the Run is settled" in told(SETTLED)
    assert "the lease lasts 0 ms longer, the Run is under way" in told(asked("m1"), until=0)
    assert "p1 has lease 1, p2 took 2" in told(e.LeaseTaken("p2", 2), e.RunRecovered(0))


def test_a_paused_run_rests_until_somebody_resumes_it() -> None:
    assert "ModelCallReserved was recorded of a paused Run" in said(
        ledger.a_pause_keeps_everything, commit(commit(admitted(), e.RunPaused("…")), asked("m1"))
    )
    for events, standing in (
        ((e.RunPaused("…"), e.LeaseTaken("p2", 2), e.RunRecovered(0)), "RunRecovered was recorded of a paused Run"),
        ((e.LeaseTaken("p2", 2), e.RunResumed(0)), "RunResumed of a Run that was under way"),
        ((asked("m1"), e.RunPaused("…")), "the Run was paused with"),
    ):
        assert standing in said(ledger.a_pause_keeps_everything, commit(admitted(), *events))
    resumed = commit(admitted(), e.RunPaused("…"), e.LeaseTaken("p2", 2), e.RunResumed(0))
    assert said(ledger.a_pause_keeps_everything, resumed) == ""


def test_a_proposed_contract_that_opens_or_binds_anything_is_found() -> None:
    for grants in (
        replace(CONTRACT, domains=("evil.invalid",)),
        replace(CONTRACT, rows=(Row("North", domains=("evil.invalid",)),)),
        replace(CONTRACT, rows=(Row("North", docs=("secret",)),)),
        replace(CONTRACT, question="?"),
    ):
        assert "grants something" in said(
            ledger.contracts_grant_nothing, commit(admitted(), e.ContractProposed(grants))
        )
    assert said(ledger.contracts_grant_nothing, commit(admitted(), e.ContractProposed(CONTRACT))) == ""


def test_a_refusal_without_a_reason_is_found() -> None:
    history = commit(commit(admitted(), asked("m1")), *answered("m1", ("c1", PUBLISH)))
    assert "has no code" in said(ledger.refusals_say_why, commit(history, e.ToolCallRefused("c1", "", "")))
    assert "without a reason" in said(ledger.refusals_say_why, commit(history, e.PublicationRejected("P1", (), ())))


def test_a_fold_that_forgets_is_found() -> None:
    history = has_read()
    history.state = begun()
    told = said(ledger.both_folds_agree, history)
    assert "requests: the Host has {}" in told
    assert "evidence: the Host has 0" in told


def test_a_view_that_the_ledger_does_not_give_is_found() -> None:
    history = admitted()
    history.prompts = {"research": "", "entry": ""}
    assert "the view of m1" in said(ledger.views_follow_from_the_ledger, commit(history, asked("m1")))


def test_prompts_are_noted_at_admission_and_when_other_ones_take_their_place() -> None:
    history = History()
    history.prompts = {"entry": "Propose.", "research": "Look."}
    then = {name: ledger.digest_of(text) for name, text in history.prompts.items()}
    snapshot = replace(begun().snapshot, prompts=then)
    assert said(ledger.changed_prompts_are_named, commit(history, e.RunAdmitted(snapshot))) == ""
    assert said(ledger.changed_prompts_are_named, commit(history, LEASE, e.RunRecovered(0))) == ""
    history.prompts = {"entry": "Propose.", "research": "Look harder."}
    right = {"research": ledger.digest_of("Look harder.")}
    assert said(ledger.changed_prompts_are_named, commit(history, LEASE, e.RunResumed(0, prompts=right))) == ""
    for wrong in ({}, then, {"research": then["research"]}):
        told = said(ledger.changed_prompts_are_named, commit(history, LEASE, e.RunRecovered(0, prompts=wrong)))
        assert "prompts ['research'] are other ones than at admission" in told
    other = commit(History(), e.RunAdmitted(snapshot))
    assert "noted at admission" in said(ledger.changed_prompts_are_named, other)
