from __future__ import annotations

from decimal import Decimal

from tests.unit.builders import make_evidence, make_fact, row_passage

from counterfoil.core.answer.held import described, of_cited, of_evidence


def test_a_cell_has_the_words_and_the_period_that_name_it() -> None:
    row = row_passage("Single", [("14.00", "2024 | Adult")], multiplier="1", unit="GBP", section="Fares")
    (held,) = of_evidence(make_evidence(row))
    assert {"adult", "fare"} <= held.words and held.periods[0].year == 2024 and held.is_row
    assert described(held) == '[E1] 14.00 (GBP, "Fares Single", column "2024 Adult")'


def test_a_number_in_prose_has_its_own_words_and_period() -> None:
    five, six = (
        h for h in of_evidence(make_evidence("Sales were $5 in 2021; costs were $6 in 2022.")) if h.amount.unit
    )
    assert five.periods[0].year == 2021 and six.periods[0].year == 2022 and not five.words & six.words


def test_facts_count_where_all_that_they_rest_on_is_cited() -> None:
    fact = make_fact("14.9", "percent", kind="calculation", evidence=["E1", "E2"])
    for ids, count in ((("E1",), 0), (("E1", "E2"), 1), (("F1",), 1)):
        found = list(of_cited(ids, (), (fact,), (), lambda _: None))
        assert len(found) == count and all(h.amount.scaled == Decimal("14.9") for h in found)
