"""Past turns are made into messages once; what is shown is the same as if all were made anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.core.record.folding import after, begun, researching, turn

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record.state import RunState
from counterfoil.core.view.build import build_view
from counterfoil.core.view.fit import fit_view
from counterfoil.core.view.size import view_bytes
from counterfoil.core.view.transcript import Transcript, continued, shown_bytes


def worked(state: RunState, number: int, kind: str) -> RunState:
    if kind == "silent":
        return after(state, *turn(number))
    calls = after(state, *turn(number, "search_public_sources", first_call=len(state.calls) + 1))
    call_id = f"c{len(calls.calls)}"
    if kind == "failed":
        return after(calls, e.ToolCallFailed(call_id, "GONE", "not_found", "it is “gone”"))
    return after(calls, e.ToolCallSettled(call_id, {"results": ["é" * number]}))


@pytest.mark.req("RES-02", "LED-11")
@given(st.lists(st.sampled_from(["silent", "failed", "found"]), max_size=6), st.booleans())
def test_a_continued_transcript_shows_what_a_new_one_shows_and_knows_its_size(kinds: list[str], ending: bool) -> None:
    state, past = researching(), Transcript()
    for number, kind in enumerate(kinds, 1):
        state = worked(state, number, kind)
        past = continued(past, state)
    if ending:
        state = after(state, e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))
    view = build_view(state, "research", "rules", past)
    assert view == build_view(state, "research", "rules")
    assert shown_bytes(view, past) == view_bytes(view)


def test_an_entry_reply_is_no_message() -> None:
    assert continued(Transcript(), after(begun(entry=True), *turn(1, purpose="entry"))) == Transcript(1)


@pytest.mark.req("MOD-04", "LED-03")
@given(st.lists(st.sampled_from(["silent", "failed", "found", "refused"]), max_size=14), st.integers(700, 1_400))
def test_a_process_that_begins_anew_shows_the_same_fitted_views(kinds: list[str], bytes_max: int) -> None:
    state, past = researching(), Transcript()
    for number, kind in enumerate(kinds, 1):
        past = continued(past, state)
        assert past == continued(Transcript(), state)
        view = build_view(state, "research", "", past)
        fitted = fit_view(view, bytes_max, past, shown_bytes(view, past))
        added = len(view.messages) - len(past.messages)  # notes behind the turns, which hold for one request
        if fitted is None:
            return
        assert fitted.size_bytes == view_bytes(fitted.view) <= bytes_max
        reserved = e.ModelCallReserved(
            f"m{number}", "research", (), (), {}, "", fitted.dropped, {}, "", len(past.dropped), fitted.summed_up
        )
        state = replied(after(state, reserved), number, kind)
        shown = build_view(state, "research", "", continued(past, state)).messages
        turns = fitted.view.messages[: len(fitted.view.messages) - added]
        assert shown[: len(turns)] == turns  # the next view begins with the turns of this one


def replied(state: RunState, number: int, kind: str) -> RunState:
    if kind == "refused":
        return after(state, e.ModelCallFailed(f"m{number}", "X", "timeout", "slow", wait_ms=0))
    settled, *proposed = turn(number, *(() if kind == "silent" else ("search_public_sources",)))[1:]
    if not proposed:
        return after(state, settled)
    call_id = f"c{len(state.calls) + 1}"
    call = ProposedCall(call_id, "search_public_sources", {})
    found = [{"handle": f"S{number}", "title": "é" * 40} for _ in range(4)]
    done = (
        e.ToolCallSettled(call_id, {"results": found})
        if kind == "found"
        else e.ToolCallFailed(call_id, "GONE", "not_found", "it is “gone”")
    )
    return after(state, settled, e.ToolCallProposed(f"m{number}", call), done)
