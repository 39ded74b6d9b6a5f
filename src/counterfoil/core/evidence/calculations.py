"""Owns formulas over named operands: reading and evaluating them.

Never: where operands come from, or running anything but + - * / and five functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow

from counterfoil.core.errors import CounterfoilError
from counterfoil.core.evidence.facts import CalculationInput
from counterfoil.core.text.quantities import parse_amount

UNBOUND = "CALCULATION_UNBOUND"
CHARS_MAX = 500
DEPTH_MAX = 40
ROOT_MAX = 100
FORMULA_HELP = (
    "Arithmetic over input names: + - * / ( ), numbers, avg(a, b), min, max, sum, abs, root(x, n). "
    "The formula says everything: "
    "its result is compared with the value exactly as the unit says, so a percentage needs '* 100' in the formula, "
    "e.g. (revenue - cost) / revenue * 100 with unit percent. Each input is the number as written in its evidence, "
    "sign included ((206) is -206), times its multiplier (1000000 for a cell in millions)."
)

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|([^\W\d]\w*)|([-+*/(),]))")
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "（": "(", "）": ")", "，": ","})
_TRAPS = [InvalidOperation, DivisionByZero, Overflow]


def _context() -> Context:
    return Context(prec=50, traps=_TRAPS)


class CalculationError(CounterfoilError):
    """A formula that cannot be read or computed; the message says where and why."""

    category = "request_invalid"

    def __init__(self, message: str) -> None:
        super().__init__(message, code=UNBOUND, hint=FORMULA_HELP)


def _mean(values: Sequence[Decimal]) -> Decimal:
    return _context().divide(_total(values), Decimal(len(values)))


def _total(values: Sequence[Decimal]) -> Decimal:
    total = Decimal(0)
    for value in values:
        total = _context().add(total, value)
    return total


def _root(values: Sequence[Decimal]) -> Decimal:
    """The n-th root of x, given (x, n): a compound annual growth rate is root(last / first, years) - 1."""
    if len(values) != 2 or values[0] <= 0 or not 0 < values[1] <= ROOT_MAX:
        raise CalculationError(f"root(x, n) takes a positive x and an n from 1 to {ROOT_MAX}")
    return _context().power(values[0], _context().divide(Decimal(1), values[1]))


FUNCTIONS: Mapping[str, Callable[[Sequence[Decimal]], Decimal]] = {
    "avg": _mean,
    "sum": _total,
    "min": min,
    "max": max,
    "abs": lambda values: abs(values[0]),
    "root": _root,
}


def _tokens(formula: str, chars_max: int) -> list[str]:
    if len(formula) > chars_max:
        raise CalculationError(f"the formula has {len(formula)} characters, at most {chars_max} are read")
    text = formula.translate(_SIGNS)
    out: list[str] = []
    position = 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            rest = text[position:].strip()
            raise CalculationError(f"cannot read {rest[:20]!r} in the formula; it may hold names, numbers, + - * / ( )")
        out.append(match[1] or match[2] or match[3])
        position = match.end()
    if not out:
        raise CalculationError("the formula is empty")
    return out


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def names_in(formula: str, chars_max: int = CHARS_MAX) -> tuple[str, ...]:
    """The operand names that ``formula`` uses, in order of first use, functions left out.

    Raises CalculationError when it holds a character that no formula has.
    """
    tokens = _tokens(formula, chars_max)
    calls = [a in FUNCTIONS and b == "(" for a, b in zip(tokens, [*tokens[1:], ""], strict=True)]
    return tuple(dict.fromkeys(t for t, call in zip(tokens, calls, strict=True) if _is_name(t) and not call))


class _Parser:
    """Recursive descent over the tokens; computes while it reads."""

    def __init__(self, tokens: list[str], values: Mapping[str, Decimal], depth_max: int) -> None:
        self._tokens = tokens
        self._values = values
        self._depth_max = depth_max
        self._at = 0
        self._context = _context()

    def result(self) -> Decimal:
        value = self._sum(0)
        if self._at < len(self._tokens):
            raise CalculationError(f"unexpected {self._tokens[self._at]!r} after a complete formula")
        return value

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _sum(self, depth: int) -> Decimal:
        if depth > self._depth_max:
            raise CalculationError(f"the formula nests deeper than {self._depth_max} levels")
        value = self._product(depth)
        while self._peek() in ("+", "-"):
            add = self._take() == "+"
            other = self._product(depth)
            value = self._context.add(value, other) if add else self._context.subtract(value, other)
        return value

    def _product(self, depth: int) -> Decimal:
        value = self._signed(depth)
        while self._peek() in ("*", "/"):
            times = self._take() == "*"
            other = self._signed(depth)
            if not times and other == 0:
                raise CalculationError("the formula divides by zero")
            value = self._context.multiply(value, other) if times else self._context.divide(value, other)
        return value

    def _signed(self, depth: int) -> Decimal:
        negative = False
        while self._peek() in ("+", "-"):
            negative ^= self._take() == "-"
        value = self._atom(depth)
        return self._context.minus(value) if negative else value

    def _atom(self, depth: int) -> Decimal:
        token = self._take()
        if token == "(":
            value = self._sum(depth + 1)
            self._close()
            return value
        if not token:
            raise CalculationError("the formula ends where a name or number is due")
        if token in FUNCTIONS and self._peek() == "(":
            return self._call(token, depth)
        if _is_name(token):
            if token not in self._values:
                known = ", ".join(self._values) or "none"
                raise CalculationError(f"the formula names {token!r}, which is no input; inputs are: {known}")
            return self._values[token]
        if token in "+-*/(),":
            raise CalculationError(f"unexpected {token!r} where a name or number is due")
        return Decimal(token)

    def _call(self, name: str, depth: int) -> Decimal:
        self._take()
        values = [self._sum(depth + 1)]
        while self._peek() == ",":
            self._take()
            values.append(self._sum(depth + 1))
        self._close()
        if name == "abs" and len(values) != 1:
            raise CalculationError("abs takes one value")
        return FUNCTIONS[name](values)

    def _close(self) -> None:
        if self._take() != ")":
            raise CalculationError("the formula lacks a closing bracket")


def evaluate(
    formula: str, values: Mapping[str, Decimal], *, chars_max: int = CHARS_MAX, depth_max: int = DEPTH_MAX
) -> Decimal:
    """The value of ``formula`` with ``values`` for its names, to 50 digits.

    Raises CalculationError: unreadable, too long or deep, an unknown name, division by zero, overflow.
    """
    try:
        return _Parser(_tokens(formula, chars_max), values, depth_max).result()
    except DecimalException as error:
        raise CalculationError("the formula's result is too large or undefined") from error


def multiplier_of(given: CalculationInput) -> Decimal | None:
    """The operand's multiplier, None when it is no positive number."""
    amount = parse_amount(given.multiplier)
    return amount.value if amount is not None and amount.value > 0 else None
