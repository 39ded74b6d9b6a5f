from __future__ import annotations

from decimal import Decimal

from counterfoil.core.answer.asked import Asked
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.readings import beside_cells, readings_of
from counterfoil.core.answer.scopes import split_scopes
from counterfoil.core.text.quantities import find_quantities
from counterfoil.core.text.stems import stem


def values(body: str, question: str = "q", scope: int = 0) -> list[Decimal]:
    found = split_scopes(body)[scope]
    (quantity,) = find_quantities(found.text)
    return [r.value for r in readings_of(quantity, found, Asked(Contract(question), ""))]


def test_the_figure_as_written_comes_first_then_the_scale_that_is_stated() -> None:
    assert values("It was 1,577.", "in USD millions?")[0] == 1577
    assert Decimal(1_577_000_000) in values("It was 1,577.", "in USD millions?")
    assert values("It was $2 million.", "in USD millions?") == [2_000_000], "a figure with a scale has no other"


def test_an_ambiguous_mark_has_two_readings_and_brackets_may_be_a_minus() -> None:
    assert {Decimal(2345), Decimal("2.345")} <= set(values("It was 2.345."))
    assert Decimal(-45) in values("It was (45).")


def test_the_figures_of_a_row_have_the_words_and_period_of_their_row_and_column() -> None:
    scope = split_scopes("| Item | 2022 |\n|---|---|\n| Capex | 1,577 |\n")[1]
    (said,) = beside_cells(scope, find_quantities(scope.text))
    assert said.period is not None and said.period.year == 2022 and stem("capex") in said.words


def test_a_number_that_is_said_to_be_about_right_is_rounded_to_its_zeros() -> None:
    def coarsest(body: str) -> Decimal:
        (scope,) = split_scopes(body)
        (quantity,) = find_quantities(scope.text)
        return max(r.step for r in readings_of(quantity, scope, Asked(Contract("q"), "")))

    assert coarsest("It has about 5,400 staff.") == 100
    assert coarsest("It has 5,400 staff.") == 1, "nothing says that it is round"
    assert coarsest("It has about 10 staff.") == 1, "five more or less would be half of it"
