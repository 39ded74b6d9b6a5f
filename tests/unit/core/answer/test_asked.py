from __future__ import annotations

from decimal import Decimal

from counterfoil.core.answer.asked import Asked
from counterfoil.core.answer.contract import Contract, Field
from counterfoil.core.text.quantities import find_quantities


def test_the_task_may_be_repeated_but_its_bare_numbers_are_no_prices() -> None:
    asked = Asked(Contract("What do 30 rides in FY2018 cost, at most $500?", period="3 days"), "2026-06-30")
    named = {q.text: asked.names(q) for q in find_quantities("30 rides, $500, 500, 3 days, $30, 30%, $501")}
    assert named == {"30": True, "$500": True, "500": True, "3 days": True, "$30": False, "30%": False, "$501": False}
    assert {2018, 2026} <= asked.years


def test_the_scale_asked_for_is_that_of_the_question_or_the_field() -> None:
    assert Asked(Contract("What was revenue, in USD millions?"), "").scale == Decimal(10) ** 6
    assert Asked(Contract("q", fields=(Field("revenue", scale="thousands"),)), "").scale == 1000
    assert Asked(Contract("q"), "").scale is None
