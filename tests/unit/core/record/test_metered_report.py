"""The report of a metered Run tells what was forwarded and what nobody knows."""

from __future__ import annotations

from tests.unit.core.record.proxied_runs import after, metered_run

from counterfoil.core.law.budget import INPUT_TOKENS, MODEL_REQUESTS
from counterfoil.core.record.metered_report import metered_report, unknown_usage
from counterfoil.core.record.proxied import ProxyCallRefused, ProxyCallReserved, ProxyCallSettled


def test_it_counts_what_was_forwarded_refused_under_way_and_unknown() -> None:
    state = after(
        metered_run(run__model_requests=3),
        ProxyCallReserved("p1", "/v1/x", "a model with a secret name", 1, {INPUT_TOKENS: 12}),
        ProxyCallReserved("p2", "/v1/x", "m", 1, {}),
        ProxyCallRefused("/v1/x", "m", 1, "X", MODEL_REQUESTS, 3, 3, 1),
        ProxyCallSettled("p1", 200, None),
    )
    body = metered_report(state)
    assert "forwarded: 2" in body and "not forwarded: 1" in body and "debited: 1" in body
    assert "of 1 nobody knows what they spent" in body and "run/input-tokens 12" in body
    assert "secret" not in body


def test_nothing_is_said_of_what_did_not_happen() -> None:
    state = metered_run(run__model_requests=3)
    assert unknown_usage(state) == ""
    assert "under way" not in metered_report(state) and "nobody" not in metered_report(state)
    silent = after(state, ProxyCallReserved("p1", "/v1/x", "m", 1, {}), ProxyCallSettled("p1", 200, None))
    assert "nothing beside themselves" in unknown_usage(silent)
