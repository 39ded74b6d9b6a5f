from __future__ import annotations

import pytest
from tests.unit.builders import make_evidence, row_passage

from counterfoil.core.answer.beside import beside
from counterfoil.core.answer.held import Held, of_evidence
from counterfoil.core.answer.nouns import Terms, another, better, of_subject, unit_class
from counterfoil.core.text.quantities import find_quantities
from counterfoil.core.text.vocabulary import NO_WORDS, Term, Vocabulary

BIKES = of_evidence(make_evidence("Overage is $0.15 on classic bikes and $0.30 on electric bikes."))
NO_TERMS = Terms(NO_WORDS)


def rival(said: str, held: Held, rivals: tuple[Held, ...], terms: Terms = NO_TERMS) -> Held | None:
    (words,) = (b for b in beside(said, find_quantities(said)))
    return better(words, held, [r for r in rivals if r is not held], terms)


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("said", "place", "good"),
    [
        ("On classic bikes it is $0.15", 0, True),
        ("On electric bikes it is $0.15", 0, False),
        ("On electric bikes it is $0.30", 1, True),
        ("On classic bikes it is $0.30", 1, False),
        ("It costs $0.15", 0, True),
        ("Overage costs $0.30", 1, True),
    ],
)
def test_the_words_beside_a_figure_name_its_number(said: str, place: int, good: bool) -> None:
    assert (rival(said, BIKES[place], BIKES) is None) is good


SERVICES = of_evidence(
    make_evidence("A permit costs $64 for the first car and $128 for the second. Adults pay $9 and children $4.")
)


@pytest.mark.parametrize(
    ("said", "place", "good"),
    [
        ("A permit for a second car is $128", 1, True),
        ("A permit for a second car is $64", 0, False),
        ("The first car costs $64", 0, True),
        ("Children are charged $9", 2, False),
    ],
)
def test_words_that_exclude_each_other_tell_numbers_apart(said: str, place: int, good: bool) -> None:
    assert (rival(said, SERVICES[place], SERVICES) is None) is good


def row(label: str, value: str, number: int) -> Held:
    import msgspec

    evidence = make_evidence(row_passage(label, [(value, "2022")], multiplier="1", unit="USD"))
    return of_evidence(msgspec.structs.replace(evidence, id=f"E{number}"))[0]


def test_a_row_that_is_wholly_said_beats_one_that_says_more() -> None:
    revenue, cost = row("Total revenue", "17", 1), row("Total cost of revenue", "2", 2)
    assert rival("Total revenue was $2", cost, (revenue, cost)) is revenue
    assert rival("Total cost of revenue was $2", cost, (revenue, cost)) is None


def test_the_vocabulary_knows_a_row_by_its_other_names() -> None:
    terms = Terms(
        Vocabulary(
            "v",
            (
                Term("capex", ("capital expenditure",), ("purchases of property",)),
                Term("leases", ("leases",), ("capital leases",)),
            ),
        )
    )
    capex, leases = row("Purchases of property", "15", 1), row("Capital leases", "3", 2)
    assert rival("Capital expenditure was $15", capex, (capex, leases), terms) is None
    assert rival("Capital expenditure was $3", leases, (capex, leases), terms) is capex
    (said,) = beside("Leases were $15", find_quantities("Leases were $15"))
    assert another(said.words, said.lead, capex, terms)


def test_units_count_different_things() -> None:
    assert unit_class("USD") == unit_class("EUR") == "money" and unit_class("km") == unit_class("miles")
    assert unit_class("points") == "percent" and unit_class(None) is None


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("The overage charge in City South is $4", True),
        ("The overage charge in City North is $4", False),
        ("The overage charge is $4", False),
        ("City North charges $4 and City South the same", False),
    ],
)
def test_a_number_of_a_page_about_another_thing_is_not_what_a_sentence_names(said: str, named: bool) -> None:
    north = of_evidence(make_evidence("The overage charge is $4.", title="City North: passes", url="https://n/"))
    south = of_evidence(make_evidence("The overage charge is $3.", title="City South: terms", url="https://s/"))
    words = next(iter(beside(said, find_quantities(said))))
    assert (of_subject(words, north[0], south) is not None) is named
