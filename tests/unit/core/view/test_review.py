"""Reviews show the author's own criteria with the questions of its kind, and the answer itself to a reviewer."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import after
from tests.unit.core.record.reviewed_runs import accepted, pending

from counterfoil.core.exchange import HostNote, ToolResult
from counterfoil.core.record import reviews as r
from counterfoil.core.record.notes import WorkKind, WorkPlan
from counterfoil.core.view.build import view_delta
from counterfoil.core.view.review import self_review_note, view_for
from counterfoil.wiring.hosts import prompts

TEXT = prompts()


@pytest.mark.req("QC-04", "QC-03")
def test_each_kind_has_questions_of_its_own_and_the_criteria_stand_as_written() -> None:
    notes = {}
    for kind in get_args(WorkKind):
        state = replace(pending(), plan=WorkPlan(kind, ("every {questions} is dated",)))
        notes[kind] = self_review_note(state, TEXT["self_review"])
        assert "- every {questions} is dated" in notes[kind]
        assert "##" not in notes[kind]
    assert len(set(notes.values())) == 6
    assert "120 words" in notes["outreach"]


def test_without_a_plan_the_kind_is_the_contracts() -> None:
    note = self_review_note(pending(), TEXT["self_review"])
    assert "no criteria" in note
    assert "single source" in note


@pytest.mark.req("QC-04", "LED-11")
def test_the_author_sees_its_answer_and_the_hash_holds_the_question() -> None:
    state = after(pending(), r.SelfReviewAsked("P1"))
    view = view_for(state, "self_review", TEXT)
    assert isinstance(view.messages[-1], HostNote)
    assert any(isinstance(m, ToolResult) and "waiting" in m.content for m in view.messages)
    other = view_for(state, "self_review", {**TEXT, "self_review": TEXT["self_review"].replace("once", "twice")})
    assert view_delta(state, view)[1] != view_delta(state, other)[1]


@pytest.mark.req("QC-06", "WEB-07")
def test_a_reviewer_sees_the_answer_whole_and_fenced() -> None:
    state = after(accepted(), r.ReviewerAsked("P1", "finish_accepted"))
    (shown,) = view_for(state, "reviewer", TEXT).messages
    assert isinstance(shown, ToolResult)
    assert (shown.content["answer"], shown.untrusted) == ("It costs $18.", True)
    assert shown.fence
