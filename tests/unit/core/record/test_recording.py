"""Facts become events, whether they pass or not."""

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_state

from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.policy import effective
from counterfoil.core.record.events import FactRecorded, FactRefused
from counterfoil.core.record.recording import recorded
from counterfoil.wiring import catalogue

STATE = replace(make_state("What?", ["The pass costs $18."]), budget=Budget(effective(catalogue(), {})))


@pytest.mark.req("TSK-03", "LED-07")
def test_a_fact_that_passes_is_recorded_and_one_that_does_not_keeps_its_reason() -> None:
    good = FactDraft(value="18", unit="USD", quote="costs $18", evidence_id="E1")
    bad = FactDraft(value="19", unit="USD", quote="costs $18", evidence_id="E1")
    events, content = recorded((good, bad), STATE, "c9")
    assert [type(event) for event in events] == [FactRecorded, FactRefused]
    assert content["recorded"][0]["id"] == "F1"
    assert content["refused"][0]["code"] == "VALUE_NOT_IN_QUOTE"
