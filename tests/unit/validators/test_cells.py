from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_candidate, make_fact, make_state

from counterfoil.core.answer.candidate import Gap
from counterfoil.core.answer.contract import Field
from counterfoil.core.exchange import ProposedCall
from counterfoil.core.record.register import Register
from counterfoil.core.record.state import SEARCH_TOOL, Call
from counterfoil.validators.cells import Cells


def fact(row: str, field: str, kind: str = "stated"):  # type: ignore[no-untyped-def]
    return make_fact("18", row=row, field=field, kind=kind)


FIELDS = [Field("price", "money"), Field("rides", "text"), Field("source_url", "url")]


@pytest.mark.req("TSK-07")
def test_filled_or_declared_cells_pass() -> None:
    facts = [fact("North", "price"), fact("North", "rides", "not_found")]
    state = make_state(rows=["North", "South"], fields=FIELDS, facts=facts)
    for gaps in ([Gap("south")], [Gap("South", "price"), Gap("South", "rides")], [Gap()]):
        assert Cells().check(make_candidate("x", gaps=gaps), state) == ()
    assert Cells().check(make_candidate("x"), make_state()) == ()


@pytest.mark.req("TSK-07")
def test_missing_cells_and_rows_are_named() -> None:
    state = make_state(rows=["North", "South"], fields=FIELDS, facts=[fact("North", "price")])
    findings = Cells().check(make_candidate("x"), state)
    assert [(f.code, f.where) for f in findings] == [("FIELD_MISSING", "North / rides"), ("ROW_MISSING", "South")]
    partly = Cells().check(make_candidate("x", gaps=[Gap("South", "price")]), state)
    assert [f.where for f in partly] == ["North / rides", "South / rides"]
    wrong = Cells().check(make_candidate("x", gaps=[Gap("East")]), state)
    assert len(wrong) == 2


def test_rows_or_fields_alone() -> None:
    rows = make_state(rows=["North", "South"])
    assert [f.where for f in Cells().check(make_candidate("north costs $18"), rows)] == ["South"]
    assert Cells().check(make_candidate("North and", gaps=[Gap("South")]), rows) == ()
    fields = make_state(fields=FIELDS, facts=[fact("", "price")])
    assert [f.where for f in Cells().check(make_candidate("x"), fields)] == ["rides"]
    assert Cells().check(make_candidate("x", gaps=[Gap("", "rides")]), fields) == ()


@pytest.mark.req("TSK-06")
def test_a_gap_does_not_rest_on_searches_for_another_row() -> None:
    state = make_state(rows=["North", "South"], fields=FIELDS)
    calls = {
        f"c{number}": Call(ProposedCall(f"c{number}", SEARCH_TOOL, args), "m1", "settled")
        for number, args in enumerate(
            ({"query": "q"}, {"query": "q", "row": "North"}, {"query": "q", "row": "South"}), 1
        )
    }
    state = replace(state, calls=Register(calls))

    def found(*named: str) -> list[str]:
        gaps = [Gap("North"), Gap("South", search_calls=named)]
        return [f.where for f in Cells().check(make_candidate("x", gaps=gaps), state)]

    assert found() == found("c3") == found("c1") == found("c2", "c3") == []
    assert found("c2") == found("c9") == ["South"]


@pytest.mark.req("TSK-06")
def test_nothing_is_not_found_where_nobody_looked() -> None:
    state = replace(make_state(rows=["North"], fields=FIELDS), calls=Register())
    declared = make_candidate("x", gaps=[Gap("North")])
    assert [finding.code for finding in Cells().check(declared, state)] == ["ROW_MISSING"]
    open_gap = make_candidate("x", gaps=[Gap("North", state="unresolved")])
    assert Cells().check(open_gap, state) == ()
