"""What one request shows, and what of it is stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.core.record.folding import CONTRACT, after, begun, researching, turn
from tests.unit.core.record.reviewed_runs import pending

from counterfoil.core.exchange import HostNote
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record import reviews as r
from counterfoil.core.view.build import FINALIZE_NOTE, build_view, view_delta


def working(turns: int) -> list[e.Event]:
    events: list[e.Event] = []
    for number in range(1, turns + 1):
        events += turn(number, "search_public_sources", first_call=number)
        events.append(e.ToolCallSettled(f"c{number}", {"results": ["x" * 100]}))
    return events


@pytest.mark.req("RES-02")
@given(st.integers(0, 6))
def test_question_contract_and_anchor_are_pinned_in_every_view(turns: int) -> None:
    view = build_view(after(researching(), *working(turns)), "research", "rules")
    assert view.contract == CONTRACT
    assert view.anchor.as_of == "2025-03-31"
    assert view.instructions == "rules"
    assert len(view.messages) == 2 * turns


def test_open_cells_and_what_is_left_are_shown() -> None:
    view = build_view(researching(), "research", "")
    assert [(cell.row, cell.field, cell.state) for cell in view.table] == [("North", "price", "open")]
    assert view.remaining["web/searches"] == 12


def test_an_entry_view_holds_no_messages_and_later_views_no_entry() -> None:
    entry = after(begun(entry=True), *turn(1, purpose="entry"))
    assert build_view(entry, "entry", "").messages == ()
    assert build_view(entry, "research", "").messages == ()


def test_finalization_is_announced() -> None:
    state = after(researching(), e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))
    (note,) = build_view(state, "finalize", "").messages
    assert isinstance(note, HostNote)


@pytest.mark.req("LED-11", "LED-08")
def test_a_delta_names_new_messages_and_does_not_grow_with_the_run() -> None:
    sizes = []
    for turns in (2, 8):
        state = after(researching(), *working(turns))
        delta, _ = view_delta(state, build_view(state, "research", ""))
        assert delta["results_of"] == [f"c{turns}"]
        sizes.append(len(str(delta)))
    assert sizes[1] <= sizes[0] + 4


@pytest.mark.req("LED-11")
def test_the_hash_proves_what_was_shown_and_chains_to_the_request_before() -> None:
    state = after(researching(), *working(1))
    view = build_view(state, "research", "")
    _, one = view_delta(state, view)
    other = after(researching(), *turn(1, "search_public_sources"), e.ToolCallSettled("c1", {"results": ["y"]}))
    before = replace(state, turns=(replace(state.turns[0], view_hash="another"),))
    assert one != view_delta(before, view)[1]
    assert one != view_delta(other, build_view(other, "research", ""))[1]
    assert one == view_delta(state, view)[1]


@pytest.mark.req("RES-04")
def test_what_went_wrong_stands_behind_the_past_turns_of_one_research_view_only() -> None:
    failed = after(researching(), *turn(1, "read_public_source"), e.ToolCallFailed("c1", "GONE", "internal", "gone"))
    note = build_view(failed, "research", "").messages[-1]
    assert isinstance(note, HostNote) and "c1 (GONE)" in note.text
    later = after(failed, *turn(2))
    assert not any(isinstance(message, HostNote) for message in build_view(later, "research", "").messages)
    ending = after(failed, e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))
    (last,) = [m for m in build_view(ending, "finalize", "").messages if isinstance(m, HostNote)]
    assert last.text == FINALIZE_NOTE
    assert view_delta(ending, build_view(ending, "finalize", ""))[0]["notes"] == ["finalize"]


@pytest.mark.req("LED-11", "QC-04")
def test_what_a_self_review_looked_at_is_new_to_the_view_behind_it_when_it_goes_on() -> None:
    state = after(pending(), r.SelfReviewAsked("P1"))
    state = after(state, *turn(3, "search_public_sources", purpose="self_review", first_call=6))
    state = after(state, e.ToolCallSettled("c6", {}), r.PublicationWithdrawn("P1", "m3"))
    state = after(state, e.ToolCallFailed("c5", "PUBLICATION_WITHDRAWN", "", "you went on"))
    assert view_delta(state, build_view(state, "research", ""))[0]["results_of"] == ["c5", "c6"]
