"""Seeded worlds hold every invariant, on the ledger in memory and on the real store, and replay byte for byte."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.e2e.cli import Cli
from tests.simulation.worlds import in_memory

from counterfoil.sim.survey import survey
from counterfoil.wiring import simulation_parts


@pytest.mark.req("SIM-01", "LED-01", "LED-02", "LED-03", "LED-05", "LED-06", "LED-09")
def test_a_few_seeds_hold_every_invariant() -> None:
    found = asyncio.run(survey(range(1, 26), in_memory()))
    assert found.failed == ()
    assert found.crashes > 20
    assert len(found.outcomes) > 5


@pytest.mark.slow
@pytest.mark.req("SIM-01", "GOV-05", "GOV-06", "GOV-08", "GOV-09", "GOV-14", "TSK-09", "TSK-10", "TSK-11", "TSK-13")
def test_many_seeds_visit_everything_on_the_real_store() -> None:
    found = asyncio.run(survey(range(1, 401), simulation_parts()))
    assert found.failed == ()
    assert found.unvisited == ()
    assert found.turns_median >= 12


@pytest.mark.slow
@pytest.mark.req("SIM-01")
def test_another_process_with_other_hashes_plays_the_same_events(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    first, second = (cli("simulate", "--seeds", "4", "--json", PYTHONHASHSEED=number).json for number in ("1", "2"))
    assert first["digest"] == second["digest"]
    assert first["failed"] == []
