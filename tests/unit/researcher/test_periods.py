from __future__ import annotations

import pytest

from counterfoil.researcher.periods import Column, Period, asked, column, without_periods


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("FY2018", [Period(2018, fiscal=True)]),
        ("fiscal 2022", [Period(2022, fiscal=True, named=True)]),
        ("Q2 of FY2024", [Period(2024, 2, fiscal=True)]),
        ("Q22023", [Period(2023, 2)]),
        ("fourth quarter (FY22)", [Period(2022, 4, fiscal=True)]),
        ("FY2018 days payable outstanding", [Period(2018, fiscal=True)]),
        ("the first six months of 2023", [Period(2023, half=1)]),
        ("nine months of fiscal 2023", [Period(2023, span="nine", fiscal=True)]),
        ("FY2020 - FY2022", [Period(2020, fiscal=True), Period(2021, fiscal=True), Period(2022, fiscal=True)]),
        ("between 2019 and 2021", [Period(2019), Period(2021)]),
        ("six months ended July 29, 2023", [Period(2023, month=7, day=29, span="half")]),
        ("as of August 30, 2023", [Period(2023, month=8, day=30)]),
        ("im Geschäftsjahr 2022", [Period(2022, fiscal=True)]),
        ("2018年第二季度", [Period(2018, 2)]),
        ("costs $2018.50 for 12,018 units", []),
    ],
)
def test_a_question_is_read_by_the_cores_grammar(text: str, periods: list[Period]) -> None:
    assert list(asked(text)) == periods


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Three Months Ended July 2, 2023", Column(2023, 7, 2, None, "quarter")),
        ("Three Months\nJuly 2,\n2023", Column(2023, 7, 2, None, "quarter")),
        ("52 Weeks Ended January 28, 2023 (Unaudited)", Column(2023, 1, 28, None, "year")),
        ("31.12.2022", Column(2022, 12, 31)),
        ("Fourth Quarter 2022", Column(2022, quarter=4, span="quarter")),
        ("2022 2021", Column()),  # two years say nothing of one column
        ("% Change 2018", Column(2018, change=True)),
    ],
)
def test_a_header_states_what_it_states_and_no_more(header: str, expected: Column) -> None:
    assert column(header) == expected


def test_periods_leave_the_other_words_alone() -> None:
    rest = without_periods("What is FY2018 days payable in Q2 of 2019?")
    assert " ".join(rest.split()) == "what is days payable in ?"


def test_a_period_names_itself_and_the_one_before() -> None:
    quarter = Period(2024, 2, fiscal=True)
    assert (quarter.text, quarter.name, quarter.before().text) == ("Q2 FY2024", "2024Q2", "Q2 FY2023")
    assert Period(2023, month=5).text == "2023-05"
