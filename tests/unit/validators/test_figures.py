from __future__ import annotations

import msgspec
import pytest
from tests.unit.builders import make_calculation, make_candidate, make_fact, make_state, row_passage

from counterfoil.validators.figures import Figures

STATE = make_state(
    "What was capex in FY2018?",
    [
        row_passage("Purchases of property", [("(1,577)", "2018")], multiplier="1000000", unit="USD"),
        "A pass costs $18.",
    ],
    unseen=["A bike costs $900."],
)


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    "body",
    [
        "In FY2018 capex was $1.6 billion [E1].",
        "Two passes cost $18 each [E2].",
        "No figure here.",
        "Twice that: $36 [C1].",
        "It costs $18 [F1].",
    ],
)
def test_bound_figures_pass(body: str) -> None:
    calc = make_calculation("a * 2", "36", "USD", a=("E2", "18"))
    state = msgspec.structs.replace(STATE, facts=(make_fact("18", "USD", evidence=["E2"]),))
    assert Figures().check(make_candidate(body, calculations=[calc]), state) == ()


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "code", "needed"),
    [
        ("Capex was $1.7 billion [E1].", "FIGURE_MISMATCH", "(1,577)"),
        ("Capex was $1.6 billion.", "FIGURE_UNSOURCED", "cite [E1]"),
        ("Capex was $1.6 billion [E2].", "FIGURE_MISMATCH", "cite [E1]"),
        ("A bike costs $900 [E2].", "FIGURE_MISMATCH", "$18"),  # E3 was never shown: not offered
        ("There are 2 passes.", "FIGURE_UNSOURCED", "as a word"),
        ("In 1999 it was so [E2].", "FIGURE_MISMATCH", ""),
    ],
)
def test_unbound_figures_name_the_nearest_binding(body: str, code: str, needed: str) -> None:
    (finding,) = Figures().check(make_candidate(body), STATE)
    assert finding.code == code and needed in finding.needed
    assert finding.where.endswith(body[:200])


def test_every_place_is_reported() -> None:
    findings = Figures().check(make_candidate("It costs $5, $6 or $18 [E2]. Also $7."), STATE)
    assert [f.where.split(" in:")[0] for f in findings] == ["$5", "$6", "$7"]


def test_a_shown_number_is_walked_to_only_within_bounds() -> None:
    (finding,) = Figures(passages_max=1).check(make_candidate("It costs $18."), STATE)
    assert "[E2]" not in finding.needed
