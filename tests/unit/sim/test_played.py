"""Worlds add up."""

from counterfoil.sim.played import Failure, Played


def test_several_worlds_are_sums_with_the_first_failure() -> None:
    failure = Failure(2, "this", "…", 3, ())
    one = Played(1, 2, 3, 4, {"expired": 1}, {"model: prose": 1}, "a")
    other = Played(10, 20, 30, 40, {"expired": 1, "cancelled": 2}, {"model: prose": 2}, "b", failure)
    later = Played(0, 0, 0, 0, {}, {}, "c", Failure(1, "that", "…", 1, ()))
    both = Played.together((one, other, later))
    assert (both.runs, both.steps, both.turns, both.crashes) == (11, 22, 33, 44)
    assert (both.outcomes, both.visited) == ({"expired": 2, "cancelled": 2}, {"model: prose": 3})
    assert both.failure == failure
    assert both.digest != Played.together((other, one, later)).digest
