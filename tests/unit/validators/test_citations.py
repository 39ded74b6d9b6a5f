from __future__ import annotations

import pytest
from tests.unit.builders import make_calculation, make_candidate, make_fact, make_state

from counterfoil.validators.citations import Citations

STATE = make_state(passages=["It costs $18."], unseen=["It costs $20."], facts=[make_fact("18", "USD")])
CALC = make_calculation("a * 2", "36", None, a=("E1", "18"))


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize("body", ["It costs $18 [E1].", "$18 [F1] and [E1]", "$36 [C1]", "no mark", "[1] [note]"])
def test_known_and_seen_citations_pass(body: str) -> None:
    assert Citations().check(make_candidate(body, calculations=[CALC]), STATE) == ()


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "code", "needed"),
    [
        ("[E3]", "CITATION_UNKNOWN", "E1 and E2"),
        ("[E1, E77]", "CITATION_UNKNOWN", "E1 and E2"),
        ("[E2]", "CITATION_NOT_SHOWN", "shown"),
        ("[C2]", "CITATION_UNKNOWN", "C1"),
        ("[F2]", "CITATION_UNKNOWN", "F1"),
        ("[R1]", "CITATION_UNKNOWN", "[E...]"),
        ("[S1]", "CITATION_UNKNOWN", "handle"),
    ],
)
def test_others_are_named_with_what_would_do(body: str, code: str, needed: str) -> None:
    (finding,) = Citations().check(make_candidate(body, calculations=[CALC]), STATE)
    assert finding.code == code and needed in finding.needed and finding.where in body.replace("[E1, E77]", "[E77]")


def test_each_id_is_named_once_and_operands_count() -> None:
    unseen = make_calculation("a * 2", "40", None, a=("E2", "20"))
    findings = Citations().check(make_candidate("[E9] and [E9]", calculations=[unseen]), STATE)
    assert [f.code for f in findings] == ["CITATION_UNKNOWN", "CITATION_NOT_SHOWN"]
    nothing = Citations().check(make_candidate("[E1]"), make_state())
    assert "nothing has been read" in nothing[0].needed
