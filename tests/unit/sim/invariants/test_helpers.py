"""What must hold between a Run and its helpers fails where a budget, an end or a part is not told as it is."""

from __future__ import annotations

import pytest
from tests.unit.core.record.folding import CONTRACT, begun
from tests.unit.sim.histories import admitted, answered, asked, commit, said

from counterfoil.core.record import events as e
from counterfoil.core.record import helpers as h
from counterfoil.sim.history import Effect, History
from counterfoil.sim.invariants import helpers
from counterfoil.sim.tally import SPLIT

CARVE: dict[str, int | float] = {"run/model-requests": 8, "web/searches": 3}
ONE, TWO = "r1/1", "r1/2"
OVER = e.RunSettled("completed", "finish_accepted", None, True, True, "not_run")


def split(*names: str, carve: dict[str, int | float] = CARVE) -> History:
    """A Run that has just split its work over helpers with these ids."""
    history = commit(admitted(), asked("m1", tools=(SPLIT,)))
    parts: list[e.Event] = []
    for place, name in enumerate(names, 1):
        parts += [h.HelperAdmitted("c1", place, name, CONTRACT, {}), h.BudgetCarved("c1", name, carve)]
    return commit(history, *answered("m1", ("c1", SPLIT)), e.ToolCallReserved("c1", {}), *parts)


def begin(history: History, limits: dict[str, int | float] | None = None) -> History:
    """The first helper, admitted; ``commit`` names every Run r1, which only the store would mind."""
    helper = history.helper("r1")
    history.tally.helpers["r1"] = history.tally.helpers[ONE]
    return commit(helper, e.RunAdmitted(begun(limits or dict(CARVE)).snapshot), e.LeaseTaken("p1", 1))


def end(name: str, returned: dict[str, int | float] = CARVE, why: str = "it broke") -> tuple[e.Event, ...]:
    return h.HelperSettled("c1", name, "failed", "internal", "", why), h.BudgetReturned("c1", name, returned)


def receipt(*statuses: str) -> e.ToolCallSettled:
    return e.ToolCallSettled("c1", {"parts": [{"status": status} for status in statuses]})


def test_a_lawful_history_keeps_them_all() -> None:
    history = split(ONE, TWO)
    assert [said(invariant, history) for invariant in helpers.INVARIANTS] == [""] * len(helpers.INVARIANTS)
    commit(history, *end(ONE), *end(TWO), receipt("failed", "failed"))
    assert [said(invariant, history) for invariant in helpers.INVARIANTS] == [""] * len(helpers.INVARIANTS)


def test_a_carve_beyond_what_research_has_left_is_found() -> None:
    assert "from the reserve" in said(
        helpers.carves_leave_the_reserve, split(ONE, TWO, carve={"run/model-requests": 10_000})
    )


def test_a_helper_with_wider_limits_is_found() -> None:
    helper = begin(split(ONE, TWO))
    assert said(helpers.helpers_stay_within_their_carve, helper) == ""
    wide = begin(split(ONE, TWO), {**CARVE, "web/searches": 9})
    assert "may use 9 of web/searches, carved are 3" in said(helpers.helpers_stay_within_their_carve, wide)


def test_helpers_of_helpers_and_splits_of_a_wrong_size_are_found() -> None:
    assert "split into 1 parts" in said(helpers.helpers_have_no_helpers, split(ONE))
    nested = commit(begin(split(ONE, TWO)), h.HelperAdmitted("c1", 1, "r1/1/1", CONTRACT, {}))
    assert "a helper has helpers" in said(helpers.helpers_have_no_helpers, nested)


def test_a_helper_that_nobody_admitted_or_that_goes_on_after_its_end_is_found() -> None:
    history = split(ONE, TWO)
    helper = begin(history)
    assert said(helpers.helpers_begin_after_they_were_admitted, helper) == ""
    effect = Effect("model", 1, 2)
    assert list(helpers.helpers_do_nothing_after_their_end(helper, effect)) == []
    commit(history, h.HelperSettled("c1", "r1", "failed", "internal", "", "it broke"))
    (flaw,) = helpers.helpers_do_nothing_after_their_end(helper, effect)
    assert "down as failed" in flaw
    stray = commit(admitted().helper("r1"), e.RunAdmitted(begun().snapshot))
    assert "nobody admitted" in said(helpers.helpers_begin_after_they_were_admitted, stray)


@pytest.mark.parametrize(
    ("events", "told"),
    [
        (end(ONE, why=""), "nothing says what broke it"),
        ((h.HelperSettled("c1", ONE, "completed", "internal", "", "broke"),), "is told as completed"),
        ((h.HelperSettled("c1", ONE, "failed", "internal", "1", "broke"),), "recorded is 1"),
        ((*end(ONE), *end(ONE)), "recorded again"),
    ],
)
def test_an_end_that_is_not_so_is_found(events: tuple[e.Event, ...], told: str) -> None:
    assert told in said(helpers.ends_of_helpers_are_true, commit(split(ONE, TWO), *events))


def test_an_end_other_than_the_helpers_own_is_found() -> None:
    history = split(ONE, TWO)
    commit(begin(history), OVER)
    wrong = h.HelperSettled("c1", "r1", "failed", "finish_accepted", history.helpers["r1"].records[-1].stored.hash)
    assert "it ended as ('completed'" in said(helpers.ends_of_helpers_are_true, commit(history, wrong))


def test_a_budget_that_comes_back_twice_or_wrong_or_not_at_all_is_found() -> None:
    less = {**CARVE, "web/searches": 2}
    assert "used 0 and returned 2 of 3" in said(
        helpers.what_is_returned_was_not_used, commit(split(ONE, TWO), *end(ONE, less))
    )
    twice = commit(split(ONE, TWO), *end(ONE), end(ONE)[1])
    assert "gave its budget back 2 times" in said(helpers.what_is_returned_was_not_used, twice)
    kept = commit(split(ONE, TWO), end(ONE, why="")[0])
    assert "nothing of its carve came back" in said(helpers.what_is_returned_was_not_used, kept)


def test_a_part_that_is_left_out_is_found() -> None:
    dropped = commit(split(ONE, TWO), *end(ONE), *end(TWO), receipt("failed"))
    assert "its model is told ['failed']" in said(helpers.every_part_is_told, dropped)
    assert f"settled before ['{ONE}', '{TWO}']" in said(helpers.every_part_is_told, commit(split(ONE, TWO), OVER))
