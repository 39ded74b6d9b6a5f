from __future__ import annotations

import pytest
from tests.unit.builders import make_evidence

from counterfoil.core.answer.fiscal import Calendars, stated_shift
from counterfoil.core.text.periods import find_periods

SHIFTED = "Fiscal 2022 is the 52 weeks ended January 28, 2023."


def fits(written: str, held: str, *, text: str = "", asked: frozenset[int] = frozenset(), **document: str) -> bool:
    source = make_evidence(text or "x", **document)
    calendars = Calendars(lambda: (source,), asked)
    years = [p.year for p in find_periods(held) if p.year]
    return calendars.fits(find_periods(written)[0], find_periods(held), source, years)


def test_the_documents_own_words_shift_its_years() -> None:
    assert stated_shift([SHIFTED]) == -1
    assert stated_shift(["Fiscal 2019 ended May 31, 2019."]) == 0
    assert stated_shift(["Sales rose in fiscal 2022."]) is None


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("written", "held", "text", "good"),
    [
        ("fiscal 2022", "January 28, 2023", SHIFTED, True),
        ("fiscal 2023", "January 28, 2023", SHIFTED, False),
        ("fiscal 2023", "January 28, 2023", "", True),
        ("2022", "2022", "", True),
        ("2021", "2022", "", False),
        ("March 2023", "March 3, 2023", "", True),
        ("April 2023", "March 3, 2023", "", False),
        ("second quarter of 2023", "Three Months Ended July 2, 2023", "", True),
        ("second quarter of 2023", "Six Months Ended July 2, 2023", "", False),
        ("six months ended July 2, 2023", "Three Months Ended July 2, 2023", "", False),
        ("Q1 2023", "Q2 2023", "", False),
        ("2023", "Q2 2023", "", True),
        ("2022年3月期", "2023年3月期", "", False),
        ("8月", "2月", "", False),
    ],
)
def test_periods_at_their_written_precision(written: str, held: str, text: str, good: bool) -> None:
    assert fits(written, held, text=text) is good


def test_the_task_may_use_a_convention_of_its_own() -> None:
    assert fits("fiscal 2023", "January 28, 2023", text=SHIFTED, asked=frozenset({2023}))


def test_the_period_that_a_document_reports_on_names_its_latest_column() -> None:
    assert fits("Q2 2024", "Three Months Ended July 29, 2023", period="Q2 2024")
    assert not fits("Q2 2023", "Three Months Ended July 29, 2023", period="Q2 2024")
