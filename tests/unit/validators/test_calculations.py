from __future__ import annotations

import pytest
from tests.unit.builders import make_calculation, make_candidate, make_state

from counterfoil.validators.calculations import Calculations

STATE = make_state(passages=["It costs $18.", "It cost $15 before."])


@pytest.mark.req("TSK-04")
def test_bound_calculations_pass() -> None:
    calc = make_calculation("(a - b) / b * 100", "20", "percent", a=("E1", "18"), b=("E2", "15"))
    assert Calculations().check(make_candidate("Up 20% [C1].", calculations=[calc]), STATE) == ()
    assert Calculations().check(make_candidate("Nothing."), STATE) == ()


@pytest.mark.req("TSK-04")
def test_unbound_ones_are_findings_cited_or_not() -> None:
    wrong = make_calculation("(a - b) / b * 100", "21", "percent", a=("E1", "18"), b=("E2", "15"))
    (finding,) = Calculations().check(make_candidate("Nothing.", calculations=[wrong]), STATE)
    assert finding.code == "CALCULATION_UNBOUND" and "20.00" in finding.needed
    made_up = make_calculation("a * 2", "38", "USD", a=("E1", "19"))
    (finding,) = Calculations().check(make_candidate("$38 [C1]", calculations=[made_up]), STATE)
    assert "$18" in finding.needed


def test_an_id_is_used_once() -> None:
    calc = make_calculation("a * 2", "36", "USD", a=("E1", "18"))
    (finding,) = Calculations().check(make_candidate("x", calculations=[calc, calc]), STATE)
    assert "own" in finding.needed
