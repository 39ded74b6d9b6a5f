from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.evidence.calculations import CalculationError, evaluate, names_in

VALUES = {"a": Decimal(10), "b": Decimal(4), "große_zahl": Decimal(2)}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("(a - b) / a * 100", "60"),
        ("a - b - 1", "5"),
        ("a / b / 2", "1.25"),
        ("-a + +b", "-6"),
        ("a - -b", "14"),
        ("2 * (a + b)", "28"),
        ("avg(a, b)", "7"),
        ("sum(a, b, 1)", "15"),
        ("min(a, b) + max(a, b)", "14"),
        ("abs(b - a)", "6"),
        ("a × große_zahl ÷ 4 − 1", "4"),
        ("avg + 1", None),
    ],
)
def test_formulas(formula: str, value: str | None) -> None:
    if value is None:
        with pytest.raises(CalculationError):
            evaluate(formula, VALUES)
    else:
        assert evaluate(formula, VALUES) == Decimal(value)


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        ("", "empty"),
        ("a / (b - 4)", "divides by zero"),
        ("x + 1", "'x'"),
        ("((a", "closing bracket"),
        ("1 2", "unexpected '2'"),
        ("a ** b", "unexpected '*'"),
        ("abs(a, b)", "one value"),
        ("a +", "ends"),
        ("__import__('os')", "cannot read"),
        ("a.b", "cannot read"),
        ("(" * 60 + "a" + ")" * 60, "deeper"),
        ("a+" * 300 + "a", "characters"),
        ("*".join(["99999999999999999999"] * 20) + "*" + "9" * 60, ""),
    ],
)
def test_what_cannot_be_computed_says_why(formula: str, says: str) -> None:
    if not says:
        assert evaluate(formula, {}) > 0
        return
    with pytest.raises(CalculationError, match="(?i)" + says.replace("*", r"\*").replace("(", r"\(")):
        evaluate(formula, VALUES)


def test_names_are_listed_once_without_functions() -> None:
    assert names_in("avg(revenue, cost) / revenue + max(x, 1)") == ("revenue", "cost", "x")


_numbers = st.integers(-1000, 1000)


@st.composite
def _formulas(draw: st.DrawFn, depth: int = 3) -> tuple[str, Decimal]:
    if depth == 0 or draw(st.booleans()):
        number = draw(_numbers)
        return (str(number) if number >= 0 else f"(-{-number})"), Decimal(number)
    (left, a), (right, b) = draw(_formulas(depth=depth - 1)), draw(_formulas(depth=depth - 1))
    sign = draw(st.sampled_from("+-*"))
    value = a + b if sign == "+" else a - b if sign == "-" else a * b
    return f"({left} {sign} {right})", value


@given(_formulas())
def test_evaluation_agrees_with_arithmetic(built: tuple[str, Decimal]) -> None:
    formula, value = built
    assert evaluate(formula, {}) == value


@given(st.text("ab10+-*/(), .", max_size=30))
def test_any_text_gives_a_number_or_a_reason(text: str) -> None:
    try:
        assert isinstance(evaluate(text, {"a": Decimal(1), "b": Decimal(0)}), Decimal)
    except CalculationError as error:
        assert error.message


def test_a_root_gives_a_compound_rate_and_refuses_what_has_none() -> None:
    assert round(evaluate("(root(b / a, 3) - 1) * 100", {"a": Decimal(100), "b": Decimal("133.1")}), 6) == 10
    for formula in ("root(a)", "root(0 - a, 2)", "root(a, 0)", "root(a, 1000)"):
        with pytest.raises(CalculationError):
            evaluate(formula, {"a": Decimal(4)})
