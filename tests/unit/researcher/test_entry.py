from __future__ import annotations

import msgspec
import pytest

from counterfoil.core.answer.contract import Contract, Field
from counterfoil.researcher.entry import propose
from counterfoil.researcher.metrics import Lexicon

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)


def proposed(question: str) -> tuple[str, Field]:
    made = msgspec.convert({"question": question, **msgspec.json.decode(propose(question, LEXICON))}, Contract)
    (row,), (field,) = made.rows, made.fields
    return row.name, field


def test_a_figure_gets_type_unit_scale_and_period() -> None:
    row, field = proposed("What was Tandem's FY2022 capex, in USD millions?")
    assert row == "Tandem"
    assert (field.name, field.type, field.unit, field.scale, field.period) == (
        "capital expenditure",
        "money",
        "USD",
        "millions",
        "FY2022",
    )


def test_a_margin_is_a_percentage_without_unit() -> None:
    _, field = proposed("What is Tandem's FY2022 gross margin?")
    assert (field.type, field.unit, field.scale) == ("percent", None, None)


def test_a_question_in_words_keeps_its_own_words() -> None:
    row, field = proposed("Why did Tandem close its workshop in Bergen?")
    assert row == "Tandem"
    assert field.type == "text"
    assert field.name.startswith("Why did Tandem close")


@pytest.mark.parametrize("question", ["?", "", "Pourquoi ?", "何"])
def test_nothing_to_go_by_still_names_a_row_and_a_field(question: str) -> None:
    row, field = proposed(question)
    assert row
    assert field.name
