from __future__ import annotations

import pytest
from tests.unit.adapters.render.papers import full_paper

from counterfoil.adapters.render.paper import (
    Paper,
    amount,
    budget_lines,
    cell_value,
    file_name,
    gap_groups,
    status_words,
    where,
)


def test_budget_lines_add_up_and_put_what_was_used_first() -> None:
    lines = budget_lines(full_paper())
    assert [line.policy for line in lines] == ["run/model-requests", "web/searches"]
    for line in lines:
        assert line.left is not None
        assert line.limit is not None
        assert line.used + line.left == line.limit
        assert not line.purposes or sum(count for _, count in line.purposes) == line.used
    assert lines[0].sum == "entry 1 + research 5 + finalize 1 = 7"


def test_a_policy_without_a_limit_has_nothing_left_to_show() -> None:
    paper = Paper(report={"usage": {"run/cost-usd": {"used": 1.25, "limit": None, "unit": "usd"}}})
    line = budget_lines(paper)[0]
    assert (amount(line.used), amount(line.limit), amount(line.left)) == ("1.2", "–", "–")


def test_gaps_with_the_same_searches_stand_together() -> None:
    (group,) = gap_groups(full_paper())
    assert group.names == ("South · pass price", "East · pass price")
    assert group.tried == ("South pass",)


def test_place_of_a_citation_is_file_name_and_page() -> None:
    assert where({"url": "file:///a/b%20c.pdf#page=2", "page": 2}) == "b c.pdf, page 2"
    assert file_name({"url": "", "title": "Title"}) == "Title"


def test_value_of_a_cell_is_found_in_conflicts_too() -> None:
    assert cell_value(full_paper(), "E11") == "20.00"
    assert cell_value(full_paper(), "E77") == ""


def test_source_names_fall_back_to_the_handle() -> None:
    assert full_paper().source("S1") == "Visitor pass"
    assert full_paper().source("S9") == "S9"


@pytest.mark.parametrize(
    "status",
    ["completed", "completed_with_gaps", "budget_exhausted_partial", "partial", "failed", "cancelled", "refused"],
)
def test_every_status_has_words(status: str) -> None:
    assert status_words(status).short != status
    assert status_words(status).sentence.endswith(".")
