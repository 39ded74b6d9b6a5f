"""``counterfoil simulate`` as a person calls it."""

from __future__ import annotations

import pytest
from tests.e2e.cli import Cli


@pytest.mark.req("SIM-01")
def test_it_prints_what_it_played_and_that_everything_held(cli: Cli) -> None:
    done = cli("simulate", "--seeds", "2", "--seed", "5")
    assert done.code == 0, done.err
    for line in ("seeds             2", "crashes survived", "Runs ended as", "Every invariant held."):
        assert line in done.out
    assert done.err == ""


def test_json_is_one_object_and_steps_bound_a_run(cli: Cli) -> None:
    found = cli("simulate", "--seeds", "1", "--steps", "2", "--json").json
    assert found["seeds"] == 1
    assert found["steps"] <= 3 * 4  # three Runs at most, each cancelled at its second commit
    assert found["outcomes"].keys() <= {"cancelled", "refused at admission"}


@pytest.mark.parametrize(
    "bad", [("--seeds", "0"), ("--seeds", "x"), ("--seed", "-1"), ("--steps", "0"), ("--processes", "0"), ("now",)]
)
def test_bad_arguments_are_not_understood(cli: Cli, bad: tuple[str, ...]) -> None:
    assert cli("simulate", *bad).code == 2


def test_two_processes_find_what_one_finds(cli: Cli) -> None:
    def played(processes: str) -> dict[str, object]:
        found = cli("simulate", "--seeds", "6", "--steps", "30", "--processes", processes, "--json").json
        return {name: value for name, value in found.items() if name != "seconds"}

    assert played("2") == played("1")
