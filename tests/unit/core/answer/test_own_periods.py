from __future__ import annotations

import pytest

from counterfoil.core.answer.own_periods import owned
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Pairs fell between 2019 and 2024, from 112 to 87", [2019, 2024]),
        ("In 2024 it carried 13 people, 4% fewer than in 2023, and 40 vans", [2024, 2024, None]),
        ("Compared with 2023, sales were $6", [None]),
        ("In 2023 sales were $6", [2023]),
    ],
)
def test_a_period_that_is_only_compared_with_belongs_to_no_number_behind_it(text: str, years: list[int | None]) -> None:
    amounts = [q for q in find_quantities(text) if q.kind in ("money", "percent", "number")]
    own, _ = owned(text, amounts, find_periods(text))
    assert [own[i].year if i in own else None for i in range(len(amounts))] == years
