"""A failing world gets smaller and still fails."""

import asyncio
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from tests.simulation.worlds import in_memory, played

from counterfoil.core.record import events as e
from counterfoil.sim.history import History
from counterfoil.sim.invariants import check
from counterfoil.sim.plan import Plan, Trouble, plan_of
from counterfoil.sim.played import Failure
from counterfoil.sim.shrink import described, shrink, smaller
from counterfoil.sim.survey import play_once


def no_page_is_ever_read(history: History) -> Iterator[str]:
    """Broken on purpose."""
    if history.of(e.EvidenceRead):
        yield "a page was read"


@pytest.mark.req("SIM-01")
def test_what_does_not_matter_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "AFTER_A_COMMIT", (*check.AFTER_A_COMMIT, no_page_is_ever_read))
    plan, parts = plan_of(34), in_memory()
    failure = played(plan, parts).failure
    assert failure is not None

    async def fails(candidate: Plan) -> Failure | None:
        return (await play_once(candidate, parts)).failure

    small, again = asyncio.run(shrink(plan, failure, fails))
    assert again.invariant == failure.invariant == "no_page_is_ever_read"
    assert played(small, parts).failure == again
    (run,) = small.runs
    assert (len(small.pages), run.troubles, run.faults, run.limits) == (1, (), (), {})
    assert len(run.contract.rows) == 1
    assert small.steps <= again.step + 1 < plan.steps
    shown = "\n".join(described(small))
    assert small.pages[0].name in shown
    assert run.adversary in shown


def test_a_world_is_described_with_its_troubles() -> None:
    plan = plan_of(20)
    troubles = (Trouble(3, "narrow", 500, {"web/searches": 1}), Trouble(9, "pause"))
    shown = described(replace(plan, runs=(replace(plan.runs[0], troubles=troubles),)))
    assert shown[-2:] == ("  moment 3: narrow 500 ms web/searches=1", "  moment 9: pause")


def test_another_failure_is_not_taken_for_the_same_one() -> None:
    plan = plan_of(20)
    failure = Failure(plan.runs[0].number, "this", "…", 3, ())

    async def fails(_candidate: Plan) -> Failure | None:
        return Failure(1, "that", "…", 3, ())

    assert asyncio.run(shrink(plan, failure, fails)) == (plan, failure)


def test_it_gives_up_after_so_many_tries() -> None:
    plan, tries = plan_of(20), []
    failure = Failure(plan.runs[0].number, "this", "…", 3, ())

    async def fails(candidate: Plan) -> Failure | None:
        tries.append(candidate)
        return None

    asyncio.run(shrink(plan, failure, fails, tries=7))
    assert len(tries) == 7


def test_every_smaller_plan_has_less() -> None:
    plan = plan_of(20)
    for less in smaller(plan, Failure(plan.runs[0].number, "this", "…", 3, ())):
        assert less != plan
        assert len(described(less)) <= len(described(plan))
