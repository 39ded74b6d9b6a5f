from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.adapters.models.forms import in_form, out_of_form

PUBLISH = "publish_answer"


def test_named_evidence_closes_a_body_without_marks() -> None:
    args = {"evidence": ["E1", "E4", "E1"], "body": "It costs $18.\n", "finish": True}
    assert out_of_form(PUBLISH, args) == {"body": "It costs $18. [E1] [E4]", "finish": True}


def test_a_body_with_marks_stands_as_it_was_written() -> None:
    args = {"evidence": ["E1", "E4"], "body": "It costs $18 [E1]."}
    assert out_of_form(PUBLISH, args) == {"body": "It costs $18 [E1]."}


def test_no_mark_is_made_up() -> None:
    assert out_of_form(PUBLISH, {"evidence": None, "body": "Nothing found."}) == {"body": "Nothing found."}
    assert out_of_form(PUBLISH, {"evidence": ["E1"], "body": " "}) == {"body": " "}
    assert out_of_form(PUBLISH, {"evidence": "E1", "body": "x"}) == {"body": "x"}


def test_null_is_left_out_at_every_depth_of_our_own_tools() -> None:
    args = {"facts": [{"row": "A", "unit": None, "inputs": [{"name": "a", "header": None}]}]}
    assert out_of_form("record_facts", args) == {"facts": [{"row": "A", "inputs": [{"name": "a"}]}]}


def test_null_inside_the_arguments_of_a_foreign_tool_stays() -> None:
    assert out_of_form("lookup", {"a": None, "b": {"c": None}}) == {"b": {"c": None}}


@given(st.lists(st.sampled_from(["E1", "E2", "E3"]), min_size=1, unique=True))
def test_a_publication_goes_out_of_the_form_and_back(named: list[str]) -> None:
    args = out_of_form(PUBLISH, {"evidence": named, "body": "It is so."})
    assert in_form(PUBLISH, args)["evidence"] == named
    assert out_of_form(PUBLISH, in_form(PUBLISH, args)) == args


def test_other_calls_are_shown_as_they_were() -> None:
    assert in_form("search_public_sources", {"query": "x", "body": "y"}) == {"query": "x", "body": "y"}
    assert in_form(PUBLISH, {"body": 3}) == {"body": 3}
