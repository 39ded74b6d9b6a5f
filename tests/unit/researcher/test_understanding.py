from __future__ import annotations

import msgspec
import pytest

from counterfoil.core.answer.contract import Contract
from counterfoil.researcher.ask import interpret
from counterfoil.researcher.calendar import calendar, holds
from counterfoil.researcher.entry import propose
from counterfoil.researcher.expressions import operands, render
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period, asked, column
from counterfoil.researcher.subjects import same

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("FY2018", [Period(2018, fiscal=True)]),
        ("fiscal 2022", [Period(2022, fiscal=True, named=True)]),
        ("Q2 of FY2024", [Period(2024, 2, fiscal=True)]),
        ("Q22023", [Period(2023, 2)]),
        ("second quarter of 2023", [Period(2023, 2)]),
        ("FY2020 - FY2022", [Period(2020, fiscal=True), Period(2021, fiscal=True), Period(2022, fiscal=True)]),
        ("as of August 30, 2023", [Period(2023, month=8, day=30)]),
        ("im Geschäftsjahr 2022", [Period(2022, fiscal=True)]),
        ("2018年第二季度", [Period(2018, 2)]),
        ("costs $2018.50 for 12,018 units", []),
    ],
)
def test_periods_are_read_by_grammar(text: str, periods: list[Period]) -> None:
    assert list(asked(text)) == periods


@pytest.mark.parametrize(
    ("header", "period", "instant", "expected"),
    [
        ("Years ended December 31 2018", Period(2018), False, True),
        ("Years ended December 31 2017", Period(2018), False, False),
        ("Three Months Ended July 2, 2023", Period(2023, 2), False, True),
        ("Three Months Ended July 2, 2023", Period(2023), False, False),
        ("Six Months Ended July 2, 2023", Period(2023, 2), False, False),
        ("% Change 2018", Period(2018), False, False),
        ("December 31, 2018", Period(2018), True, True),
    ],
)
def test_a_column_agrees_with_a_period_only_by_year_and_span(
    header: str, period: Period, instant: bool, expected: bool
) -> None:
    assert holds(column(header), period, calendar("", [], []), instant=instant) is expected


@pytest.mark.parametrize(
    ("question", "kind", "subject"),
    [
        ("What is the FY2018 capital expenditure amount (in USD millions) for 3M?", "value", "3M"),
        ("Does Best Buy have an improving gross margin?", "trend", "Best Buy"),
        ("Has Tandem paid dividends in FY2022?", "paid", "Tandem"),
        ("What drove the decline in net sales for Tandem?", "text", "Tandem"),
        ("Who won the 1998 World Cup?", "text", "World Cup"),
        ("When did Tandem report its net income?", "text", "Tandem"),
        ("Was kostet der Tagespass?", "text", None),
    ],
)
def test_kind_and_subject(question: str, kind: str, subject: str | None) -> None:
    ask = interpret(question, LEXICON)
    assert (ask.kind, ask.subject) == (kind, subject)


def test_unit_scale_and_rounding_are_heard() -> None:
    ask = interpret("What is Tandem's FY2022 capex? Answer in USD billions, round to two decimal places.", LEXICON)
    assert (ask.unit, ask.scale, ask.places) == ("USD", "billions", 2)


def test_a_definition_in_the_question_beats_the_vocabulary() -> None:
    ask = interpret("What is Tandem's FY2022 ROA? ROA is defined as: FY2022 net income / FY2021 total assets.", LEXICON)
    (target,) = ask.targets
    assert target.defined
    assert render(target.node, ask.period, lambda o: o.id) == "net_income_2022 / total_assets_2021"


def test_an_average_in_a_formula_takes_the_year_before() -> None:
    ask = interpret("What is Tandem's FY2022 ROA?", LEXICON)
    needed = {o.id for o in operands(ask.targets[0].node, ask.period)}
    assert needed == {"net_income_2022", "total_assets_2022", "total_assets_2021"}


def test_words_that_no_term_covers_restrict_the_answer() -> None:
    assert "greenland" in interpret("What is Tandem's FY2022 net sales in Greenland?", LEXICON).qualifiers


@pytest.mark.parametrize(
    ("name", "other", "is_same"),
    [
        ("JnJ", "Johnson & Johnson", True),
        ("AMD", "Advanced Micro Devices, Inc.", True),
        ("Amazon", "AMAZON.COM, INC.", True),
        ("Ulta Beauty", "ULTABEAUTY", True),
        ("Adidas", "NIKE, Inc.", False),
        ("3M", "MMM Holdings", False),
    ],
)
def test_a_company_is_recognised_by_name_or_initials(name: str, other: str, is_same: bool) -> None:
    assert same(name, other) is is_same


def test_the_entry_reply_is_a_contract_with_one_cell() -> None:
    reply = propose("What is the FY2018 capital expenditure amount (in USD millions) for 3M?", LEXICON)
    contract = msgspec.convert({"question": "q", **msgspec.json.decode(reply)}, Contract)
    assert [row.name for row in contract.rows] == ["3M"]
    (field,) = contract.fields
    assert (field.name, field.type, field.unit, field.scale, field.period) == (
        "capital expenditure",
        "money",
        "USD",
        "millions",
        "FY2018",
    )


@pytest.mark.parametrize("question", ["", "?", "东京的人口是多少？", "Warum?", "a" * 3000])
def test_any_question_gets_a_usable_contract(question: str) -> None:
    contract = msgspec.convert({"question": question, **msgspec.json.decode(propose(question, LEXICON))}, Contract)
    assert len(contract.rows) == len(contract.fields) == 1
    assert contract.rows[0].name
    assert contract.fields[0].name
