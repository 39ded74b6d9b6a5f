from __future__ import annotations

import pytest

from counterfoil.adapters.corpus.query import QueryReader
from counterfoil.adapters.corpus.vocabulary_files import load_vocabulary

READER = QueryReader(load_vocabulary())


def test_words_that_tell_how_to_answer_are_dropped() -> None:
    plan = READER.read(
        "Assume that you are a public equities analyst. By relying on the details shown in the cash flow statement, "
        "what is the capital expenditure? Answer in USD millions and round your answer to two decimal places."
    )
    assert set(plan.words) == {"cash", "flow", "statement", "capital", "expenditure"}
    assert dict(plan.statements)["cash flow statement"] == 1.0
    assert '"purchases of property plant and equipment"' in plan.labels


def test_a_formula_brings_the_labels_and_statements_of_its_terms() -> None:
    plan = READER.read("What is the days payable outstanding?")
    assert '"accounts payable"' in plan.labels
    assert '"cost of sales"' in plan.labels
    assert {"balance sheet", "income statement"} <= set(dict(plan.statements))


@pytest.mark.parametrize(
    ("question", "years", "quarters", "dates"),
    [
        ("revenue in FY2018", (2018,), (), ()),
        ("revenue in FY18 and FY 2019", (2018, 2019), (), ()),
        ("Q2 2023 revenue", (2023,), (2,), ()),
        ("Q22023 revenue", (2023,), (2,), ()),
        ("second quarter of fiscal 2024", (2024,), (2,), ()),
        ("as of Q2'2023", (2023,), (2,), ()),
        ("as of FY2023Q1", (2023,), (1,), ()),
        ("FY 2022 Q3 sales", (2022,), (3,), ()),
        ("3Q22 margin", (2022,), (3,), ()),
        ("as of August 30, 2023", (2023,), (), ("2023-08-30",)),
        ("a fee of $2,018 and 2,019 units", (), (), ()),
    ],
)
def test_periods_are_found(
    question: str, years: tuple[int, ...], quarters: tuple[int, ...], dates: tuple[str, ...]
) -> None:
    periods = READER.read(question).periods
    assert (tuple(sorted(periods.years)), periods.quarters, periods.dates) == (years, quarters, dates)


def test_german_and_chinese_questions_keep_their_words() -> None:
    assert READER.read("Wie hoch war der Umsatz im Jahr 2023?").words == ("umsatz", "2023")
    assert READER.read("東京の人口は？").words == ("東京", "京の", "の人", "人口", "口は")


def test_a_question_of_stop_words_still_looks_for_something() -> None:
    assert READER.read("what is it").words
