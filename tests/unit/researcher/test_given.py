from __future__ import annotations

import pytest

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.researcher.given import dated, given_subject, is_given
from counterfoil.researcher.metrics import Lexicon

from .pages import VOCABULARY, filing, text
from .test_plain import host

LEXICON = Lexicon(VOCABULARY)


@pytest.mark.parametrize(
    ("row", "field", "given"),
    [("Zebra", "headcount", True), ("Acme", "revenue", False), ("Acme", "headcount", True), ("Zebra", "revenue", True)],
)
def test_a_row_or_field_that_the_question_does_not_name_is_the_callers(row: str, field: str, given: bool) -> None:
    contract = Contract("What was Acme's revenue in 2023?", rows=(Row(row),), fields=(Field(field),))
    assert is_given(contract, LEXICON) is given


def test_a_row_without_a_field_is_the_subject_unless_the_question_names_it() -> None:
    question = "What was Acme's revenue in 2023?"
    assert given_subject(Contract(question, rows=(Row("Zebra"),)), LEXICON) == "Zebra"
    assert given_subject(Contract(question, rows=(Row("Acme"),)), LEXICON) is None


def test_the_period_of_the_question_holds_for_the_callers_field() -> None:
    contract = Contract("Acme revenue 2023", rows=(Row("Acme"),), fields=(Field("headcount"),))
    assert dated(contract).period == "2023"


@pytest.mark.parametrize("fields", [(Field("headcount"),), (Field("headcount", "number"),), ()])
def test_a_figure_of_another_row_is_never_filed_under_the_callers(fields: tuple[Field, ...]) -> None:
    said = text("Revenue of Acme Corp in fiscal 2023 was $12.5 million.")
    run = host("Acme revenue 2023", (filing("Acme Corp", "FY2023", "acme"), (("Results", (said,)),)))
    run.contract = Contract("Acme revenue 2023", rows=(Row("Zebra"),), fields=fields)
    published = run.run()
    assert published is not None
    assert "12.5" not in published["body"]
    assert published["gaps"][0]["search_calls"]
    assert not [fact for fact in run.facts if fact.get("kind", "stated") == "stated"]
