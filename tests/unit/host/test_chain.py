"""A chain of models: each attempt at each model is a debited request, and nobody is asked once all are spent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.unit.host.fakes import Bench, PlayedModel, PricedModel, Reply, call, contract

from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import Category, ModelError, PolicyRefused, RefusedError, UsageError
from counterfoil.core.exchange import Completion
from counterfoil.core.record.events import ModelCallFailed, ModelCallReserved
from counterfoil.host.admission import Task
from counterfoil.host.chain import require_chain
from counterfoil.host.host import Finished

SEARCH = call("search_public_sources", query="visitor pass")
READ = call("read_public_source", handle="S1")
FACT = {"row": "City North", "field": "price", "value": "18", "unit": "USD", "evidence_id": "E2", "quote": "costs $18"}
RECORD = call("record_facts", facts=[FACT])
PUBLISH = call("publish_answer", body="The visitor pass costs $18 [E2].", finish=True)
NOTHING = call("finish_research", outcome="none", limitations=["nothing was found"])


def failing(category: Category, said: str = "the provider says no", **more: int) -> ModelError:
    return ModelError(said, code="X", category=category, **more)  # type: ignore[arg-type]  # retry_after_ms


LIMITED = failing("upstream_rate_limited", retry_after_ms=1000)


def chained(first: Sequence[Reply], *others: Sequence[Reply]) -> tuple[Bench, list[PlayedModel]]:
    fallbacks = tuple(PlayedModel(replies, f"other{place}") for place, replies in enumerate(others, 1))
    bench = Bench(first, fallbacks=fallbacks)
    return bench, [bench.model, *fallbacks]


def asked(models: Sequence[PlayedModel]) -> list[int]:
    return [len(model.views) for model in models]


def debited(bench: Bench) -> list[tuple[str, str]]:
    events = [event for _, event in asyncio.run(bench.ledger.events("run1"))]
    return [(event.request, event.model) for event in events if isinstance(event, ModelCallReserved)]


@pytest.mark.req("MOD-01", "MOD-02")
def test_three_refusals_for_now_are_three_requests_and_three_debits_and_then_the_true_outcome() -> None:
    bench, models = chained([LIMITED] * 9)
    report = asyncio.run(bench.ask()).report
    assert asked(models) == [3] and report.usage["run/model-requests"]["used"] == 3
    assert (report.stop_reason, report.policy, report.status) == ("provider_failed", "model/attempts", "failed")
    assert report.error is not None and report.error["code"] == "upstream_rate_limited"
    assert report.delivered and report.publication is not None


@pytest.mark.req("MOD-01")
def test_a_refusal_for_now_and_then_an_answer_are_two_requests_a_second_apart() -> None:
    bench, models = chained([LIMITED, NOTHING])
    before = bench.clock.now_ms()
    report = asyncio.run(bench.ask()).report
    assert asked(models) == [2] and report.usage["run/model-requests"]["used"] == 2
    assert report.stop_reason == "finish_accepted"
    assert bench.clock.now_ms() == before + 1000


@pytest.mark.req("MOD-01", "TRC-01")
def test_the_next_model_is_asked_by_new_debits_when_the_attempts_at_the_first_are_spent_and_stays() -> None:
    bench, models = chained([SEARCH, *[LIMITED] * 9], [READ, RECORD, PUBLISH])
    report = asyncio.run(bench.ask()).report
    assert asked(models) == [4, 3]
    assert debited(bench) == [*((f"m{n}", "played") for n in (1, 2, 3, 4)), *((f"m{n}", "other1") for n in (5, 6, 7))]
    assert report.status == "completed"
    requests = report.usage["run/model-requests"]
    assert requests["by_purpose"] == {"research": 7}
    assert requests["by_model"] == {
        "played": {"requests": 4, "answered": ["m1"]},
        "other1": {"requests": 3, "answered": ["m5", "m6", "m7"]},
    }
    assert (report.model, report.model_label) == ("other1", "played by a test")
    (told,) = [warning for warning in report.warnings if warning["code"] == "FALLBACK_ASKED"]
    assert "from m5 on other1" in told["excerpt"] and "the provider says no" in told["excerpt"]


@pytest.mark.req("MOD-01", "MOD-02")
@pytest.mark.parametrize("category", ["auth_refused", "request_invalid", "content_refused", "input_too_large"])
def test_what_waiting_cannot_cure_is_one_request_and_goes_to_the_next_model_at_once(category: Category) -> None:
    bench, models = chained([failing(category)], [NOTHING])
    before = bench.clock.now_ms()
    report = asyncio.run(bench.ask()).report
    assert asked(models) == [1, 1] and bench.clock.now_ms() == before
    assert report.stop_reason == "finish_accepted"


@pytest.mark.req("MOD-01")
def test_a_wait_that_is_too_long_is_not_waited_for_where_another_model_is_there() -> None:
    bench, models = chained([failing("upstream_rate_limited", retry_after_ms=3_600_000)], [NOTHING])
    before = bench.clock.now_ms()
    asyncio.run(bench.ask())
    assert asked(models) == [1, 1] and bench.clock.now_ms() == before


@pytest.mark.req("MOD-01")
def test_when_all_are_spent_the_run_settles_and_nothing_more_is_sent() -> None:
    down = [failing("upstream_unavailable")] * 9
    bench, models = chained([SEARCH, READ, *down], down, down)
    report = asyncio.run(bench.ask(run__finalization_request_reserve=12)).report
    assert asked(models) == [5, 3, 3]
    assert (report.status, report.stop_reason, report.policy) == ("partial", "provider_failed", "model/attempts")
    assert report.publication is not None and report.publication.assembled_by == "host"


@pytest.mark.req("MOD-01")
def test_an_entry_request_that_all_models_fail_settles_the_run() -> None:
    down = [failing("upstream_unavailable")] * 9
    bench, models = chained(down, down)
    report = asyncio.run(bench.ask(Contract("What does it cost?"))).report
    assert asked(models) == [3, 3] and report.stop_reason == "provider_failed"
    assert report.usage["run/model-requests"]["by_purpose"] == {"entry": 6}


@pytest.mark.req("MOD-01", "GOV-06")
def test_an_entry_request_is_answered_by_the_next_model_and_counts_in_the_same_total() -> None:
    entry = Completion(text='{"rows":[{"name":"North"}],"fields":[{"name":"price"}]}')
    bench, models = chained([failing("auth_refused")], [entry, NOTHING])
    finished = asyncio.run(bench.ask(Contract("What does it cost?")))
    assert asked(models) == [1, 2]
    assert finished.state.contract.rows[0].name == "North"
    requests = finished.report.usage["run/model-requests"]
    assert (requests["used"], requests["by_purpose"]) == (3, {"entry": 2, "research": 1})


@pytest.mark.req("MOD-02", "GOV-07")
def test_a_refusal_by_a_budget_is_not_retried_not_passed_on_and_no_providers_fault() -> None:
    local = ModelError(
        "the proxy's budget is spent", code="PROVIDER_CALL_BUDGET_EXCEEDED", category="local_budget_exhausted"
    )
    bench, models = chained([SEARCH, local], [NOTHING])
    before = bench.clock.now_ms()
    report = asyncio.run(bench.ask()).report
    assert asked(models) == [2, 0] and bench.clock.now_ms() == before
    assert (report.stop_reason, report.policy) == ("finalization_requests_exhausted", "run/model-requests")
    assert report.error is not None
    assert (report.error["code"], report.error["reason"]) == ("local_budget_exhausted", "PROVIDER_CALL_BUDGET_EXCEEDED")


@pytest.mark.req("MOD-02")
def test_a_refused_content_is_told_with_the_providers_words() -> None:
    refused = failing("content_refused", "flagged: violence")
    bench, _ = chained([refused])
    report = asyncio.run(bench.ask()).report
    assert report.error is not None and report.error["message"] == "flagged: violence"
    bench, _ = chained([refused], [NOTHING])
    report = asyncio.run(bench.ask()).report
    assert {"code": "CONTENT_REFUSED", "handle": None, "excerpt": "played refused m1: flagged: violence"} in (
        report.warnings
    )


@pytest.mark.req("MOD-02")
def test_a_reply_that_was_cut_is_asked_for_again_shorter_a_bounded_number_of_times_and_never_read() -> None:
    cut = failing("output_truncated")
    bench, models = chained([SEARCH, READ, RECORD, cut, PUBLISH])
    report = asyncio.run(bench.ask()).report
    assert asked(models) == [5]
    notes = [[message for message in view.messages if "cut off" in str(message)] for view in models[0].views]
    assert [len(found) for found in notes] == [0, 0, 0, 0, 1]
    assert report.publication is not None and report.publication.assembled_by == "model"
    bench, models = chained([cut] * 9)
    report = asyncio.run(bench.ask()).report
    assert asked(models) == [3] and report.policy == "model/attempts"
    assert report.error is not None and "run/request-output-tokens" in report.error["hint"]


@pytest.mark.req("GOV-03")
def test_the_reserve_holds_the_attempts_at_every_model_and_follows_their_number_where_nobody_chose_it() -> None:
    bench, _ = chained([NOTHING], [])
    snapshot = asyncio.run(bench.ask()).state.snapshot
    reserve = next(value for value in snapshot.policies if value.id == "run/finalization-request-reserve")
    assert (reserve.value, reserve.origin) == (9, "derived")
    with pytest.raises(PolicyRefused, match="at 2 models"):
        asyncio.run(chained([NOTHING], [])[0].ask(run__finalization_request_reserve=8))
    with pytest.raises(PolicyRefused, match="15 > 12") as refused:
        asyncio.run(chained([NOTHING], [], [], [])[0].ask())
    assert "fewer fallbacks" in refused.value.hint


@pytest.mark.req("GOV-03")
def test_a_money_cap_with_a_fallback_of_unknown_price_is_refused() -> None:
    bench = Bench([NOTHING], model=PricedModel, fallbacks=(PlayedModel([], "other"),))
    with pytest.raises(PolicyRefused, match="a model of the chain is unknown"):
        asyncio.run(bench.ask(run__cost_usd=5))
    dear = PricedModel([], 2.0, "dear")
    assert asyncio.run(Bench([NOTHING], model=PricedModel, fallbacks=(dear,)).ask(run__cost_usd=5)).state.settled


@pytest.mark.req("LED-03", "MOD-01")
@pytest.mark.parametrize("waited", [0, 400, 60_000])
def test_a_wait_and_the_place_in_the_chain_survive_a_pause(waited: int) -> None:
    bench, models = chained([LIMITED, LIMITED, LIMITED], [LIMITED, NOTHING])
    began = bench.clock.now_ms()
    pause = asyncio.Event()

    async def until_the_second_model() -> Finished:
        async def complete(*given: object) -> Completion:
            pause.set()
            return await PlayedModel.complete(models[1], *given)  # type: ignore[arg-type]  # as it was called

        models[1].complete = complete  # type: ignore[method-assign, assignment]  # and asks for a pause
        return await bench.host.ask(Task(contract(), "2025-03-31"), pause=pause)

    assert asyncio.run(until_the_second_model()).report.status == "paused"
    events = [event for _, event in asyncio.run(bench.ledger.events("run1"))]
    assert [event.wait_ms for event in events if isinstance(event, ModelCallFailed)] == [1000] * 4
    bench.clock.advance(waited)
    finished = asyncio.run(bench.host.resume("run1"))
    assert asked(models) == [3, 2] and finished.report.stop_reason == "finish_accepted"
    assert bench.clock.now_ms() == began + 2000 + max(1000, waited)


@pytest.mark.req("LED-04", "GOV-11")
def test_a_run_goes_on_only_with_the_chain_that_it_was_admitted_with() -> None:
    bench, models = chained([NOTHING], [])
    pause = asyncio.Event()
    pause.set()
    asyncio.run(bench.host.ask(Task(contract(), "2025-03-31"), pause=pause))
    bench.host._models = (models[0],)
    with pytest.raises(RefusedError, match="models: admitted played, other1, deployed played"):
        asyncio.run(bench.host.resume("run1"))


def test_a_chain_names_each_model_once_and_one_at_least() -> None:
    with pytest.raises(UsageError, match="'played' stands twice"):
        require_chain((PlayedModel([]), PlayedModel([], "other"), PlayedModel([])))
    with pytest.raises(UsageError, match="no model"):
        require_chain(())


@pytest.mark.req("GOV-07")
@pytest.mark.parametrize(("category", "usd"), [("auth_refused", 0.0), ("upstream_unavailable", None)])
def test_what_failed_attempts_cost_is_unknown_where_the_price_is_and_they_may_have_been_charged(
    category: Category, usd: float | None
) -> None:
    bench = Bench([failing(category)] * 3)
    assert asyncio.run(bench.ask(model__attempts=1)).report.cost_usd == usd
    priced = Bench([failing(category)] * 3, model=PricedModel)
    assert asyncio.run(priced.ask(model__attempts=1)).report.cost_usd == 0
