"""What a candidate has of what was asked is counted over the documents that it cites."""

from __future__ import annotations

import pytest
from tests.unit.builders import make_state

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.record.measured import cited_evidence, measured


@pytest.mark.req("QC-05")
def test_sources_are_documents_cited_and_each_passage_stands_once() -> None:
    state = make_state("Name 2 sources.", ["It costs $18.", "It ends at midnight."])
    candidate = Candidate("P1", "It costs $18 [E1]. It ends at midnight [E2], as said [E1]. More [E9].")
    assert [evidence.id for evidence in cited_evidence(candidate, state)] == ["E1", "E2"]
    (count,) = measured(candidate, state)
    assert (count.unit, count.measured, count.met) == ("sources", 1, False)
