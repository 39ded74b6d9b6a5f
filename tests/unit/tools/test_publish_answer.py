"""The publish tool: a candidate, and what it is charged to."""

import pytest
from tests.unit.core.record.folding import after, researching, turn

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.exchange import ProposedCall
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Judged, Refused
from counterfoil.tools.publish_answer import PublishAnswer

FINALIZING = after(researching(), e.PhaseChanged(Phase.FINALIZE_ONLY, "spent"))


def proposed(state: RunState, **args: object) -> e.PublicationProposed:
    judged = PublishAnswer().prepare(ProposedCall("c1", "publish_answer", dict(args)), state, 0)
    assert isinstance(judged, Judged)
    last = judged.events[-1]
    assert isinstance(last, e.PublicationProposed)
    return last


def rejected(state: RunState) -> RunState:
    number = len(state.publications) + 1
    state = after(state, *turn(number, "publish_answer"), proposed(state, body="x"))
    return after(state, e.PublicationRejected(f"P{number}", (), ()), e.ToolCallFailed("c1", "X", "internal", "x"))


@pytest.mark.req("TSK-08")
def test_in_research_an_attempt_is_charged() -> None:
    assert proposed(researching(), body="x", finish=True).charged == "run/publication-attempts"
    assert proposed(researching(), body="x", finish=True).candidate == Candidate("P1", "x", finish=True)


@pytest.mark.req("TSK-08")
def test_in_finalization_the_first_is_free_and_what_follows_a_rejection_is_a_correction() -> None:
    assert proposed(FINALIZING, body="x").charged is None
    assert proposed(rejected(FINALIZING), body="x").charged == "run/corrections"


def test_without_corrections_left_it_is_refused_with_the_policy() -> None:
    spent = rejected(rejected(rejected(FINALIZING)))
    refused = PublishAnswer().prepare(ProposedCall("c1", "publish_answer", {"body": "x"}), spent, 0)
    assert isinstance(refused, Refused)
    assert refused.policy == "run/corrections"


def test_arguments_that_do_not_fit_are_refused() -> None:
    refused = PublishAnswer().prepare(ProposedCall("c1", "publish_answer", {"text": "x"}), researching(), 0)
    assert isinstance(refused, Refused)
