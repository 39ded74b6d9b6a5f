from __future__ import annotations

import pytest

from counterfoil.researcher.expressions import ExpressionError, Name, Number, operands, parse, render, replace
from counterfoil.researcher.periods import Period

NOW = Period(2022)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(a - b) / a", "(a_2022 - b_2022) / a_2022"),
        ("a / avg(b)", "a_2022 / avg(b_2022, b_2021)"),
        ("(a - prev(a)) / prev(a)", "(a_2022 - a_2021) / a_2021"),
        ("a / (b / c)", "a_2022 / (b_2022 / c_2022)"),
        ("root(a / prev(prev(a)), 2) - 1", "root(a_2022 / a_2020, 2) - 1"),
        ("-a", "0 - a_2022"),
    ],
)
def test_a_formula_is_written_with_an_operand_for_each_period(text: str, written: str) -> None:
    assert render(parse(text), NOW, lambda operand: operand.id) == written


@pytest.mark.parametrize("text", ["", "a +", "(a", "a b", "a ; b", "avg(a", "3 *"])
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse(text)


def test_operands_come_once_each_and_with_their_own_period_where_one_is_given() -> None:
    tree = replace(parse("a + b + a"), "b", Name("c", Period(2019)))
    assert [operand.id for operand in operands(tree, NOW)] == ["a_2022", "c_2019"]


def test_a_quantity_replaced_by_its_formula_keeps_the_period_it_was_named_with() -> None:
    tree = replace(Name("x", Period(2020)), "x", parse("a - b"))
    assert [operand.id for operand in operands(tree, NOW)] == ["a_2020", "b_2020"]
    assert parse("2") == Number("2")
