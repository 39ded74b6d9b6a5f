from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_evidence, make_fact, row_passage

from counterfoil.core.answer.held import Held, Shelf, described, of_cited, of_evidence
from counterfoil.core.evidence.passages import Passage
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.quantities import find_quantities
from counterfoil.core.text.spelled import find_spelled


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


def test_a_shelf_reads_the_words_beside_numbers_only_where_one_is_near() -> None:
    texts = ("Sales were $5 million.", "Costs were $6 million, after two weeks.", "Nobody counted the staff.")
    passages = [replace(make_evidence(text), id=f"E{at}") for at, text in enumerate(texts, 1)]
    row = row_passage("Fines", [("6", "2024"), ("(6)", "2023"), ("9", "2022")], multiplier="1000000", unit="USD")
    passages.append(replace(make_evidence(row), id="E4"))
    asked: list[str] = []

    def numbers(read: Evidence) -> tuple[Held, ...]:
        asked.append(read.id)
        return of_evidence(read)

    shelf = Shelf(passages, numbers)
    assert not asked
    (six,) = find_quantities("$6 million")
    assert [(h.citation, h.amount.text) for h in shelf.near(six)] == [
        ("E2", "$6 million"),
        ("E4", "6"),
        ("E4", "(6)"),
    ]
    assert asked == ["E2", "E4"]


@pytest.mark.parametrize("written", ["2", "4", "$5 million", "12%", "1:45", "2024", "half a year"])
def test_a_shelf_finds_what_looking_through_every_number_finds(written: str) -> None:
    texts = ("In 2024 the 12% of $5 million took two weeks.", "It ran for half a year, 4 of 12 months.")
    row = row_passage("Best time, line 4", [("1:45", "2024"), ("12%", "2023"), ("2", "2022")])
    held: tuple[str | Passage, ...] = (*texts, row)
    passages = [replace(make_evidence(one), id=f"E{at}") for at, one in enumerate(held, 1)]
    for quantity in (*find_quantities(written), *find_spelled(written)):
        reach, size = quantity.step / 2, abs(quantity.value)
        every = [h for read in passages for h in of_evidence(read)]
        near = [h for h in every if abs(abs(h.amount.scaled) - size) <= reach]
        assert near or written == "half a year"
        assert Shelf(passages, of_evidence).near(quantity) == sorted(near, key=lambda h: abs(h.amount.scaled))
