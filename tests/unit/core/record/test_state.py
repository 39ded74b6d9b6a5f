"""Looking things up in a state."""

import pytest
from tests.unit.core.record.folding import DOCUMENT, SEGMENT, after, researching, turn

from counterfoil.core.evidence.passages import Passage, Segment
from counterfoil.core.record import events as e

TWO = Segment("north.md", 1, 2, "One.Two.", (Passage(0, 4, "One."), Passage(4, 8, "Two.")))
READ = after(
    researching(),
    *turn(1, "search_public_sources", "read_public_source", "read_public_source"),
    e.SourceRegistered("S1", DOCUMENT, "c1"),
    e.EvidenceRead("S1", SEGMENT, 1, "c2"),
    e.EvidenceRead("S1", TWO, 2, "c3"),
)


@pytest.mark.parametrize(("evidence", "text"), [("E1", "It costs $18."), ("E2", "One."), ("E3", "Two.")])
def test_an_evidence_id_opens_its_passage(evidence: str, text: str) -> None:
    found = READ.evidence(evidence)
    assert found is not None
    assert (found.passage.text, found.source.handle) == (text, "S1")


@pytest.mark.parametrize("evidence", ["E0", "E4", "S1", "", "E999999999"])
def test_an_id_that_was_never_issued_opens_nothing(evidence: str) -> None:
    assert READ.evidence(evidence) is None
    assert not READ.shown(evidence)


def test_a_passage_is_shown_once_a_later_request_carries_it() -> None:
    assert not READ.shown("E1")
    assert after(READ, e.ModelCallReserved("m2", "research", (), (), {}, "")).shown("E1")


def test_a_segment_that_was_not_read_has_no_reading() -> None:
    assert READ.reading("S1", 1) is not None
    assert READ.reading("S1", 7) is None
