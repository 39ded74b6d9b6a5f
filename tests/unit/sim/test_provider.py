"""Providers fail as planned, then the adversary speaks."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.unit.sim.histories import ALL
from tests.unit.sim.lives import asking, life_of, process_of
from tests.unit.sim.views import view_of

from counterfoil.core.errors import ModelError
from counterfoil.core.exchange import Completion, ModelLimits, TokenUsage, ToolSpec
from counterfoil.sim.plan import FaultKind, Trouble
from counterfoil.sim.process import Crash
from counterfoil.sim.provider import SimModel


@pytest.fixture(autouse=True)
def _any_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """No Host stands behind these requests, so nothing recorded them."""
    monkeypatch.setattr("counterfoil.sim.process.at_an_effect", lambda *_: None)


LIMITS = ModelLimits(8000, 120_000)
OFFERED = tuple(ToolSpec(name, "", {}, "pure", ("research",)) for name in ALL)


async def complete(*faults: FaultKind, trouble: tuple[Trouble, ...] = ()) -> Completion:
    life = life_of(*trouble, history=asking(), faults=faults)
    process = process_of(life)
    async with process.clock.timeout(LIMITS.attempt_ms_max):
        return await SimModel(process, 1).complete(view_of(), OFFERED, LIMITS)


@pytest.mark.parametrize(
    ("fault", "category"),
    [
        ("rate_limited", "upstream_rate_limited"),
        ("cut", "stream_interrupted"),
        ("truncated", "output_truncated"),
        ("auth_refused", "auth_refused"),
        ("content_refused", "content_refused"),
        ("locally_refused", "local_budget_exhausted"),
    ],
)
def test_a_fault_has_its_category(fault: FaultKind, category: str) -> None:
    with pytest.raises(ModelError) as failed:
        asyncio.run(complete(fault))
    assert failed.value.category == category


def test_slow_is_slower_than_an_attempt_may_be_and_a_defect_is_no_model_error() -> None:
    with pytest.raises(TimeoutError):
        asyncio.run(complete("slow"))
    with pytest.raises(ValueError, match="defect"):
        asyncio.run(complete("defect"))
    assert isinstance(asyncio.run(complete()), Completion)


def test_a_request_is_priced_by_what_it_may_spend_where_somebody_knows_a_price() -> None:
    life = life_of()
    model = SimModel(process_of(life), 1)
    assert model.worst("research", 5_000, 800) == TokenUsage(500, 800)
    life.plan = replace(life.plan, priced=True)
    assert model.usd(TokenUsage(500, 800)) == pytest.approx(0.009)
    life.plan = replace(life.plan, priced=False)
    assert model.usd(TokenUsage(500, 800)) is None


def test_a_process_can_die_while_the_model_works() -> None:
    with pytest.raises(Crash):
        asyncio.run(complete(trouble=(Trouble(1, "crash"),)))
