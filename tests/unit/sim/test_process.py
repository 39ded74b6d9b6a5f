"""Processes die whole, and troubles come at their moment."""

import asyncio

import pytest
from tests.unit.sim.lives import life_of, process_of

from counterfoil.sim.history import Effect
from counterfoil.sim.invariants.check import Violation
from counterfoil.sim.plan import Trouble
from counterfoil.sim.process import BEFORE, MOMENTS_MAX, Crash, Process, SeenClock, SimHolders, SimIds


def test_a_crash_comes_at_its_moment_and_every_port_is_dead_after_it() -> None:
    life = life_of(Trouble(2, "crash", 5_000))
    process = process_of(life)
    asyncio.run(process.moment(BEFORE))
    with pytest.raises(Crash):
        asyncio.run(process.moment(BEFORE))
    assert (life.crashes, life.time.passed) == (1, 5_000)
    with pytest.raises(Crash):
        asyncio.run(process.moment(BEFORE))
    with pytest.raises(Crash):
        process.own.cause(Effect("model", 1, 0))
    assert life.moments == 2


def test_holders_know_who_lives() -> None:
    life = life_of()
    first, second = process_of(life), process_of(life)
    assert SimHolders(first).own() == first.name != second.name
    assert SimHolders(second).alive(first.name)
    first.crash()
    assert not SimHolders(second).alive(first.name)
    assert SimIds("r-1").run_id() == "r-1"


def test_a_jump_moves_clocks_and_an_interrupt_cancels_the_task() -> None:
    life = life_of(Trouble(1, "jump", -2_000), Trouble(2, "interrupt", 5_000))
    process = process_of(life)

    async def work() -> None:
        await process.moment("model")
        assert process.clock.now_ms() == -1_000
        await process.moment("model")
        raise AssertionError("an interrupt inside an effect arrives at once")

    async def run() -> None:
        process.task = asyncio.ensure_future(work())
        await process.task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert (life.idle_ms, process.pause.is_set()) == (5_000, False)


def test_a_pause_is_asked_for_and_stops_nothing() -> None:
    life = life_of(Trouble(1, "pause", 5_000))
    process = process_of(life)
    asyncio.run(process.moment(BEFORE))
    assert (life.idle_ms, process.pause.is_set(), process.alive) == (5_000, True, True)


def test_whoever_goes_on_after_a_change_of_limits_has_them() -> None:
    life = life_of(Trouble(1, "narrow", 0, {"web/searches": 1}))
    process = process_of(life)
    with pytest.raises(Crash):
        asyncio.run(process.moment(BEFORE))
    assert (life.resumed_with, process.alive) == ({"web/searches": 1}, False)


def test_whoever_goes_on_after_a_rewording_has_the_next_revision() -> None:
    life = life_of(Trouble(1, "reword"))
    with pytest.raises(Crash):
        asyncio.run(process_of(life).moment(BEFORE))
    assert life.revision == 1


def test_a_process_can_die_while_its_host_waits() -> None:
    life = life_of(Trouble(1, "crash"))
    process = process_of(life)
    with pytest.raises(Crash):
        asyncio.run(SeenClock(process).sleep_until(5_000))
    assert process.clock.now_ms() == 3_000  # it began at 1 000
    assert life.visited["crash in wait"] == 1


def test_a_caller_who_is_out_of_patience_cancels_from_outside_where_that_is_possible() -> None:
    life, left = life_of(), list[bool]()

    async def cancel(_process: Process) -> None:
        left.append(life.leaving)

    asyncio.run(life.leave(process_of(life)))
    life.others = {"cancel": cancel}
    asyncio.run(life.leave(process_of(life)))
    assert (left, life.leaving) == ([True], False)


def test_all_of_a_process_stands_still_while_another_acts() -> None:
    life = life_of(Trouble(1, "rival"))
    process, order = process_of(life), list[str]()

    async def rival(stopped: Process) -> None:
        order.append("rival begins")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        order.append("rival ends")

    async def call(name: str) -> None:
        await process.moment("tool")
        order.append(name)

    async def run() -> None:
        await asyncio.gather(call("first"), call("second"))

    life.others = {"rival": rival}
    asyncio.run(run())
    assert order[:2] == ["rival begins", "rival ends"]
    assert sorted(order[2:]) == ["first", "second"]


def test_the_first_violation_is_kept_and_stops_everything() -> None:
    life = life_of()
    process = process_of(life)
    for name in ("first", "second"):
        with pytest.raises(Crash):
            life.violate(Violation(name, "…"))
    assert life.violation is not None
    assert life.violation.invariant == "first"
    with pytest.raises(Crash):
        asyncio.run(process.moment(BEFORE))


def test_a_run_that_never_ends_is_a_violation() -> None:
    life = life_of()
    life.moments = MOMENTS_MAX
    with pytest.raises(Crash):
        asyncio.run(process_of(life).moment(BEFORE))
    assert life.violation is not None
    assert life.violation.invariant == "every_run_ends"
