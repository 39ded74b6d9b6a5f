from __future__ import annotations

import pytest
from tests.unit.builders import make_calculation, make_state, row_passage

from counterfoil.core.answer.calculation_check import check_calculation
from counterfoil.core.evidence.facts import Calculation

STATE = make_state(
    passages=[
        row_passage("Net sales", [("32,765", "2018"), ("31,657", "2017")], multiplier="1000000", unit="USD"),
        row_passage("Net income (loss)", [("(206)", "2018"), ("4,858", "2017")], multiplier="1000000", unit="USD"),
        "The fleet grew to 1.6 million bikes.",
        row_passage("Shares", [("601", "2018"), ("612", "2018")]),
    ]
)


@pytest.mark.req("TSK-04")
@pytest.mark.parametrize(
    "calc",
    [
        make_calculation(
            "(a - b) / b * 100", "3.5", "percent", a=("E1", "32,765", "1000000"), b=("E1", "31,657", "1000000")
        ),
        make_calculation(
            "a - b",
            "1,108",
            "USD millions",
            a=("E1", "32,765", "1000000", "2018"),
            b=("E1", "31657", "1000000", "2017"),
        ),
        make_calculation("a / b", "-0.0063", None, a=("E2", "(206)", "1000000"), b=("E1", "32,765", "1000000")),
        make_calculation("a / b", "-0.0063", None, a=("E2", "-206", "1000000"), b=("E1", "32,765", "1000000")),
        make_calculation("a * 2", "3.2 million", None, a=("E3", "1.6", "1000000")),
        make_calculation("a * 2", "3.2 million", None, a=("E3", "1.6 million")),
        make_calculation("avg(a, b)", "606.5", None, a=("E4", "601", "1", "2018"), b=("E4", "612", "1", "2018")),
    ],
)
def test_bound_calculations_pass(calc: Calculation) -> None:
    assert check_calculation(calc, STATE.evidence) == ()


@pytest.mark.parametrize(
    ("calc", "needed"),
    [
        (make_calculation("a", "5", None, a=("E99", "5")), "E99"),
        (make_calculation("a - b", "1", None, a=("E1", "32,766", "1000000"), b=("E1", "31,657", "1000000")), "32,765"),
        (make_calculation("a * 1", "31,657", "USD millions", a=("E1", "31,657", "1000000", "2018")), "32,765"),
        (make_calculation("a * 1", "1", None, a=("E1", "32,765", "1000000", "2019")), "2018"),
        (make_calculation("a * 1", "32,765", None, a=("E1", "32,765", "1000")), "1000000"),
        (make_calculation("a * 1", "206", "USD millions", a=("E2", "206", "1000000")), "(206)"),
        (make_calculation("a * 2", "3.2", None, a=("E3", "1.6")), "1000000"),
        (
            make_calculation(
                "(a - b) / b", "3.5", "percent", a=("E1", "32,765", "1000000"), b=("E1", "31,657", "1000000")
            ),
            "* 100",
        ),
        (
            make_calculation(
                "a - b", "1,109", "USD millions", a=("E1", "32,765", "1000000"), b=("E1", "31,657", "1000000")
            ),
            "1,108",
        ),
        (make_calculation("a / 0", "1", None, a=("E1", "32,765", "1000000")), "zero"),
        (make_calculation("c", "1", None, a=("E1", "32,765", "1000000")), "'c'"),
        (make_calculation("7 * 6", "42", None, a=("E1", "32,765", "1000000")), "names its inputs"),
        (make_calculation("7 * 6", "42"), "at least one input"),
        (make_calculation("a * 1", "lots", None, a=("E1", "32,765", "1000000")), "one number"),
        (make_calculation("a * 1", "1", None, a=("E1", "32,765", "a lot")), "multiplier"),
    ],
)
def test_unbound_calculations_say_what_would_bind_them(calc: Calculation, needed: str) -> None:
    findings = check_calculation(calc, STATE.evidence)
    assert findings and all(f.code == "CALCULATION_UNBOUND" for f in findings)
    assert needed in findings[0].needed and calc.id in findings[0].where


@pytest.mark.parametrize("written", ["(64)", "-64"])
def test_a_short_negative_cell_binds_as_the_table_writes_it(written: str) -> None:
    state = make_state("q", [row_passage("Other expense", [("(64)", "2022")], multiplier="1000000")])
    good = make_calculation("a * 2", "-128", "USD millions", a=("E1", written, "1000000"))
    assert check_calculation(good, state.evidence) == ()
    assert check_calculation(
        make_calculation("a * 2", "128", "USD millions", a=("E1", "64", "1000000")), state.evidence
    )
