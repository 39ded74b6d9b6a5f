from __future__ import annotations

import pytest
from tests.unit.builders import make_calculation, make_candidate, make_document, make_state

from counterfoil.core.answer.contract import Row
from counterfoil.validators.off_domain import OffDomain

CALC = make_calculation("a * 2", "36", None, a=("E1", "18"))


@pytest.mark.req("TSK-07")
def test_citations_from_allowed_domains_pass() -> None:
    candidate = make_candidate("$18 [E1]", calculations=[CALC])
    for state in (
        make_state(passages=["$18"]),
        make_state(passages=["$18"], domains=["citynorth.gov"]),
        make_state(passages=["$18"], rows=[Row("N", ("citynorth.gov",)), Row("S", ("citysouth.example",))]),
        make_state(passages=["$18"], rows=[Row("N", ("other.gov",)), Row("S")]),  # one row is open to all
        make_state(passages=["$18"], domains=["x.gov"], rows=[Row("N", (), ("passes",))]),  # named document
    ):
        assert OffDomain().check(candidate, state) == ()


@pytest.mark.req("TSK-07")
def test_others_are_findings() -> None:
    state = make_state(passages=["$18"], domains=["citysouth.example"])
    (finding,) = OffDomain().check(make_candidate("$18 [E1]"), state)
    assert finding.code == "CITATION_OFF_DOMAIN" and "E1" in finding.where and "citysouth.example" in finding.needed
    assert len(OffDomain().check(make_candidate("x", calculations=[CALC]), state)) == 1
    local = make_state(passages=["$18"], domains=["citynorth.gov"], document=make_document("file:///a.pdf"))
    assert len(OffDomain().check(make_candidate("$18 [E1]"), local)) == 1
