"""Many seeds in one summary."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.simulation.worlds import in_memory

from counterfoil.core.record.state import RunState
from counterfoil.host import runner
from counterfoil.sim import survey as surveys
from counterfoil.sim.history import History
from counterfoil.sim.invariants import check
from counterfoil.sim.plan import plan_of
from counterfoil.sim.survey import places, play_once, survey


def test_a_survey_adds_up_its_seeds() -> None:
    told: list[int] = []
    found = asyncio.run(survey(range(5, 8), in_memory(), progress=told.append))
    assert (found.seeds, told, found.failed) == (3, [5, 6, 7], ())
    assert found.runs == sum(found.outcomes.values()) == sum(len(plan_of(seed).runs) for seed in (5, 6, 7))
    assert found.turns == found.visited["event: ModelCallReserved"]
    assert set(found.unvisited) == {p for p in places() if p not in found.visited and p not in found.outcomes}
    assert found.digest == asyncio.run(survey(range(5, 8), in_memory())).digest


def test_a_failing_seed_says_how_to_play_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_history: History) -> Iterator[str]:
        yield "broken on purpose"

    monkeypatch.setattr(check, "AFTER_A_COMMIT", (never,))
    found = asyncio.run(survey(range(5, 10), in_memory(), steps=40))
    assert [failed.seed for failed in found.failed] == [5, 6, 7, 8, 9]
    assert found.failed[0].replay == "counterfoil simulate --seeds 1 --seed 5 --steps 40"
    assert [failed.shrunk for failed in found.failed] == [True, True, True, False, False]
    assert found.failed[0].failure.invariant == "never"


def test_a_host_that_hangs_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surveys, "PATIENCE_SECONDS", 1)
    monkeypatch.setattr(runner, "decide", _for_ever)
    played = asyncio.run(play_once(plan_of(5), in_memory()))
    assert played.failure is not None
    assert played.failure.invariant == "the_host_comes_to_rest"


def _for_ever(_state: RunState, _now: int) -> object:
    while True:
        pass
