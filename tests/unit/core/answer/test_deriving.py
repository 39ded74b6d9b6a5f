from __future__ import annotations

import pytest
from tests.unit.builders import make_state

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.deriving import moments_of
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.answer.verdict import Verdict
from counterfoil.core.text.quantities import find_quantities

STATE = make_state("q", ["Plan A costs $9 a month, plan B $19 a month; activation costs $15."])


@pytest.mark.req("TSK-07")
def test_a_figure_may_rest_on_one_that_was_derived_before_it() -> None:
    body = "Plan A is $10 cheaper than plan B ($9 against $19), or $120 over a year (12 × $10) [E1]."
    figures = judge_figures(body, Base(STATE.contract, STATE.evidence))
    assert {f.quantity.text: f.state for f in figures if f.quantity.text in ("$10", "$120")} == {
        "$10": "bound", "$120": "bound",
    }  # fmt: skip


def test_only_times_that_hold_are_moments() -> None:
    (first, second) = find_quantities("from 8:00 to 17:30")
    verdicts = [Verdict(first, Beside(), "bound", "E1"), Verdict(second, Beside(), "mismatch")]
    assert [m.text for m in moments_of(verdicts)] == ["8:00"]
