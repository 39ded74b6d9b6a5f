from __future__ import annotations

from typing import Any

import pytest

from counterfoil.core.answer.contract import Contract
from counterfoil.researcher.corrections import bare, offered_gaps, with_gaps, without_offence, without_offers
from counterfoil.researcher.draft import Cell, Draft
from counterfoil.researcher.offline import OfflineResearcher

from .harness import MiniHost
from .pages import VOCABULARY, Pages, tandem

COUNT = {"code": "COUNT_NOT_MET", "where": "10 sources", "needed": '10; declare a gap with field "sources" and why'}
QUOTE = {"code": "QUOTE_NOT_FOUND", "where": "Second passage.", "needed": "the passage's own words"}
DRAFT = Draft("“First.” [E1]\n\n> “Second passage.” [E2]\n\n> “Third.” [E3]", quotes=True)
FALLBACK = Draft("Not found.")


def test_the_offending_block_goes_the_rest_stays_and_the_gap_is_declared() -> None:
    kept = without_offence(DRAFT, [QUOTE], FALLBACK, Cell("Acme", "price"))
    assert kept.body == "“First.” [E1]\n\n> “Third.” [E3]"
    assert [(g.row, g.field, g.state) for g in kept.gaps] == [("Acme", "price", "unresolved")]
    assert "QUOTE_NOT_FOUND" in kept.gaps[0].why


def test_a_bad_first_line_gives_way_to_the_next_quotation_or_to_the_fallback() -> None:
    first: dict[str, Any] = {"code": "QUOTE_NOT_FOUND", "where": "“First.”"}
    assert without_offence(DRAFT, [first], FALLBACK, Cell()).body.startswith("“Second passage.”")
    assert without_offence(Draft("One.\n\nTwo."), [{"where": "One."}], FALLBACK, Cell()) is FALLBACK
    assert without_offence(DRAFT, [{"where": "elsewhere"}], FALLBACK, Cell()) is FALLBACK


def test_offers_of_a_gap_are_taken_once_and_are_no_offence() -> None:
    (gap,) = offered_gaps([[COUNT, QUOTE], [COUNT]], ("c1",))
    assert (gap.field, gap.search_calls) == ("sources", ("c1",))
    assert without_offers([[COUNT, QUOTE], [COUNT]]) == [[QUOTE]]
    assert with_gaps(with_gaps(DRAFT, [gap]), [gap]).gaps == [gap]


def test_marks_and_citations_do_not_hide_a_place() -> None:
    assert bare("> **It** costs [E1] `$18`") == "It costs $18"


@pytest.mark.req("TSK-08")
def test_a_check_that_rejects_until_the_gap_is_declared_gets_the_same_answer_with_the_gap() -> None:
    run = MiniHost(
        Pages(tandem()), OfflineResearcher(VOCABULARY), Contract("What was FY2022 capex of Tandem, in USD millions?")
    )
    run.rejections = [[COUNT]]
    run.entry()
    published = run.run()
    assert published is not None and "**87 USD millions**" in published["body"]
    assert [gap["field"] for gap in published["gaps"]] == ["sources"]
