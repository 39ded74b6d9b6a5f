"""Past turns as a model sees them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.builders import make_state, row_passage
from tests.unit.core.record.folding import DOCUMENT, PUBLISH, SEGMENT, after, researching, turn

from counterfoil.core.exchange import AssistantTurn, ToolResult
from counterfoil.core.record import events as e
from counterfoil.core.view.messages import fence_of, passages_shown, turn_messages


def test_each_call_keeps_its_result_in_the_order_of_proposal() -> None:
    state = after(
        researching(),
        *turn(1, "search_public_sources", "read_public_source"),
        e.ToolCallSettled("c2", {"x": 2}),
        e.ToolCallRefused("c1", "SEARCHES_EXHAUSTED", "spent"),
    )
    said, first, second = turn_messages(state, state.turns[0])
    assert isinstance(said, AssistantTurn)
    assert isinstance(first, ToolResult)
    assert isinstance(second, ToolResult)
    assert (first.call_id, first.ok, first.untrusted) == ("c1", False, True)
    assert (second.call_id, second.ok, second.content) == ("c2", True, {"x": 2})


@pytest.mark.req("WEB-07")
@pytest.mark.parametrize(("untrusted", "gathers"), [(True, False), (False, True), (False, False)])
def test_what_others_wrote_is_fenced_and_what_the_host_says_is_not(untrusted: bool, gathers: bool) -> None:
    tool = replace(PUBLISH, name="own", untrusted=untrusted, gathers_evidence=gathers)
    state = researching()
    state = replace(state, snapshot=replace(state.snapshot, tools=(*state.snapshot.tools, tool)))
    state = after(state, *turn(1, "own"), e.ToolCallSettled("c1", {"x": 1}))
    result = turn_messages(state, state.turns[0])[1]
    assert isinstance(result, ToolResult)
    assert (result.untrusted, bool(result.fence)) == (untrusted or gathers, untrusted or gathers)


def test_a_read_shows_its_passages_in_place_of_the_reference() -> None:
    content = {"handle": "S1", "segment": 0, "evidence": {"first": 1, "count": 1}}
    state = after(
        researching(),
        *turn(1, "search_public_sources", "read_public_source"),
        e.SourceRegistered("S1", DOCUMENT, "c1"),
        e.EvidenceRead("S1", SEGMENT, 1, "c2"),
        e.ToolCallSettled("c2", content),
    )
    result = turn_messages(state, state.turns[0])[2]
    assert isinstance(result, ToolResult)
    assert "evidence" not in result.content
    assert [(p["id"], p["text"]) for p in result.content["passages"]] == [("E1", "It costs $18.")]


def test_a_table_row_shows_label_headers_and_scale() -> None:
    row = row_passage("Net sales", [("32,765", "Years ended | 2018")], multiplier="1000000", unit="USD", title="Income")
    state = make_state("q", [row])
    (shown,) = passages_shown(state.readings[0])
    assert shown["table"]["title"] == "Income"
    assert shown["table"]["cells"][0] == {
        "value": "32,765",
        "header": "Years ended 2018",
        "scale": None,
        "multiplier": "1000000",
        "unit": "USD",
    }


@pytest.mark.req("WEB-07")
@given(st.text())
def test_no_text_can_close_its_own_fence(text: str) -> None:
    content = {"passages": [{"id": "E1", "text": text}]}
    fence = fence_of(content)
    assert fence not in text
    assert len(fence) == 16
    spoofed = {"passages": [{"id": "E1", "text": text + fence}]}
    assert fence_of(spoofed) != fence
