from __future__ import annotations

from msgspec.structs import replace
from tests.unit.builders import make_evidence, row_passage

from counterfoil.core.answer.support import PASSAGES_MAX, Claim, Support
from counterfoil.core.evidence.passages import Passage
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.vocabulary import Formula, Term, Vocabulary

WORDS = Vocabulary(
    "test",
    terms=(
        Term("operating income", ("operating income",), ("operating income", "income from operations")),
        Term("revenue", ("revenue",), ("total revenue",)),
    ),
    formulas=(Formula("operating margin", ("operating margin",), "operating_income / revenue"),),
    instructions=("round your answer",),
)


def pool(*passages: str | Passage) -> list[Evidence]:
    return [replace(make_evidence(passage, title="Acme"), id=f"E{n}") for n, passage in enumerate(passages, 1)]


def chosen(claim: Claim, evidence: list[Evidence], limit: int = PASSAGES_MAX) -> list[str]:
    return [e.id for e in Support(WORDS).passages(claim, evidence, limit)]


def test_passages_that_share_nouns_speak_for_a_claim_and_others_do_not() -> None:
    evidence = pool("A three-day pass costs $18.", "Helmets are free in May.", "A pass is sold at kiosks.")
    assert chosen(Claim("The three-day pass is $18"), evidence)[0] == "E1"
    assert "E2" not in chosen(Claim("The three-day pass is $18"), evidence)


def test_a_number_alone_brings_no_passage() -> None:
    assert chosen(Claim("It had 18"), pool("Kiosks: 18 in May.")) == []


def test_a_passage_that_holds_the_figure_comes_along_when_it_shares_a_noun() -> None:
    evidence = pool("Gross profit of shops and kiosks", "Profit: 1,234")
    assert "E2" in chosen(Claim("Gross profit of shops and kiosks was 1,234"), evidence)


def test_a_formula_brings_the_rows_of_its_operands() -> None:
    rows = (row_passage("Operating income", [("5", "2018")]), row_passage("Total revenue", [("9", "2018")]))
    assert set(chosen(Claim("The operating margin was 55%"), pool(*rows, "Helmets are free."))) == {"E1", "E2"}


def test_the_documents_own_name_and_orders_of_the_question_say_nothing() -> None:
    evidence = pool("Acme Acme Acme answer", "Bicycles of Acme in the north")
    assert chosen(Claim("Acme has 5 bicycles", around="Round your answer"), evidence) == ["E2"]


def test_no_more_than_the_limit() -> None:
    assert len(chosen(Claim("passes"), pool(*(f"Passes of kind {n}" for n in range(30))), limit=5)) == 5


def test_which_way_it_went_and_how_much_is_no_subject() -> None:
    evidence = pool("Sales declined, up to a million in the year", "Inventory of bicycles")
    assert chosen(Claim("Inventories declined by a million in the year to 1"), evidence) == ["E2"]


def test_a_row_with_several_figures_of_a_claim_speaks_for_it_though_its_label_says_nothing() -> None:
    others = [f"Number of stores that declined in place {chr(64 + n)}" for n in range(1, 15)]
    evidence = pool(row_passage("Total", [("969", "Stores in 2024"), ("982", "Stores in 2023")]), *others)
    assert "E1" in chosen(Claim("The number of stores declined from 982 to 969"), evidence)
    assert "E1" not in chosen(Claim("The number of stores declined from 983 to 968"), evidence)
