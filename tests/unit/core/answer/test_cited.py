from __future__ import annotations

from tests.unit.builders import make_evidence, make_fact, row_passage

from counterfoil.core.answer.cited import Cited
from counterfoil.core.answer.held import of_evidence


def test_numbers_dates_and_rows_are_kept_apart() -> None:
    row = make_evidence(row_passage("Sales", [("5", "2022"), ("4", "2021")], title="Statement 2022"))
    prose = make_evidence("Since 3 March 2020 it costs $18.", title="Prices", published="2024-01-02")
    for read, numbers, dates, rows in ((row, 2, 0, 1), (prose, 1, 1, 0)):
        cited = Cited(("E1",), (read,), of_evidence(read), ())
        assert (len(cited.numbers), len(cited.dates), len(cited.rows)) == (numbers, dates, rows)
    assert {2020, 2024} <= cited.years, "the document's own date counts"


def test_a_line_is_quoted_only_word_for_word() -> None:
    read = make_evidence("It costs $18 a day.")
    cited = Cited(("E1",), (read,), of_evidence(read), ())
    assert cited.quoted("costs $18 a") == "E1" and cited.quoted("costs $19 a") is None


def test_the_period_of_a_fact_that_rests_on_the_citation_counts() -> None:
    cited = Cited(("E1",), (), (), (make_fact("5", period="FY2019"),))
    assert cited.years == {2019}


def test_pages_of_two_languages_do_not_say_how_the_answer_writes_its_numbers() -> None:
    german = make_evidence("Der Umsatz betrug 18,5 Millionen Euro.")
    english = make_evidence("Revenue was 18.5 million.")
    assert Cited(("E1",), (german,), (), ()).mark == ","
    assert Cited(("E1", "E2"), (german, english), (), ()).mark is None
