from __future__ import annotations

import pytest

from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.subjects import names_in, same, subject_of

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)


@pytest.mark.parametrize(
    ("name", "other", "is_same"),
    [
        ("TnK", "Tinker & Kettle", True),
        ("AMD", "Alder Mill Dairies, Inc.", True),
        ("Tandem", "TANDEM CYCLES, INC.", True),
        ("Blue Fern", "BLUEFERN", True),
        ("Korrigan", "TANDEM, Inc.", False),
        ("3T", "TTT Holdings", False),
        ("", "Tandem", False),
    ],
)
def test_a_company_is_recognised_by_name_or_initials(name: str, other: str, is_same: bool) -> None:
    assert same(name, other) is is_same


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What was Tandem's FY2022 net sales?", "Tandem"),
        ("What is the FY2018 capex for Blue Fern?", "Blue Fern"),
        ("Does Tinker & Kettle have an improving gross margin?", "Tinker & Kettle"),
        ("Was kostet der Tagespass?", None),
        ("琥珀电气的营业收入是多少？", "琥珀电气"),
    ],
)
def test_the_subject_is_whom_the_question_is_about(question: str, subject: str | None) -> None:
    assert subject_of(question, LEXICON) == subject


def test_a_legal_form_ends_a_name() -> None:
    assert names_in("Die Vorräte der Bergwerk Maschinen AG Ende 2022", LEXICON)[-1] == "Bergwerk Maschinen AG"


def test_names_are_told_from_terms_and_periods() -> None:
    assert names_in("What were Tandem's FY2022 Net Sales in the United States in March?", LEXICON) == [
        "Tandem",
        "United States",
    ]
