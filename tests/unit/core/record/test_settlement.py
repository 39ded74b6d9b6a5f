"""Endings become outcomes by rule."""

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_fact
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.answer.candidate import Candidate, Gap
from counterfoil.core.law import budget as ids
from counterfoil.core.record import events as e
from counterfoil.core.record.outcome import StopReason
from counterfoil.core.record.settlement import evidence_budget_spent, has_gaps, settlement_of
from counterfoil.core.record.state import RunState


def published(*gaps: Gap, finish: bool = True, spent: dict[str, int] | None = None) -> RunState:
    state = after(researching(), *turn(1, "publish_answer"))
    if spent:
        state = replace(state, budget=state.budget.debit(spent))
    state = replace(state, evidence_count=1, facts=(make_fact("18", "USD", row="North", field="price"),))
    state = after(state, e.PublicationProposed(Candidate("P1", "x", (), gaps), "c1", None))
    state = after(state, e.PublicationAccepted("P1", (), ()), e.ToolCallSettled("c1", {}))
    return after(state, e.FinishAccepted("c1")) if finish else state


GAP = Gap("North", "overage", "not_found")


@pytest.mark.req("TSK-10")
@pytest.mark.parametrize(
    ("state", "reason", "status"),
    [
        (published(), "finish_accepted", "completed"),
        (published(GAP), "finish_accepted", "completed_with_gaps"),
        (published(GAP, spent={ids.SEARCHES: 12}), "finish_accepted", "budget_exhausted_partial"),
        (published(spent={ids.SEARCHES: 12}), "finish_accepted", "completed"),
        (published(finish=False), "model_stopped", "partial"),
        (published(finish=False), "hard_deadline", "budget_exhausted_partial"),
        (published(), "cancelled", "cancelled"),
        (researching(), "provider_failed", "failed"),
        (replace(researching(), evidence_count=3), "provider_failed", "partial"),
        (replace(researching(), evidence_count=3), "expired", "budget_exhausted_partial"),
        (replace(researching(), no_answer=True, finish_accepted=True), "finish_accepted", "completed_with_gaps"),
    ],
)
def test_the_host_computes_the_outcome(state: RunState, reason: StopReason, status: str) -> None:
    assert settlement_of(state, reason, None).status == status


@pytest.mark.req("TSK-10")
def test_delivered_finished_and_reviewed_are_separate_facts() -> None:
    ending = settlement_of(published(finish=False), "model_stopped", None)
    assert (ending.delivered, ending.finished, ending.review) == (True, False, "not_run")


def test_an_open_cell_is_a_gap_even_when_nobody_declares_it() -> None:
    assert has_gaps(replace(published(), facts=()))
    assert not has_gaps(published())


def test_only_evidence_budgets_count_as_spent() -> None:
    assert not evidence_budget_spent(published(spent={ids.PUBLICATION_ATTEMPTS: 6}))
    assert evidence_budget_spent(published(spent={ids.READS: 40}))
