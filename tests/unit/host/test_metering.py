"""However requests overlap, end, fail and are forgotten, a budget holds and the ledger tells what was spent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.host.metered import UNPRICED, Metered, asked, limits, reserved

from counterfoil.adapters.stores.crash import CrashingLedger
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.errors import LeaseLost, LedgerBroken
from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law import budget as ids
from counterfoil.core.record import events as e
from counterfoil.core.record.metering import Refuse
from counterfoil.core.record.proxied import EXCEEDED, ProxyCallFailed, ProxyCallRefused, ProxyCallSettled
from counterfoil.host.folding import fold
from counterfoil.host.host import finished_run
from counterfoil.host.metering import Meter, Reserved
from counterfoil.sim.counting import count
from counterfoil.sim.tally import Tally

steps = st.one_of(
    st.tuples(st.just("ask"), st.integers(0, 60), st.none() | st.integers(1, 40), st.integers(1, 3)),
    st.tuples(st.just("settle"), st.integers(0, 9), st.floats(0, 1), st.booleans()),
    st.tuples(st.just("fail"), st.integers(0, 9), st.booleans()),
    st.tuples(st.just("wait"), st.integers(0, 90_000)),
    st.tuples(st.just("crash")),
    st.tuples(st.just("stop")),
)


class World:
    """Plays steps on a metered Run; ``under_way`` are the debits that this process still has to end."""

    def __init__(self, meter: Meter, metered: Metered) -> None:
        self.meter = meter
        self.metered = metered
        self.under_way: list[tuple[Reserved, dict[str, Any]]] = []
        self.answered: dict[str, int] = dict.fromkeys((ids.INPUT_TOKENS, ids.OUTPUT_TOKENS), 0)

    async def play(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("ask", tokens, most, replies):
                given = await self.meter.reserve(asked(tokens, most, replies=replies))
                if isinstance(given, Reserved):
                    proxied = self.meter.state.proxied
                    assert proxied is not None
                    self.under_way.append((given, proxied.under_way[given.request]))
            case ("settle", place, share, known) if self.under_way:
                request, worst = self.under_way.pop(place % len(self.under_way))
                spent = {policy: int(worst.get(policy, 0) * share) for policy in self.answered}
                usage = TokenUsage(spent[ids.INPUT_TOKENS], spent[ids.OUTPUT_TOKENS])
                await self.meter.settle(request, 200, usage if known else None)
            case ("fail", place, released) if self.under_way:
                request, _ = self.under_way.pop(place % len(self.under_way))
                await self.meter.fail(request, "X", "timeout", released=released)
            case ("wait", ms):
                self.metered.clock.advance(ms)
            case ("crash",):
                await self.again()
            case ("stop",):
                await self.meter.stop()
                if self.meter.state.settled is None:
                    await self.again()

    async def again(self) -> None:
        before = self.meter.state
        self.meter = await self.metered.crash(self.meter)
        self.under_way.clear()
        assert self.meter.state.budget.used == before.budget.used


async def second_opinion(world: World) -> Tally:
    tally = Tally()
    for stored, event in await world.metered.ledger.events(world.meter.state.run_id):
        tally = count(tally, event, stored.at)
    return tally


@pytest.mark.req("MOD-05", "LED-02", "GOV-12")
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.fixed_dictionaries(
        {"run__model_requests": st.integers(1, 12)},
        optional={
            "run__input_tokens": st.integers(1, 200),
            "run__output_tokens": st.integers(1, 200),
            "run__cost_usd": st.integers(1, 3),
            "run__active_seconds": st.integers(1, 120),
        },
    ),
    st.lists(steps, max_size=30),
)
def test_no_interleaving_goes_beyond_a_limit_and_a_second_count_agrees(
    budget: dict[str, int], played: list[tuple[Any, ...]]
) -> None:
    async def scenario() -> None:
        metered = Metered()
        world = World(await metered.begin(**budget), metered)
        for step in played:
            if world.meter.state.settled:
                break
            await world.play(step)
            used = world.meter.state.budget.used
            for policy, most in limits(budget).items():
                assert used.get(policy, 0) <= (most or 0) + 1e-9, policy
            assert all(units >= -1e-9 for units in used.values())
        tally = await second_opinion(world)
        for policy in (ids.MODEL_REQUESTS, ids.INPUT_TOKENS, ids.OUTPUT_TOKENS, ids.COST_USD):
            assert tally.used.get(policy, 0) == pytest.approx(world.meter.state.budget.used.get(policy, 0))
        state, _ = await fold(metered.ledger, world.meter.state.run_id)
        assert state == world.meter.state
        assert (await metered.ledger.verify(state.run_id)).first_bad is None

    asyncio.run(scenario())


@pytest.mark.req("MOD-05", "LED-02")
def test_of_many_at_once_only_as_many_are_forwarded_as_the_budget_has() -> None:
    async def scenario() -> list[Reserved | Refuse]:
        metered = Metered()
        meter = await metered.begin(run__model_requests=50)
        given = await asyncio.gather(*(meter.reserve(asked(output_tokens=None)) for _ in range(200)))
        allowed = [one for one in given if isinstance(one, Reserved)]
        assert len({one.request for one in allowed}) == 50
        await asyncio.gather(*(meter.settle(one, 200, TokenUsage(7, 3)) for one in allowed))
        assert meter.state.budget.used == {ids.MODEL_REQUESTS: 50, ids.INPUT_TOKENS: 350, ids.OUTPUT_TOKENS: 150,
                                           ids.COST_USD: pytest.approx(50 * 0.019)}  # fmt: skip
        assert (await fold(metered.ledger, meter.state.run_id))[0] == meter.state
        return list(given)

    refused = [one for one in asyncio.run(scenario()) if isinstance(one, Refuse)]
    assert len(refused) == 150
    assert {(one.policy, one.limit, one.spent, one.asked) for one in refused} == {(ids.MODEL_REQUESTS, 50, 50, 1)}
    assert "50 request(s) under way" in refused[0].hint


@pytest.mark.req("LED-07", "GOV-12")
def test_a_refusal_is_on_the_ledger_and_debits_nothing() -> None:
    async def scenario() -> tuple[e.Event, dict[str, Any]]:
        metered = Metered()
        meter = await metered.begin(run__model_requests=5, run__input_tokens=9)
        assert isinstance(await meter.reserve(asked(10)), Refuse)
        events = await metered.ledger.events(meter.state.run_id)
        return events[-1][1], dict(meter.state.budget.used)

    event, used = asyncio.run(scenario())
    assert event == ProxyCallRefused("/v1/chat/completions", "m", 100, EXCEEDED, ids.INPUT_TOKENS, 9, 0, 10)
    assert used == {}


@pytest.mark.req("LED-02")
def test_nothing_is_forwarded_that_is_not_durable() -> None:
    class Full(MemoryLedger):
        async def append(self, run_id: str, expected_seq: int, *args: Any, **named: Any) -> Any:
            if expected_seq > 1:
                raise LedgerBroken("the disk is full", code="STORE_FULL")
            return await super().append(run_id, expected_seq, *args, **named)

    async def scenario() -> Meter:
        metered = Metered(Full())
        meter = await metered.begin(run__model_requests=5)
        at_once = await asyncio.gather(*(meter.reserve(asked()) for _ in range(3)), return_exceptions=True)
        assert [type(one) for one in at_once] == [LedgerBroken] * 3
        with pytest.raises(LedgerBroken):
            await meter.stop()
        return meter

    meter = asyncio.run(scenario())
    assert meter.broke.is_set() and meter.failure is not None


@pytest.mark.req("LED-02", "LED-05")
@pytest.mark.parametrize("at", [2, 3])
def test_a_process_killed_around_a_request_leaves_its_debit_or_nothing(at: int) -> None:
    class Killed(BaseException):
        pass

    def kill() -> None:
        raise Killed

    async def die(metered: Metered) -> None:
        meter = await metered.begin(run__model_requests=3)
        await meter.settle(await reserved(meter, asked(10, 5)), 200, TokenUsage(7, 3))

    async def go_on(ledger: MemoryLedger) -> Meter:
        run_id = (await ledger.runs())[0].run_id
        return await Metered(ledger).parts.resume(run_id, {}, frozenset())

    ledger = MemoryLedger()
    with pytest.raises(Killed):
        asyncio.run(die(Metered(CrashingLedger(ledger, at, kill))))
    meter = asyncio.run(go_on(ledger))
    proxied = meter.state.proxied
    assert proxied is not None
    if at == 2:
        assert (meter.state.budget.used, proxied.unknown) == ({}, 0)
    else:
        standing = {ids.INPUT_TOKENS: 10, ids.OUTPUT_TOKENS: 5}
        assert meter.state.budget.used == {ids.MODEL_REQUESTS: 1, **standing}
        assert (proxied.unknown, proxied.standing, proxied.under_way) == (1, standing, {})


@pytest.mark.req("LED-06")
def test_a_meter_whose_run_was_taken_forwards_nothing_more() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__model_requests=3)
        await metered.crash(meter)
        with pytest.raises(LeaseLost):
            await meter.reserve(asked())

    asyncio.run(scenario())


@pytest.mark.req("LED-06")
def test_nothing_is_forwarded_when_the_run_was_taken_while_its_debit_was_written() -> None:
    class Slow(MemoryLedger):
        """Appends so slowly that the lease is over, and somebody else has the Run, once it is done."""

        taken: Any = None

        async def append(self, *args: Any, **named: Any) -> Any:
            stored = await super().append(*args, **named)
            if self.taken is not None:
                take, self.taken = self.taken, None
                await take()
            return stored

    async def scenario() -> None:
        ledger = Slow()
        metered = Metered(ledger)
        meter = await metered.begin(run__model_requests=3)

        async def take() -> None:
            metered.clock.advance(60_000)
            await metered.crash(meter)

        ledger.taken = take
        with pytest.raises(LeaseLost):
            await meter.reserve(asked())

    asyncio.run(scenario())


def test_a_receipt_that_cannot_be_written_is_kept_as_the_failure_and_the_debit_stands() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__model_requests=3)
        request = await reserved(meter)
        taken = await metered.crash(meter)
        await meter.settle(request, 200, TokenUsage(1, 1))
        assert isinstance(meter.failure, LeaseLost)
        assert taken.state.budget.used[ids.INPUT_TOKENS] == 10

    asyncio.run(scenario())


def test_stopping_pauses_a_run_with_something_left_and_settles_one_without() -> None:
    async def scenario(requests: int) -> tuple[str, str | None, list[type]]:
        metered = Metered()
        meter = await metered.begin(run__model_requests=requests)
        await reserved(meter)
        await meter.stop()
        finished = await finished_run(metered.ledger, meter.state.run_id)
        kinds = [type(event) for _, event in await metered.ledger.events(meter.state.run_id)]
        return finished.report.status, finished.report.policy, kinds

    status, policy, kinds = asyncio.run(scenario(2))
    assert (status, policy, kinds[-2:]) == ("paused", None, [e.EffectOutcomeUnknown, e.RunPaused])
    status, policy, kinds = asyncio.run(scenario(1))
    assert (status, policy, kinds[-1]) == ("budget_exhausted_partial", ids.MODEL_REQUESTS, e.RunSettled)


def test_a_late_receipt_of_a_request_that_was_given_up_changes_nothing() -> None:
    async def scenario() -> tuple[int, int]:
        metered = Metered()
        meter = await metered.begin(run__model_requests=2)
        request = await reserved(meter)
        await meter.stop()
        before = meter.state.seq
        await meter.settle(request, 200, TokenUsage(1, 1))
        await meter.fail(request, "X", "timeout")
        return before, meter.state.seq

    before, after = asyncio.run(scenario())
    assert before == after


def test_only_time_with_a_request_under_way_is_active_also_across_a_pause() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__active_seconds=10)
        metered.clock.advance(60_000)
        first = await reserved(meter)
        metered.clock.advance(4_000)
        second = await reserved(meter)
        assert second.ms_max == 6_000
        await meter.settle(first, 200, TokenUsage(1, 1))
        metered.clock.advance(3_000)
        await meter.settle(second, 200, TokenUsage(1, 1))
        metered.clock.advance(60_000)
        await meter.stop()
        metered.clock.advance(60_000)
        meter = await metered.crash(meter)
        metered.clock.advance(60_000)
        third = await reserved(meter)
        assert third.ms_max == 3_000
        metered.clock.advance(3_000)
        refused = await meter.reserve(asked())
        assert isinstance(refused, Refuse)
        assert (refused.policy, refused.spent, refused.asked) == (ids.ACTIVE_SECONDS, 10, None)

    asyncio.run(scenario())


def test_an_expired_run_forwards_nothing_and_settles_when_it_is_stopped() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__expires_seconds=60)
        assert (await reserved(meter)).ms_max == 60_000
        metered.clock.advance(60_000)
        refused = await meter.reserve(asked())
        assert isinstance(refused, Refuse) and refused.policy == ids.EXPIRES_SECONDS
        await meter.stop()
        assert meter.state.settled is not None and meter.state.settled.stop_reason == "expired"

    asyncio.run(scenario())


def test_a_price_that_nobody_knows_is_no_budget_in_dollars_and_is_said_otherwise() -> None:
    async def scenario() -> None:
        metered = Metered()
        meter = await metered.begin(run__cost_usd=1)
        refused = await meter.reserve(asked(model=UNPRICED))
        assert isinstance(refused, Refuse)
        assert (refused.policy, refused.asked) == (ids.COST_USD, None) and UNPRICED in refused.hint
        meter = await metered.begin(run__model_requests=1)
        await meter.settle(await reserved(meter, asked(model=UNPRICED)), 200, TokenUsage(1, 1))
        assert meter.state.cost_usd is None

    asyncio.run(scenario())


def test_receipts_name_what_was_spent_and_failures_what_stands() -> None:
    async def scenario() -> list[e.Event]:
        metered = Metered()
        meter = await metered.begin(run__model_requests=9)
        await meter.settle(await reserved(meter), 200, TokenUsage(7, 3))
        await meter.settle(await reserved(meter), 200, None)
        await meter.fail(await reserved(meter), "UPSTREAM_429", "upstream_rate_limited", 429, released=True)
        assert meter.state.budget.used[ids.INPUT_TOKENS] == 7 + 10
        report = (await finished_run(metered.ledger, meter.state.run_id)).report
        unknown = [warning for warning in report.warnings if warning["code"] == "USAGE_UNKNOWN"]
        assert "run/input-tokens 10, run/output-tokens 5" in unknown[0]["excerpt"]
        return [event for _, event in await metered.ledger.events(meter.state.run_id)]

    told = [event for event in asyncio.run(scenario()) if isinstance(event, ProxyCallSettled | ProxyCallFailed)]
    assert told == [
        ProxyCallSettled("p1", 200, TokenUsage(7, 3), 0.019),
        ProxyCallSettled("p2", 200, None, None),
        ProxyCallFailed("p3", "UPSTREAM_429", "upstream_rate_limited", 429, True),
    ]
