"""Forwarded requests fold by their own names, several at once, into the one budget."""

from __future__ import annotations

import pytest
from tests.unit.builders import make_state
from tests.unit.core.record.proxied_runs import AT, after, metered_run, proxied

from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law.budget import COST_USD, INPUT_TOKENS, MODEL_REQUESTS, OUTPUT_TOKENS
from counterfoil.core.record import events as e
from counterfoil.core.record.decide import active_ms
from counterfoil.core.record.fold_proxied import proxied_of
from counterfoil.core.record.proxied import ProxyCallFailed, ProxyCallRefused, ProxyCallReserved, ProxyCallSettled

WORST = {INPUT_TOKENS: 100, OUTPUT_TOKENS: 50}


def reserved(request: str) -> ProxyCallReserved:
    return ProxyCallReserved(request, "/v1/responses", "m", 80, dict(WORST))


def test_the_worst_case_stands_until_a_receipt_says_less() -> None:
    state = after(metered_run(run__model_requests=5), reserved("p1"), reserved("p2"))
    assert state.budget.used == {MODEL_REQUESTS: 2, INPUT_TOKENS: 200, OUTPUT_TOKENS: 100}
    assert state.budget.requests == {"proxied": 2}
    state = after(state, ProxyCallSettled("p1", 200, TokenUsage(7, 3), 0.5))
    assert state.budget.used == {MODEL_REQUESTS: 2, INPUT_TOKENS: 107, OUTPUT_TOKENS: 53, COST_USD: 0.5}
    assert (list(proxied(state).under_way), proxied(state).forwarded, state.cost_usd) == (["p2"], 2, 0.5)


def test_a_receipt_without_usage_and_a_failure_leave_it_standing() -> None:
    state = after(metered_run(run__model_requests=5), reserved("p1"), reserved("p2"), reserved("p3"))
    state = after(state, ProxyCallSettled("p2", 200, None), ProxyCallFailed("p1", "X", "timeout"))
    state = after(state, e.EffectOutcomeUnknown("proxied", "p3"))
    assert state.budget.used == {MODEL_REQUESTS: 3, INPUT_TOKENS: 300, OUTPUT_TOKENS: 150}
    assert (proxied(state).unknown, proxied(state).standing) == (3, {INPUT_TOKENS: 300, OUTPUT_TOKENS: 150})
    assert state.cost_usd is None


def test_a_request_that_nobody_worked_on_keeps_only_its_own_debit() -> None:
    state = after(metered_run(run__model_requests=5), reserved("p1"))
    state = after(state, ProxyCallFailed("p1", "UPSTREAM_429", "upstream_rate_limited", 429, True))
    assert state.budget.used == {MODEL_REQUESTS: 1, INPUT_TOKENS: 0, OUTPUT_TOKENS: 0}
    assert (proxied(state).unknown, state.cost_usd) == (0, 0.0)


def test_usage_beyond_what_was_reserved_is_debited_as_it_is() -> None:
    state = after(metered_run(run__model_requests=5), reserved("p1"))
    state = after(state, ProxyCallSettled("p1", 200, TokenUsage(1_000, 3)))
    assert state.budget.used[INPUT_TOKENS] == 1_000


def test_a_refusal_is_counted_and_nothing_else() -> None:
    state = metered_run(run__model_requests=5)
    refused = after(state, ProxyCallRefused("/v1/responses", "m", 80, "X", MODEL_REQUESTS, 5, 5, 1))
    assert (proxied(refused).refused, refused.budget) == (1, state.budget)


def test_waiting_for_a_client_is_no_work() -> None:
    state = after(metered_run(run__model_requests=5), reserved("p1"), at=AT + 1_000)
    state = after(state, reserved("p2"), at=AT + 1_500)
    state = after(state, ProxyCallSettled("p1", 200, None), at=AT + 2_000)
    state = after(state, ProxyCallSettled("p2", 200, None), at=AT + 3_000)
    state = after(state, e.RunPaused("x"), at=AT + 4_000)
    state = after(state, e.RunResumed(5_000), at=AT + 9_000)
    state = after(state, reserved("p3"), at=AT + 10_000)
    assert active_ms(state, AT + 10_000) == 2_000


def test_a_clock_that_goes_back_takes_no_time_away() -> None:
    state = after(metered_run(run__model_requests=5), reserved("p1"), at=AT - 5_000)
    assert active_ms(state, AT) == 0


def test_only_a_metered_run_forwards() -> None:
    with pytest.raises(ValueError, match="forwards nothing"):
        proxied_of(make_state())
