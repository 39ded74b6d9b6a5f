"""A plan is everything that a seed decides."""

from collections import Counter
from typing import get_args

import msgspec
import pytest

from counterfoil.core.law.demands import Demands
from counterfoil.core.law.path_proof import examine_path
from counterfoil.core.law.policy import effective
from counterfoil.sim.plan import ADVERSARIES, LASTING, PASSING, PLANTED, Plan, TroubleKind, plan_of
from counterfoil.wiring import catalogue


@pytest.mark.req("SIM-01")
def test_a_seed_has_one_plan_that_can_be_written_down() -> None:
    plan = plan_of(11)
    assert plan_of(11) == plan != plan_of(12)
    assert msgspec.json.decode(msgspec.json.encode(plan), type=Plan) == plan


def test_seeds_hold_every_adversary_fault_and_trouble() -> None:
    plans = [plan_of(seed) for seed in range(200)]
    runs = [run for plan in plans for run in plan.runs]
    assert {run.adversary for run in runs} == set(ADVERSARIES)
    assert {fault.kind for run in runs for fault in run.faults} == {*PASSING, *LASTING}
    troubles = Counter(trouble.kind for run in runs for trouble in run.troubles)
    assert min(troubles[kind] for kind in get_args(TroubleKind)) > 20
    assert {jump.ms < 0 for run in runs for jump in run.troubles if jump.kind == "jump"} == {True, False}
    assert any(sentence in page.text for plan in plans for page in plan.pages for sentence in PLANTED)
    assert any(page.failing for plan in plans for page in plan.pages)


def test_most_limits_hold_together_and_some_do_not() -> None:
    runs = [run for seed in range(200) for run in plan_of(seed).runs]
    proofs = [
        examine_path(effective(catalogue(), run.limits), Demands(entry=run.entry, models=run.fallbacks + 1)).holds
        for run in runs
    ]
    assert 0.8 < sum(proofs) / len(proofs) < 1
    assert {run.fallbacks for run, holds in zip(runs, proofs, strict=True) if holds} == {0, 1, 2}
