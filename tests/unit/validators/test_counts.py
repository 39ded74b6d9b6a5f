from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_candidate, make_fact, make_state

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.record.measured import measured
from counterfoil.core.record.state import RunState
from counterfoil.validators.counts import Counts


def state(*done: str) -> RunState:
    base = make_state(passages=["A pass costs $18."], facts=[make_fact("18", "USD")])
    return replace(base, contract=replace(base.contract, done=done))


@pytest.mark.req("QC-05")
def test_fewer_than_asked_is_rejected_with_what_was_counted_and_the_gap_to_declare() -> None:
    (finding,) = Counts().check(make_candidate("Tiers:\n\n- one [E1]\n- two"), state("3 tiers"))
    assert finding.code == "COUNT_NOT_MET" and "counted 2" in finding.needed and 'field "tiers"' in finding.needed


def test_more_than_allowed_is_rejected_too() -> None:
    (finding,) = Counts().check(make_candidate("one two three"), state("no more than 2 words"))
    assert "at most 2 words; counted 3" in finding.needed


def test_what_is_met_or_declared_missing_or_not_countable_passes() -> None:
    body = "Tiers:\n\n- one\n- two"
    assert Counts().check(make_candidate(body), state("two tiers", "two widgets")) == ()
    gap = Gap(field="tiers", why="only two are listed")
    assert Counts().check(make_candidate(body, gaps=[gap]), state("3 tiers")) == ()


def test_sources_are_documents_cited_not_marks() -> None:
    (count,) = measured(make_candidate("A [E1]. B [E1]. C [F1]."), state("2 sources"))
    assert (count.measured, count.met) == (1, False)
