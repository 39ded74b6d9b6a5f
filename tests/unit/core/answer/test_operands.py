from __future__ import annotations

from decimal import Decimal

from tests.unit.builders import make_evidence, row_passage

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.held import of_evidence
from counterfoil.core.answer.operands import gives, operand_of, ordered, result_of
from counterfoil.core.text.quantities import parse_amount

ROW = row_passage("Capex", [("(1,577)", "2018"), ("(1,373)", "2017")], multiplier="1000000", unit="USD")
LATER, EARLIER = of_evidence(make_evidence(ROW))


def test_an_operand_keeps_its_place_in_the_document() -> None:
    operand = operand_of("a", LATER, sign=1)
    assert operand.value == Decimal(1_577_000_000) and operand.formula == "-a"
    (given,) = operand.inputs
    assert (given.evidence_id, given.value, given.header, given.multiplier) == ("E1", "(1,577)", "2018", "1000000")


def test_a_result_is_told_with_its_formula_and_operands() -> None:
    pair = [operand_of("a", EARLIER, sign=1), operand_of("b", LATER, sign=1)]
    result = result_of("({1} - {0}) / {0} * 100", pair, "percent", change=True)
    assert result is not None and result.formula == "((-b) - (-a)) / (-a) * 100" and len(result.inputs) == 2
    written = parse_amount("14.9%")
    assert written is not None and gives(result, written, Beside(direction=1))
    assert gives(result, written, Beside(direction=-1)) is None, "the direction that is said contradicts it"
    assert result_of("{0} / ({0} - {0})", pair, None) is None


def test_the_earlier_of_two_is_the_base_then_the_older_then_the_first() -> None:
    old, new = operand_of("a", EARLIER, start=9), operand_of("b", LATER, start=1)
    assert ordered(old, new) == ordered(new, old) == (old, new)
    base = operand_of("c", LATER, start=20, said=Beside(role="base"))
    assert ordered(old, base) == (base, old)
