"""What a metered Run lets through, at which worst case, and for how long."""

from __future__ import annotations

import pytest
from tests.unit.core.record.proxied_runs import AT, after, metered_run

from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law import budget as ids
from counterfoil.core.record.metering import Asked, Forward, Refuse, forwarded_ms, judge, metered_ms, spent
from counterfoil.core.record.proxied import ProxyCallReserved
from counterfoil.core.record.state import RunState


def usd(usage: TokenUsage) -> float | None:
    return (usage.input + usage.output) / 1000


def ask(input_tokens: int = 10, output_tokens: int | None = 5, replies: int = 1) -> Asked:
    return Asked("/v1/chat/completions", "m", 100, input_tokens, output_tokens, replies)


def forward(state: RunState, asked: Asked, now: int = AT) -> Forward:
    given = judge(state, asked, usd, now)
    assert isinstance(given, Forward), given
    return given


def refuse(state: RunState, asked: Asked, now: int = AT) -> Refuse:
    given = judge(state, asked, usd, now)
    assert isinstance(given, Refuse), given
    return given


def held(**worst: int) -> ProxyCallReserved:
    return ProxyCallReserved("p1", "/v1/x", "m", 1, {f"run/{name}-tokens": units for name, units in worst.items()})


def test_what_a_client_names_is_reserved_and_nothing_is_added() -> None:
    assert forward(metered_run(run__output_tokens=100), ask(10, 20)) == Forward(
        {ids.INPUT_TOKENS: 10, ids.OUTPUT_TOKENS: 20}, None
    )


@pytest.mark.req("GOV-07", "GOV-12")
def test_a_maximum_beyond_what_is_left_is_refused_by_name_and_number() -> None:
    refused = refuse(after(metered_run(run__output_tokens=100), held(output=90)), ask(10, 20))
    assert (refused.policy, refused.limit, refused.spent, refused.asked) == (ids.OUTPUT_TOKENS, 100, 90, 20)
    assert "run/output-tokens allows 100, 90 used, 20 more asked for" in refused.sentence()
    assert "a lower maximum of output tokens" in refused.hint and "do not retry" in refused.hint


def test_without_a_maximum_the_reply_is_held_to_what_is_left() -> None:
    state = metered_run(run__output_tokens=100)
    assert forward(state, ask(10, None)) == Forward({ids.INPUT_TOKENS: 10, ids.OUTPUT_TOKENS: 100}, 100)
    assert forward(after(state, held(output=97)), ask(10, None)).output_tokens_max == 3
    assert refuse(after(state, held(output=100)), ask(10, None)).policy == ids.OUTPUT_TOKENS


def test_several_replies_share_what_is_left() -> None:
    state = metered_run(run__output_tokens=100)
    assert forward(state, ask(10, None, replies=3)) == Forward({ids.INPUT_TOKENS: 10, ids.OUTPUT_TOKENS: 99}, 33)
    assert forward(state, ask(10, 50, replies=2)).worst[ids.OUTPUT_TOKENS] == 100
    assert refuse(state, ask(10, 51, replies=2)).asked == 102
    assert refuse(after(state, held(output=98)), ask(10, None, replies=3)).policy == ids.OUTPUT_TOKENS


def test_where_no_limit_depends_on_the_reply_it_is_not_touched() -> None:
    given = forward(metered_run(run__model_requests=1), ask(10, None))
    assert given == Forward({ids.INPUT_TOKENS: 10, ids.OUTPUT_TOKENS: 8000}, None)


def test_money_shortens_a_reply_that_has_no_maximum_and_refuses_one_that_has() -> None:
    state = metered_run(run__cost_usd=1)
    given = forward(state, ask(0, None))
    assert given.output_tokens_max == 1000 and given.worst == {ids.OUTPUT_TOKENS: 1000, ids.COST_USD: 1.0}
    assert refuse(state, ask(0, 1001)).policy == ids.COST_USD
    assert refuse(state, ask(1001, None)).policy == ids.COST_USD


def test_no_price_is_no_budget_in_dollars() -> None:
    given = judge(metered_run(run__cost_usd=1), ask(), lambda _usage: None, AT)
    assert isinstance(given, Refuse)
    assert (given.policy, given.limit, given.asked) == (
        ids.COST_USD,
        1,
        None,
    ) and "nobody knows the price" in given.hint


def test_what_asks_for_no_output_is_not_refused_for_output() -> None:
    overdrawn = after(metered_run(run__output_tokens=100), held(output=120))
    assert forward(overdrawn, ask(10, 0)).worst == {ids.INPUT_TOKENS: 10}


@pytest.mark.req("GOV-07")
def test_time_that_is_over_refuses_whatever_else_is_left() -> None:
    state = after(metered_run(run__active_seconds=5, run__expires_seconds=60), held(), at=AT)
    assert refuse(state, ask(), AT + 5_000).policy == ids.ACTIVE_SECONDS
    assert refuse(state, ask(), AT + 60_000).policy == ids.EXPIRES_SECONDS
    assert refuse(state, ask(), AT + 60_000).sentence() == (
        "the budget of this Run is spent: run/expires-seconds allows 60, 60 used"
    )


def test_a_request_may_take_what_the_shortest_of_three_limits_leaves() -> None:
    state = after(metered_run(run__active_seconds=50, run__expires_seconds=60), held(), at=AT)
    assert forwarded_ms(state, 20_000, AT + 1_000) == 20_000
    assert forwarded_ms(state, 55_000, AT + 1_000) == 49_000
    assert forwarded_ms(metered_run(run__expires_seconds=60), 600_000, AT + 1_000) == 59_000
    assert forwarded_ms(state, 20_000, AT + 10**9) == 1


def test_a_run_is_spent_when_not_even_the_smallest_request_fits() -> None:
    state = metered_run(run__model_requests=1, run__output_tokens=9)
    assert spent(state, AT) is None
    assert spent(after(state, held(output=9)), AT) == ("budget_spent", ids.MODEL_REQUESTS)
    assert spent(after(metered_run(run__output_tokens=9), held(output=9)), AT) == ("budget_spent", ids.OUTPUT_TOKENS)
    assert spent(state, AT + 86_400_000) == ("expired", ids.EXPIRES_SECONDS)
    timed = after(metered_run(run__active_seconds=5), held(), at=AT)
    assert spent(timed, AT + 5_000) == ("hard_deadline", ids.ACTIVE_SECONDS)


def test_time_before_the_first_request_is_not_metered() -> None:
    assert metered_ms(metered_run(run__model_requests=1), AT + 5_000) == 0
