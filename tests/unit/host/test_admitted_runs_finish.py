"""No Run is admitted without a path: under lawful limits a competent model publishes, corrects and finishes."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.host.fakes import Bench, PricedModel, call, contract

from counterfoil.core.errors import CounterfoilError
from counterfoil.core.exchange import Completion, ModelLimits, ToolResult, ToolSpec, View
from counterfoil.core.law.policy import Number
from counterfoil.core.view.size import view_bytes
from counterfoil.host.admission import Task

LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "run/model-requests": st.integers(1, 14),
        "run/finalization-request-reserve": st.integers(1, 13),
        "run/corrections": st.integers(0, 7),
        "run/publication-attempts": st.integers(1, 7),
        "run/tool-calls": st.integers(1, 4),
        "run/active-seconds": st.integers(1, 200),
        "run/finalization-seconds": st.integers(1, 200),
        "model/attempts": st.integers(1, 11),
        "model/attempt-seconds": st.integers(1, 200),
        "web/searches": st.integers(1, 3),
        "web/results-per-search": st.integers(1, 3),
        "web/registry-capacity": st.integers(1, 10),
        "web/window-seconds": st.integers(1, 200),
        "web/handle-lifetime-seconds": st.integers(1, 200),
        "reader/reads": st.integers(1, 3),
        "context/input-bytes": st.integers(10_000, 60_000),
        "quality/self-reviews": st.integers(0, 1),
        "helpers/model-requests": st.integers(1, 20),
    },
)
SPENDING = st.fixed_dictionaries(
    {},
    optional={
        "reader/segment-chars": st.integers(500, 6000),
        "run/input-tokens": st.integers(10_000, 400_000),
        "run/finalization-input-tokens": st.integers(1_000, 100_000),
        "run/output-tokens": st.integers(2_000, 20_000),
        "run/finalization-output-tokens": st.integers(1_000, 10_000),
        "run/request-output-tokens": st.integers(500, 20_000),
        "run/cost-usd": st.floats(0.01, 2),
        "run/finalization-cost-usd": st.floats(0, 1),
    },
)
FACT = {"row": "City North", "field": "price", "value": "18", "unit": "USD", "evidence_id": "E2", "quote": "costs $18"}
WRONG, RIGHT = "It costs $99 [E2].", "The visitor pass costs $18 [E2]."


def competent(view: View, tools: tuple[ToolSpec, ...]) -> Completion:
    """Search, read, publish; err once, correct it; say what is missing when there is nothing to publish."""
    results = [message for message in view.messages if isinstance(message, ToolResult)]
    offered = {tool.name for tool in tools}
    searched = any(result.tool == "search_public_sources" and result.ok for result in results)
    read = any(result.tool == "read_public_source" and result.ok for result in results)
    if not searched and "search_public_sources" in offered:
        return call("search_public_sources", query="visitor pass price")
    if not read and searched and "read_public_source" in offered:
        return call("read_public_source", handle="S1")
    erred = any(result.tool == "publish_answer" for result in results)
    fact = {
        "row": "City North",
        "field": "price",
        "value": "18",
        "unit": "USD",
        "evidence_id": "E2",
        "quote": "costs $18",
    }
    return call("publish_answer", body=RIGHT if erred else WRONG, facts=[fact], finish=True)


class SpendingModel(PricedModel):
    """Spends all that was reserved for its input, and a reply of 400 tokens."""

    async def complete(self, view: View, tools: tuple[ToolSpec, ...], limits: ModelLimits) -> Completion:
        completion = await super().complete(view, tools, limits)
        usage = self.worst(view.purpose, view_bytes(view), min(400, limits.output_tokens_max))
        return msgspec.structs.replace(completion, usage=usage)


@pytest.mark.req("GOV-03", "GOV-10")
@settings(max_examples=300, deadline=None)
@given(LIMITS | SPENDING)
def test_lawful_limits_admit_only_runs_that_can_finish(limits: dict[str, Number]) -> None:
    bench = Bench([competent] * 40, model=SpendingModel)
    try:
        finished = asyncio.run(bench.host.ask(Task(contract(), "2025-03-31", operator=dict(limits))))
    except CounterfoilError as refused:
        assert refused.policy is not None
        assert refused.hint
        return
    report = finished.report
    if limits.get("run/corrections") == 0 and report.stop_reason == "corrections_exhausted":
        return  # the operator admitted no correction, and the model erred in finalization
    assert (report.status, report.stop_reason) == ("completed", "finish_accepted"), limits
    for policy, usage in report.usage.items():
        assert usage["limit"] is None or usage["used"] <= usage["limit"], policy
