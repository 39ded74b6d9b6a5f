"""How work may be split: parts narrow the contract, and shares add up to one at most."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import researching

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.exchange import ProposedCall
from counterfoil.ports.tool import Refused, Split
from counterfoil.tools.run_in_parallel import RunInParallel

CONTRACT = Contract(
    question="Compare North and South.",
    rows=(Row("North", domains=("north.example",)), Row("South", docs=("south.md",))),
    fields=(Field("price"), Field("hours")),
    domains=("north.example", "south.example"),
    forbidden=("purchase",),
    done=("at least 500 words",),
)


def prepared(*parts: dict[str, Any]) -> Refused | Split:
    state = replace(researching(), contract=CONTRACT)
    return RunInParallel().prepare(ProposedCall("c1", "run_in_parallel", {"parts": list(parts)}), state, 0)


@pytest.mark.req("QC-07", "GOV-05")
def test_a_part_keeps_every_bound_of_its_parent_and_narrows_rows_and_fields() -> None:
    split = prepared({"goal": "North?", "rows": ["north"], "fields": ["Price"]}, {"goal": "Both?"})
    assert isinstance(split, Split)
    (north, _), (both, _) = split.parts
    assert (north.question, north.rows, north.fields) == ("North?", CONTRACT.rows[:1], CONTRACT.fields[:1])
    assert (north.domains, north.forbidden, north.done) == (CONTRACT.domains, CONTRACT.forbidden, ())
    assert (both.rows, both.fields) == (CONTRACT.rows, CONTRACT.fields)


@pytest.mark.req("QC-07")
def test_parts_that_name_no_share_divide_what_the_others_leave() -> None:
    split = prepared({"goal": "a", "share": 0.5}, {"goal": "b"}, {"goal": "c"})
    assert isinstance(split, Split)
    assert [share for _, share in split.parts] == [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]


@pytest.mark.req("QC-07")
@pytest.mark.parametrize(
    ("second", "why"),
    [
        ({"goal": " "}, "empty goal"),
        ({"goal": "b", "rows": ["East"]}, "no row or field 'East'"),
        ({"goal": "b", "fields": ["colour"]}, "no row or field 'colour'"),
        ({"goal": "b", "share": 0.8}, "add up to 1.3"),
        ({"goal": "b", "share": -0.1}, "zero or less"),
        ({"goal": "b", "domains": ["elsewhere.example"]}, "unknown field"),
    ],
)
def test_what_is_wrong_with_a_part_is_told(second: dict[str, Any], why: str) -> None:
    refused = prepared({"goal": "a", "share": 0.5}, second)
    assert isinstance(refused, Refused)
    assert why in refused.why


def test_a_share_that_is_all_leaves_nothing_for_a_part_that_names_none() -> None:
    assert isinstance(prepared({"goal": "a", "share": 1}, {"goal": "b"}), Refused)
