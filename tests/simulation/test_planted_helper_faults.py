"""A defect planted in what concerns helpers is found by the simulation, and by an invariant that is there for it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace
from tests.simulation.test_planted_faults import Plant
from tests.simulation.worlds import first_failure, played

from counterfoil.core.law.budget import Budget
from counterfoil.core.law.carving import carve
from counterfoil.core.record import evolve, rejoining
from counterfoil.core.record import helpers as h
from counterfoil.core.record.helpers import Helper
from counterfoil.core.record.rejoining import HelperEnd
from counterfoil.core.record.state import RunState
from counterfoil.host import host, parallel, recovery, runner
from counterfoil.host.tenure import Tenure

SEEDS = range(1, 501)


def return_a_budget_twice(patch: pytest.MonkeyPatch) -> None:
    right = evolve._FOLDS[h.BudgetReturned]
    patch.setitem(evolve._FOLDS, h.BudgetReturned, lambda s, event, at: right(right(s, event, at), event, at))


def return_the_whole_carve(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rejoining, "unused", lambda carved, _used: dict(carved))


def debit_no_carve(patch: pytest.MonkeyPatch) -> None:
    def free(state: RunState, event: h.BudgetCarved, _at: int) -> RunState:
        helpers = (replace(one, carve=event.carve) if one.id == event.helper else one for one in state.helpers)
        return replace(state, helpers=tuple(helpers))

    patch.setitem(evolve._FOLDS, h.BudgetCarved, free)


def carve_out_everything_for_each(patch: pytest.MonkeyPatch) -> None:
    right = carve
    patch.setattr(
        parallel, "carve", lambda budget, consumed, shares: right(budget, consumed, [Fraction(1) for _ in shares])
    )


def let_helpers_have_their_parents_limits(patch: pytest.MonkeyPatch) -> None:
    right = parallel._limits
    patch.setattr(parallel, "_limits", lambda state, _carved, now: right(state, {}, now))


def begin_a_helper_again(patch: pytest.MonkeyPatch) -> None:
    """A helper that is under way is taken up by its parent twice."""
    right = parallel.Helpers._driven

    async def twice(self: parallel.Helpers, state: RunState, helper: Helper) -> Any:
        if await self._ledger.stored(helper.id):
            await right(self, state, helper)
        child, head = await right(self, state, helper)
        host_of = self._hosts(state, helper.number, None)
        if child.settled and child.epoch > 1:
            task = parallel.task_of(state, helper.contract, helper.limits)
            return await host_of.begin(task, f"{state.run_id}/{helper.number + 4}", self._pause)
        return child, head

    patch.setattr(parallel.Helpers, "_driven", twice)


def check_no_lease_of_a_helper(patch: pytest.MonkeyPatch) -> None:
    right = Tenure.require

    async def trust(self: Tenure) -> None:
        if "/" not in self._run_id:
            await right(self)

    patch.setattr(Tenure, "require", trust)


def drop_a_failed_part(patch: pytest.MonkeyPatch) -> None:
    right = rejoining.rejoined

    def silent(state: RunState, call_id: str, ends: tuple[HelperEnd, ...]) -> Any:
        content, events = right(state, call_id, ends)
        return {**content, "parts": [part for part in content["parts"] if part["status"] != "failed"]}, events

    patch.setattr("counterfoil.host.perform.rejoined", silent)


def call_a_broken_helper_done(patch: pytest.MonkeyPatch) -> None:
    right = parallel.Helpers._broken

    async def silent(self: parallel.Helpers, helper: Helper, why: str) -> HelperEnd:
        return replace(await right(self, helper, why), broke="")

    patch.setattr(parallel.Helpers, "_broken", silent)


def let_helpers_split(patch: pytest.MonkeyPatch) -> None:
    def nested(self: host.Host, parent: RunState, number: int, child: RunState | None) -> Any:
        made: Any = right(self, parent, number, child)
        made._host._tools = self._tools
        return made

    right = host.Host._helper
    patch.setattr(host.Host, "_helper", nested)


def call_the_work_of_helpers_idle(patch: pytest.MonkeyPatch) -> None:
    async def only_its_own(_ledger: object, _state: RunState, last_at: int) -> int:
        return last_at

    patch.setattr(host, "worked_until", only_its_own)


def abandon_a_split(patch: pytest.MonkeyPatch) -> None:
    right = runner.abandon_effects

    def all_of_them(journal: Any) -> None:
        state = journal.state
        journal.state = replace(state, helpers=())
        right(journal)
        journal.state = replace(journal.state, helpers=state.helpers)

    patch.setattr(recovery, "abandon_effects", all_of_them)


def count_no_requests_of_helpers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Budget, "carved", lambda self, units: self.debit(units))


PLANTS: Sequence[tuple[Plant, set[str]]] = (
    (return_a_budget_twice, {"usage_is_the_sum_of_debits"}),
    (return_the_whole_carve, {"what_is_returned_was_not_used"}),
    (debit_no_carve, {"usage_is_the_sum_of_debits"}),
    (carve_out_everything_for_each, {"carves_leave_the_reserve", "usage_stays_within_limits"}),
    (let_helpers_have_their_parents_limits, {"helpers_stay_within_their_carve"}),
    (begin_a_helper_again, {"helpers_begin_after_they_were_admitted"}),
    (check_no_lease_of_a_helper, {"effects_need_a_lease"}),
    (drop_a_failed_part, {"every_part_is_told"}),
    (call_a_broken_helper_done, {"ends_of_helpers_are_true"}),
    (let_helpers_split, {"helpers_have_no_helpers"}),
    (call_the_work_of_helpers_idle, {"idle_time_is_what_nobody_worked"}),
    (abandon_a_split, {"every_part_is_told"}),
    (count_no_requests_of_helpers, {"usage_is_the_sum_of_debits"}),
)


@pytest.mark.slow
@pytest.mark.req("SIM-01", "QC-07")
@pytest.mark.parametrize(("plant", "invariants"), PLANTS, ids=[plant.__name__ for plant, _ in PLANTS])
def test_a_planted_fault_is_found_and_replays(
    plant: Plant, invariants: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    found = first_failure(SEEDS)
    assert found is not None
    plan, failure = found
    assert failure.invariant in invariants, failure
    assert played(plan).failure == failure
