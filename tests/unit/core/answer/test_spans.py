from __future__ import annotations

import pytest
from tests.unit.builders import make_state

from counterfoil.core.answer.figures import Base, judge_figures

STATE = make_state(
    "q",
    [
        "Ada won in 2:24:37, ahead of Bo in 2:25:01. Doors open from 8:00 to 17:30; the night shift is 22:00 to 06:00.",
        "Work began in 1871 and it opened on 14 June 1883. It was listed on 14 June 1893.",
        "The permit is valid from 3 March 2024 to 17 March 2024.",
    ],
)


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "text", "state"),
    [
        ("Bo came in at 2:25:01, 24 seconds behind Ada's 2:24:37 [E1].", "24 seconds", "bound"),
        ("Bo came in at 2:25:01, 34 seconds behind Ada's 2:24:37 [E1].", "34 seconds", "mismatch"),
        ("It is open for 9.5 hours, from 8:00 to 17:30 [E1].", "9.5 hours", "bound"),
        ("It is open for 10.5 hours, from 8:00 to 17:30 [E1].", "10.5 hours", "mismatch"),
        ("The night shift lasts 8 hours, from 22:00 to 06:00 [E1].", "8 hours", "bound"),
        ("Work took 12 years, from 1871 to 1883 [E2].", "12 years", "bound"),
        ("Work took 15 years, from 1871 to 1883 [E2].", "15 years", "mismatch"),
        ("Between 14 June 1883 and 14 June 1893 lie 120 months [E2].", "120 months", "bound"),
        ("It is valid for 14 days, from 3 March 2024 to 17 March 2024 [E3].", "14 days", "bound"),
        ("It is valid for 2 weeks, from 3 March 2024 to 17 March 2024 [E3].", "2 weeks", "bound"),
        ("Work took twelve years, from 1871 to 1883 [E2].", "twelve years", "bound"),
        ("Work took fifteen years, from 1871 to 1883 [E2].", "fifteen years", "mismatch"),
        ("It is open for eleven hours, from 8:00 to 17:30 [E1].", "eleven hours", "mismatch"),
    ],
)
def test_a_length_is_the_time_between_the_moments_that_the_sentence_names(body: str, text: str, state: str) -> None:
    figures = judge_figures(body, Base(STATE.contract, STATE.evidence))
    found = next(f for f in figures if f.quantity.text == text)
    assert found.state == state, found.nearest


def test_the_calculation_names_both_moments() -> None:
    figures = judge_figures("Bo: 2:25:01, 24 seconds behind 2:24:37 [E1].", Base(STATE.contract, STATE.evidence))
    calculation = next(f.calculation for f in figures if f.calculation is not None)
    assert [given.value for given in calculation.inputs] == ["2:25:01", "2:24:37"]
