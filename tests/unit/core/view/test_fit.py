"""Views that are too large lose the oldest first: results, then whole turns; never the question or half a call."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.exchange import AssistantTurn, HostNote, Message, ProposedCall, ToolResult, View
from counterfoil.core.view.digest import Steps, note_of, step_of
from counterfoil.core.view.fit import LAST_TURNS, fit_view
from counterfoil.core.view.size import view_bytes
from counterfoil.core.view.transcript import Transcript

Turns = list[list[tuple[bool, int]]]  # of each turn its calls: whether one succeeded, and how many passages it read
turns = st.lists(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), max_size=3), max_size=9)


def messages_of(made: Turns) -> tuple[Message, ...]:
    messages: list[Message] = []
    number = 0
    for calls in made:
        results = []
        for ok, passages in calls:
            number += 1
            read = [{"id": f"E{number * 10 + place}", "text": "x" * 300} for place in range(passages)]
            content = {"handle": f"S{number}", "passages": read} if ok else {"failed": "GONE", "why": "y" * 200}
            results.append(ToolResult(f"c{number}", "read_public_source", ok, content))
        proposed = tuple(ProposedCall(result.call_id, result.tool, {"handle": "S1"}) for result in results)
        messages += [AssistantTurn("so", proposed), *results]
    return tuple(messages)


def view_of(messages: tuple[Message, ...]) -> View:
    return View("research", "rules", Contract("What?" * 20), TimeAnchor("2025-03-31"), "research", messages=messages)


@pytest.mark.req("MOD-04")
@given(turns, st.integers(300, 12_000), st.booleans())
def test_a_fitted_view_is_within_its_limit_with_whole_pairs_and_all_that_is_pinned(
    made: Turns, bytes_max: int, noted: bool
) -> None:
    messages = messages_of(made) + ((HostNote("finish now"),) if noted else ())
    whole = view_of(messages)
    fitted = fit_view(whole, bytes_max)
    if fitted is None:
        assert view_bytes(whole) > bytes_max
        return
    shown = fitted.view
    assert view_bytes(shown) == fitted.size_bytes <= bytes_max
    assert (shown.contract, shown.instructions, shown.table) == (whole.contract, whole.instructions, whole.table)
    if view_bytes(whole) <= bytes_max:
        assert shown == whole and not fitted.dropped
    called = [call.id for message in shown.messages if isinstance(message, AssistantTurn) for call in message.calls]
    results = [message.call_id for message in shown.messages if isinstance(message, ToolResult)]
    assert called == results  # every call with its result, in order
    before = [message for message in messages if isinstance(message, ToolResult)]
    gone = len(before) - len(results)
    assert results == [result.call_id for result in before[gone:]]  # what is gone is the oldest
    intact = {result.call_id: result for result in before if result.call_id not in fitted.dropped}
    kept = {m.call_id: m for m in shown.messages if isinstance(m, ToolResult) and m.call_id not in fitted.dropped}
    assert kept == intact  # `dropped` names exactly what is not shown as it was
    if noted and (made or shown.messages):
        assert shown.messages[-1] == HostNote("finish now")


@pytest.mark.req("MOD-04")
@given(turns, st.integers(1_000, 12_000))
def test_the_last_turns_stay_whole_as_long_as_older_ones_can_make_room(made: Turns, bytes_max: int) -> None:
    whole = view_of(messages_of(made))
    fitted = fit_view(whole, bytes_max)
    last = {f"c{n}" for n in range(sum(map(len, made[:-LAST_TURNS])) + 1, sum(map(len, made)) + 1)}
    if fitted is not None and last & set(fitted.dropped):
        assert fitted.summed_up >= len(made) - LAST_TURNS  # nothing older is left


@pytest.mark.req("MOD-04")
def test_results_become_digests_before_any_turn_is_summed_up_and_with_room_left() -> None:
    whole = view_of(messages_of([[(True, 6)]] * 8))
    size = view_bytes(whole)
    fitted = fit_view(whole, size - 1)
    assert fitted is not None and not fitted.summed_up
    assert fitted.dropped == ("c1", "c2", "c3")  # one would do for this turn; three leave a quarter of the room
    assert fitted.size_bytes <= (size - 1) * 3 / 4


@pytest.mark.req("MOD-04")
def test_turns_that_digests_do_not_make_small_enough_end_in_one_note_that_names_calls_and_evidence() -> None:
    made = [[(True, 2)], [(False, 0), (True, 3)], *[[(True, 1)]] * 4]
    fitted = fit_view(view_of(messages_of(made)), 2_400)
    assert fitted is not None and fitted.summed_up >= 2
    note = fitted.view.messages[0]
    assert isinstance(note, HostNote)
    assert "c1 to c" in note.text and "failed or refused 1" in note.text and "evidence E1 to E" in note.text
    assert not any(isinstance(message, HostNote) for message in fitted.view.messages[1:])


def test_what_cannot_fit_is_said_to() -> None:
    assert fit_view(view_of(messages_of([[(True, 6)]])), 100) is None


@pytest.mark.req("MOD-04")
def test_a_view_that_was_fitted_before_is_summed_up_further_from_where_it_stood() -> None:
    messages = messages_of([[(True, 2)]] * 12)
    first = fit_view(view_of(messages), 4_000)
    assert first is not None and first.summed_up
    steps = tuple(step_of(messages[place : place + 2]) for place in range(0, 24, 2))
    size = sum(len(str(message)) for message in first.view.messages)
    before, after = steps[: first.summed_up], steps[first.summed_up :]
    past = Transcript(12, first.view.messages, size, after, reduce(Steps.then, before), first.dropped)
    more = first.view.messages + messages_of([[(True, 4)]])
    again = fit_view(view_of(more), 3_500, past)
    assert again is not None and again.summed_up > first.summed_up
    assert again.view.messages[0] == note_of(reduce(Steps.then, steps[: again.summed_up]))
    assert not set(again.dropped) & set(first.dropped)
