"""The fold: every event type has one, and what it changes is what happened."""

from typing import get_args

import pytest
from tests.unit.core.record.folding import DOCUMENT, SEGMENT, after, begun, researching, turn

from counterfoil.core.exchange import Completion, TokenUsage
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record.evolve import _FOLDS


@pytest.mark.req("LED-01")
def test_every_event_type_but_the_first_has_a_fold() -> None:
    assert set(get_args(e.Event)) - set(_FOLDS) == {e.RunAdmitted}


def test_each_event_moves_the_sequence_by_one() -> None:
    state = begun()
    assert state.seq == 1
    assert after(state, e.PathProven(()), e.RunRecovered(2)).seq == 3


@pytest.mark.req("GOV-08")
@pytest.mark.parametrize("moves", [(Phase.SETTLED, Phase.RESEARCH), (Phase.FINALIZE_ONLY, Phase.RESEARCH)])
def test_a_move_that_the_table_does_not_hold_is_a_defect(moves: tuple[Phase, Phase]) -> None:
    state = after(researching(), e.PhaseChanged(moves[0], "x"))
    with pytest.raises(ValueError, match="no move"):
        after(state, e.PhaseChanged(moves[1], "x"))


@pytest.mark.req("LED-02")
def test_debits_count_when_they_are_reserved_not_when_they_settle() -> None:
    state = after(researching(), *turn(1, "search_public_sources"), e.ToolCallReserved("c1", {"web/searches": 1}))
    assert state.budget.used["web/searches"] == 1
    settled = after(state, e.ToolCallSettled("c1", {}))
    unknown = after(state, e.EffectOutcomeUnknown("tool", "c1"))
    assert settled.budget == unknown.budget == state.budget
    assert unknown.calls["c1"].status == "proposed"
    again = after(unknown, e.ToolCallReserved("c1", {"web/searches": 1}))
    assert again.budget.used["web/searches"] == 2


def test_a_refused_call_debits_nothing_and_keeps_its_reason() -> None:
    state = after(researching(), *turn(1, "search_public_sources"))
    state = after(state, e.ToolCallRefused("c1", "SEARCHES_EXHAUSTED", "12 used", "web/searches", "read instead"))
    assert "web/searches" not in state.budget.used
    assert state.calls["c1"].content["refused"] == "SEARCHES_EXHAUSTED"


def test_tokens_are_counted_from_receipts() -> None:
    state = after(researching(), e.ModelCallReserved("m1", "research", (), (), {}, ""))
    state = after(state, e.ModelCallSettled("m1", Completion(usage=TokenUsage(input=900, output=40))))
    assert (state.budget.used["run/input-tokens"], state.budget.used["run/output-tokens"]) == (900, 40)


def test_a_call_clears_the_streak_of_silent_replies() -> None:
    state = after(researching(), *turn(1))
    assert state.silent_turns == 1
    assert after(state, *turn(2, "search_public_sources")).silent_turns == 0


def test_evidence_gets_ids_in_the_order_of_reading() -> None:
    state = after(researching(), *turn(1, "search_public_sources", "read_public_source"))
    state = after(state, e.SourceRegistered("S1", DOCUMENT, "c1"), e.EvidenceRead("S1", SEGMENT, 1, "c2"))
    assert state.evidence_count == 1
    assert state.reading("S1", 0) is not None
    assert state.handles == {"north.md": "S1"}


@pytest.mark.req("LED-02")
@pytest.mark.parametrize(
    ("ending", "stands"),
    [
        (e.EffectOutcomeUnknown("model", "m1"), 900),
        (e.ModelCallFailed("m1", "STALLED", "timeout", "no answer"), 900),
        (e.ModelCallFailed("m1", "RATE_LIMITED", "upstream_rate_limited", "slow down"), 0),
        (e.ModelCallFailed("m1", "UNREACHABLE", "upstream_unavailable", "refused"), 900),
        (e.ModelCallFailed("m1", "UNREACHABLE", "upstream_unavailable", "refused", spent=TokenUsage()), 0),
        (e.ModelCallFailed("m1", "OUTPUT_TRUNCATED", "output_truncated", "cut", spent=TokenUsage(70, 30)), 70),
        (e.ModelCallSettled("m1", Completion(usage=TokenUsage(40, 2))), 40),
    ],
)
def test_the_worst_case_stands_while_nobody_knows_what_was_spent(ending: e.Event, stands: int) -> None:
    reserved = e.ModelCallReserved("m1", "research", (), (), {}, "", worst={"run/input-tokens": 900})
    state = after(researching(), reserved, ending)
    assert state.budget.used["run/input-tokens"] == stands
