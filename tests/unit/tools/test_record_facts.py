"""The facts tool tells of each fact what became of it."""

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_state

from counterfoil.core.exchange import Json, ProposedCall
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.policy import effective
from counterfoil.ports.tool import Failed, Refused, Settled
from counterfoil.tools.record_facts import RecordFacts
from counterfoil.wiring import catalogue

STATE = replace(make_state("q", ["It costs $18."]), budget=Budget(effective(catalogue(), {})))
GOOD = {"value": "18", "unit": "USD", "quote": "costs $18", "evidence_id": "E1"}


def done(**args: object) -> Refused | Settled | Failed:
    return RecordFacts().prepare(ProposedCall("c9", "record_facts", dict(args)), STATE, 0)


@pytest.mark.req("TSK-03")
def test_good_and_bad_facts_are_told_apart() -> None:
    settled = done(facts=[GOOD, {**GOOD, "evidence_id": "E9"}])
    assert isinstance(settled, Settled)
    assert len(settled.content["recorded"]) == 1
    assert settled.content["refused"][0]["code"] == "EVIDENCE_UNKNOWN"


def test_when_no_fact_passes_the_call_failed() -> None:
    failed = done(facts=[{**GOOD, "value": "19"}])
    assert isinstance(failed, Failed)
    assert failed.content["refused"][0]["code"] == "VALUE_NOT_IN_QUOTE"


@pytest.mark.parametrize("args", [{}, {"facts": []}, {"facts": [{"kind": "guess"}]}, {"facts": [{"colour": "red"}]}])
def test_arguments_that_do_not_fit_are_refused(args: Json) -> None:
    assert isinstance(done(**args), Refused)
