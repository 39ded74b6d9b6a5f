"""Names of processes tell the dead from the living."""

import os
from pathlib import Path

import pytest

from counterfoil.adapters.holders import LocalHolders


@pytest.mark.req("LED-06")
def test_this_process_is_alive_and_one_that_ended_is_not() -> None:
    holders = LocalHolders()
    assert holders.alive(holders.own())
    child = os.fork()
    if child == 0:
        os._exit(0)
    machine, boot, space, _, start = holders.own().split("/")
    os.waitpid(child, 0)
    assert not holders.alive(f"{machine}/{boot}/{space}/{child}/{start}")


def test_a_reused_process_id_or_another_start_of_the_machine_is_somebody_else() -> None:
    holders = LocalHolders()
    machine, boot, space, pid, start = holders.own().split("/")
    assert not holders.alive(f"{machine}/{boot}/{space}/{pid}/{int(start) + 1}")
    assert not holders.alive(f"{machine}/other/{space}/{pid}/{start}")


def test_of_another_machine_or_container_nothing_is_known() -> None:
    holders = LocalHolders()
    machine, boot, _, pid, start = holders.own().split("/")
    assert holders.alive(f"elsewhere/{boot}/1/{pid}/{start}")
    assert holders.alive(f"{machine}/{boot}/1/{pid}/{start}")


@pytest.mark.parametrize("name", ["", "x", "a/b/c", "//"])
def test_a_name_that_is_none_is_nobody(name: str) -> None:
    assert not LocalHolders().alive(name)


def test_a_system_without_proc_still_has_names(tmp_path: Path) -> None:
    holders = LocalHolders(tmp_path, tmp_path / "none", "here")
    assert holders.own() == f"here/unknown/0/{os.getpid()}/0"
    assert holders.alive(holders.own())
