"""Whose turn it is follows from the failures since the last reply, and from nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.core.record.folding import after, begun, researching, turn

from counterfoil.core.law import budget as ids
from counterfoil.core.law.remedies import REMEDIES
from counterfoil.core.record import commands as c
from counterfoil.core.record import events as e
from counterfoil.core.record.attempts import chain_of, cut_short, next_attempt, standing
from counterfoil.core.record.decide import decide
from counterfoil.core.record.state import RunState

CHAIN = ("other", "third")
WAITED = ("upstream_rate_limited", "upstream_unavailable", "stream_interrupted", "timeout", "output_truncated")


def failed(state: RunState, model: str, category: str = "timeout", wait_ms: int | None = 0) -> RunState:
    request = f"m{len(state.turns) + 1}"
    asked = e.ModelCallReserved(request, "research", (), (), {}, "", model=model)
    return after(state, asked, e.ModelCallFailed(request, "X", category, "why", "", wait_ms))


def test_the_chain_begins_with_the_model_and_an_old_ledger_stands_at_it() -> None:
    assert chain_of(begun(fallbacks=CHAIN).snapshot) == ("played", "other", "third")
    assert standing(after(researching(), *turn(1))) == standing(researching()) == 0


@pytest.mark.req("MOD-01")
@given(st.data())
def test_whatever_fails_attempts_are_bounded_per_model_the_chain_goes_forward_and_the_run_ends(
    data: st.DataObject,
) -> None:
    attempts = data.draw(st.integers(1, 3))
    state = researching({ids.MODEL_ATTEMPTS: attempts}, CHAIN)
    asked: list[int] = []
    while isinstance(command := decide(state, 0), c.AskModel):
        asked.append(command.place)
        category = data.draw(st.sampled_from(sorted(REMEDIES)))
        waits = category in WAITED and data.draw(st.booleans())
        state = failed(state, chain_of(state.snapshot)[command.place], category, 0 if waits else None)
    assert isinstance(command, c.Settle)
    assert asked == sorted(asked) and all(asked.count(place) <= attempts for place in asked)
    categories = [turn.category for turn in state.turns]
    assert "local_budget_exhausted" not in categories[:-1]
    assert (command.reason == "provider_failed") == (categories[-1] != "local_budget_exhausted")


@pytest.mark.req("MOD-01")
def test_a_run_stays_with_the_model_that_answered_and_the_count_begins_anew() -> None:
    state = failed(researching(fallbacks=CHAIN), "played", "auth_refused", None)
    assert decide(state, 0) == c.AskModel("research", 1)
    reserved, settled = turn(2)
    state = after(state, replace(reserved, model="other"), settled)
    assert decide(state, 0) == c.AskModel("research", 1)
    state = failed(state, "other")
    assert next_attempt(state, "research", 7) == (1, 7)


@pytest.mark.req("LED-03")
def test_an_attempt_of_unknown_outcome_leaves_the_run_at_its_model() -> None:
    state = failed(researching(fallbacks=CHAIN), "played", "auth_refused", None)
    lost = e.ModelCallReserved("m2", "research", (), (), {}, "", model="other"), e.EffectOutcomeUnknown("model", "m2")
    assert decide(after(state, *lost), 0) == c.AskModel("research", 1)
    waiting = failed(researching({ids.MODEL_ATTEMPTS: 1}, CHAIN), "played", "upstream_rate_limited", 60_000)
    assert decide(after(waiting, *lost), 0) == c.AskModel("research", 1)


def test_the_next_model_is_not_waited_for() -> None:
    state = researching({ids.MODEL_ATTEMPTS: 1}, CHAIN)
    state = failed(state, "played", "upstream_rate_limited", 60_000)
    assert decide(state, 0) == c.AskModel("research", 1)


def test_a_model_is_told_of_a_cut_reply_until_it_answers() -> None:
    state = failed(researching(), "played", "output_truncated")
    assert cut_short(state)
    lost = e.ModelCallReserved("m2", "research", (), (), {}, ""), e.EffectOutcomeUnknown("model", "m2")
    assert cut_short(after(state, *lost))
    assert not cut_short(after(state, *turn(2)))


@pytest.mark.req("MOD-01")
def test_each_model_of_the_chain_has_attempts_of_its_own() -> None:
    state = researching({ids.MODEL_ATTEMPTS: 2}, CHAIN)
    for model in ("played", "played", "other"):
        state = failed(state, model)
    assert decide(state, 0) == c.AskModel("research", 1)


@pytest.mark.parametrize("category", ["cancelled", "not_found", "of_another_version"])
def test_what_no_model_can_cure_is_not_put_to_the_next_one(category: str) -> None:
    state = failed(researching(fallbacks=CHAIN), "played", category, None)
    assert decide(state, 0) == c.Settle("provider_failed")
