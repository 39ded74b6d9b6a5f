"""A world is played to its end, the same way each time."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.simulation.worlds import in_memory, played
from tests.unit.sim.views import run_of

from counterfoil.core.errors import InternalError
from counterfoil.host.host import Host
from counterfoil.sim.plan import CITIES, Fault, Page, Plan, RunPlan, Trouble, TroubleKind, plan_of
from counterfoil.sim.play import play
from counterfoil.wiring import simulation_parts

CITY = "\n\nThe day pass of {0} costs $18.\n\n{0} runs 40 stations."
PAGES = (Page("passes.test/1", "# Passes" + "".join(CITY.format(name) for name in CITIES)),)


def world(*troubles: Trouble, run: RunPlan | None = None) -> Plan:
    """One competent Run over one page."""
    quiet = replace(
        run or run_of(), troubles=troubles, faults=(), limits={}, search="honest", caller="absent", purged=False
    )
    return Plan(1, 150, PAGES, (quiet,))


@pytest.mark.req("SIM-01")
def test_a_seed_gives_the_same_events_byte_for_byte() -> None:
    digests = [played(plan_of(seed)).digest for seed in (3, 3, 4)]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.req("SIM-01")
def test_the_store_changes_nothing(tmp_path: Path) -> None:
    on_disk = asyncio.run(play(plan_of(5), simulation_parts(), tmp_path))
    in_store = played(plan_of(5))
    assert on_disk.failure is None
    assert (on_disk.digest, on_disk.visited, on_disk.steps) == (in_store.digest, in_store.visited, in_store.steps)


@pytest.mark.req("LED-05")
def test_a_run_that_crashes_at_every_moment_still_ends() -> None:
    done = played(world(*(Trouble(moment, "crash") for moment in range(1, 60, 3))))
    assert done.failure is None
    assert done.crashes == 20
    assert sum(done.outcomes.values()) == 1


@pytest.mark.req("LED-06")
def test_a_second_process_is_refused_beside_a_living_one_and_takes_over_from_a_stopped_one() -> None:
    rival = played(world(Trouble(5, "rival")))
    assert rival.failure is None
    assert rival.visited["process: refused beside a living one"] == 1
    stopped = played(world(Trouble(6, "takeover")))
    assert stopped.failure is None
    assert stopped.visited["process: lost its lease and stopped"] == 1


@pytest.mark.parametrize("kind", ["pause", "interrupt"])
def test_a_paused_run_goes_on_from_where_it_was(kind: TroubleKind) -> None:
    done = played(world(Trouble(5, kind, 3_600_000), Trouble(17, kind)))
    assert done.failure is None
    assert (done.visited["event: RunPaused"], done.visited["event: RunResumed"]) == (2, 2)
    assert done.outcomes == played(world()).outcomes


@pytest.mark.req("GOV-14")
def test_a_run_may_be_stopped_while_a_person_looks_at_the_contract() -> None:
    bare = replace(run_of(), entry=True, contract=replace(run_of().contract, rows=(), fields=()))
    leaving = replace(world(run=bare).runs[0], caller="leaves")
    done = played(Plan(1, 150, PAGES, (leaving,)))
    assert (done.failure, done.visited["event: RunPaused"], done.visited["event: ContractConfirmed"]) == (None, 1, 1)
    for moment in range(1, 12):
        stopped = replace(leaving, caller="accepts", troubles=(Trouble(moment, "interrupt", 5_000),))
        assert played(Plan(1, 150, PAGES, (stopped,))).failure is None


def test_a_lower_limit_narrows_a_resumed_run_and_a_higher_one_does_not() -> None:
    narrow = played(world(Trouble(5, "narrow", 0, {"run/model-requests": 7})))
    assert narrow.failure is None
    assert narrow.turns < played(world()).turns
    wide = played(world(Trouble(5, "widen", 0, {"run/model-requests": 500})))
    assert (wide.failure, wide.visited["process: refused a wider limit"]) == (None, 1)


@pytest.mark.req("GOV-11")
def test_a_resumed_run_may_have_other_prompts() -> None:
    done = played(world(Trouble(5, "reword"), Trouble(12, "crash"), Trouble(20, "reword")))
    assert (done.failure, done.crashes, done.visited["event: RunRecovered"]) == (None, 3, 3)
    assert done.outcomes == played(world()).outcomes


def test_anybody_may_take_a_run_whose_lease_is_over() -> None:
    slow = replace(run_of(), latency_ms=50, faults=(Fault(1, "slow"),))
    plan = world(Trouble(4, "rival"))  # before the commit that follows the first request
    taken = played(replace(plan, runs=(replace(plan.runs[0], faults=slow.faults),)))
    assert taken.failure is None
    assert taken.visited["process: took over when the lease was over"] == 1


def test_a_purged_run_still_verifies() -> None:
    plan = world()
    done = played(replace(plan, runs=(replace(plan.runs[0], purged=True),)))
    assert (done.failure, done.visited["event: BlobPurged"]) == (None, 1)


def test_a_cancelled_run_and_one_out_of_patience_end_as_cancelled() -> None:
    cancelled = played(world(Trouble(5, "cancel")))
    assert (cancelled.failure, cancelled.outcomes) == (None, {"cancelled": 1})
    assert cancelled.visited["process: lost its lease and stopped"] == 1
    assert played(replace(world(), steps=2)).outcomes == {"cancelled": 1}
    declined = replace(run_of(), entry=True, contract=replace(run_of().contract, rows=(), fields=()), caller="declines")
    plan = world(run=declined)
    assert played(replace(plan, runs=(replace(plan.runs[0], caller="declines"),))).outcomes == {"cancelled": 1}


def test_limits_that_do_not_hold_together_are_refused() -> None:
    run = replace(world().runs[0], limits={"run/model-requests": 3})
    assert played(Plan(1, 150, PAGES, (run,))).outcomes == {"refused at admission": 1}


def test_a_host_that_breaks_down_is_a_failure_with_its_events(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Host._drive

    async def broken(self: Host, *args: object) -> object:
        await right(self, *args)  # type: ignore[arg-type]  # passed on as they came
        raise InternalError("broken", code="BROKEN")

    monkeypatch.setattr(Host, "_drive", broken)
    failure = played(world()).failure
    assert failure is not None
    assert (failure.invariant, "BROKEN" in failure.what, len(failure.events)) == ("the_host_goes_on", True, 12)


def test_every_run_of_a_world_is_counted() -> None:
    plan = plan_of(5)
    done = asyncio.run(play(plan, in_memory(), Path("unused")))
    assert done.runs == len(plan.runs) == sum(done.outcomes.values())
    assert done.turns == done.visited["event: ModelCallReserved"]
