"""The finish tool verifies by rule."""

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import researching

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.exchange import ProposedCall
from counterfoil.core.record import events as e
from counterfoil.core.record.state import Publication
from counterfoil.ports.tool import Failed, Refused, Settled
from counterfoil.tools.finish_research import FinishResearch

PUBLISHED = replace(researching(), publications=(Publication(Candidate("P1", "x"), "c1", "accepted"),))


def call(**args: object) -> ProposedCall:
    return ProposedCall("c1", "finish_research", dict(args))


@pytest.mark.req("TSK-14")
def test_an_accepted_publication_is_enough() -> None:
    settled = FinishResearch().prepare(call(outcome="completed"), PUBLISHED, 0)
    assert isinstance(settled, Settled)
    assert settled.events[-1] == e.FinishAccepted("c1", no_answer=False)


@pytest.mark.req("TSK-14")
def test_limitations_end_a_run_with_no_answer_and_silence_does_not() -> None:
    settled = FinishResearch().prepare(call(limitations=["not in the documents"]), researching(), 0)
    assert isinstance(settled, Settled)
    assert settled.events[-1] == e.FinishAccepted("c1", no_answer=True)
    failed = FinishResearch().prepare(call(outcome="completed", limitations=[" "]), researching(), 0)
    assert isinstance(failed, Failed)
    assert isinstance(failed.events[-1], e.FinishRefused)


def test_arguments_that_do_not_fit_are_refused() -> None:
    assert isinstance(FinishResearch().prepare(call(limitations="none"), researching(), 0), Refused)
