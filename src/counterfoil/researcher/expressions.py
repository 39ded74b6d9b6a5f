"""Owns formulas before they are bound: trees over named quantities and periods, from data or from a question.

Never: values (``binding``), or the arithmetic itself (``compute``).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from counterfoil.researcher.periods import Period

_FUNCTIONS = ("avg", "prev", "mean", "abs", "root")
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([-+*/(),]))")


class Number(msgspec.Struct, frozen=True):
    """A constant."""

    text: str


class Name(msgspec.Struct, frozen=True):
    """A quantity by name; ``period`` when the text states it, else the period asked for."""

    name: str
    period: Period | None = None


class Binary(msgspec.Struct, frozen=True):
    """Two nodes and a sign between them."""

    sign: str
    left: Node
    right: Node


class Call(msgspec.Struct, frozen=True):
    """``prev(x)`` is x a year before, ``avg(x)`` the mean of this and the one before, ``mean(a, b)`` of all given,
    ``root(x, n)`` the n-th root."""

    function: str
    arguments: tuple[Node, ...]


Node = Number | Name | Binary | Call


class ExpressionError(ValueError):
    """A text is not a formula."""


class Operand(msgspec.Struct, frozen=True):
    """A quantity at a period: what has to be found in a document. ``period`` None is the latest there is."""

    name: str
    period: Period | None

    @property
    def id(self) -> str:
        """The operand's name in a formula: "revenue_2018"."""
        stem = re.sub(r"\W+", "_", self.name).strip("_")
        return f"{stem}_{self.period.name}" if self.period else stem


def parse(text: str, leaf: Callable[[str], Node] | None = None) -> Node:
    """Parse a formula over identifiers; raise ``ExpressionError`` when it is none."""
    return _Parser(_tokens(text), leaf or (lambda name: Name(name.replace("_", " ")))).whole()


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ExpressionError(text[at : at + 20])
        found.append(match.group().strip())
        at = match.end()
    return found


class _Parser:
    """A recursive descent over tokens; ``*`` and ``/`` bind tighter than ``+`` and ``-``."""

    def __init__(self, tokens: list[str], leaf: Callable[[str], Node]) -> None:
        self._tokens = tokens
        self._at = 0
        self._leaf = leaf

    def whole(self) -> Node:
        node = self._sum()
        if self._peek() is not None:
            raise ExpressionError(f"unexpected {self._peek()}")
        return node

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> str:
        token = self._peek()
        if token is None:
            raise ExpressionError("formula ends early")
        self._at += 1
        return token

    def _sum(self) -> Node:
        node = self._product()
        while self._peek() in ("+", "-"):
            node = Binary(self._next(), node, self._product())
        return node

    def _product(self) -> Node:
        node = self._atom()
        while self._peek() in ("*", "/"):
            node = Binary(self._next(), node, self._atom())
        return node

    def _atom(self) -> Node:
        token = self._next()
        if token == "(":
            node = self._sum()
            self._expect(")")
            return node
        if token == "-":
            return Binary("-", Number("0"), self._atom())
        if token[0].isdigit():
            return Number(token)
        if not (token[0].isalpha() or token[0] == "_"):
            raise ExpressionError(f"unexpected {token}")
        if self._peek() == "(" and token in _FUNCTIONS:
            return Call(token, self._arguments())
        return self._leaf(token)

    def _arguments(self) -> tuple[Node, ...]:
        self._expect("(")
        found = [self._sum()]
        while self._peek() == ",":
            self._next()
            found.append(self._sum())
        self._expect(")")
        return tuple(found)

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise ExpressionError(f"expected {token}")


def operands(node: Node, period: Period | None) -> list[Operand]:
    """Return every quantity a tree needs, in order, without duplicates."""
    found: list[Operand] = []

    def visit(at: Node, when: Period | None) -> None:
        if isinstance(at, Name):
            found.append(Operand(at.name, at.period or when))
        elif isinstance(at, Binary):
            visit(at.left, when)
            visit(at.right, when)
        elif isinstance(at, Call):
            for argument in at.arguments:
                for shifted in _shifts(at.function, when):
                    visit(argument, shifted)

    visit(node, period)
    return list(dict.fromkeys(found))


def _shifts(function: str, period: Period | None) -> tuple[Period | None, ...]:
    before = period.before() if period else None
    return {"avg": (period, before), "prev": (before,)}.get(function, (period,))


def render(node: Node, period: Period | None, name: Callable[[Operand], str]) -> str:
    """Write a tree in the grammar of bound calculations, ``name`` giving each operand its text."""
    if isinstance(node, Number):
        return node.text
    if isinstance(node, Name):
        return name(Operand(node.name, node.period or period))
    if isinstance(node, Binary):
        left, right = render(node.left, period, name), render(node.right, period, name)
        if node.sign in "*/" and _loose(node.left):
            left = f"({left})"
        if (node.sign in "*/-" and _loose(node.right)) or (node.sign == "/" and isinstance(node.right, Binary)):
            right = f"({right})"
        return f"{left} {node.sign} {right}"
    parts = [render(a, shifted, name) for a in node.arguments for shifted in _shifts(node.function, period)]
    if node.function == "prev":
        return f"({parts[0]})" if _loose(node.arguments[0]) else parts[0]
    written = node.function if node.function in ("abs", "root") else "avg"
    return f"{written}({', '.join(parts)})"


def _loose(node: Node) -> bool:
    return isinstance(node, Binary) and node.sign in "+-"


def replace(node: Node, name: str, by: Node) -> Node:
    """Return the tree with every quantity called ``name`` replaced, keeping the period it was named with."""
    if isinstance(node, Name):
        return _dated(by, node.period) if node.name == name else node
    if isinstance(node, Binary):
        return Binary(node.sign, replace(node.left, name, by), replace(node.right, name, by))
    if isinstance(node, Call):
        return Call(node.function, tuple(replace(a, name, by) for a in node.arguments))
    return node


def _dated(node: Node, period: Period | None) -> Node:
    if period is None:
        return node
    if isinstance(node, Name):
        return Name(node.name, node.period or period)
    if isinstance(node, Binary):
        return Binary(node.sign, _dated(node.left, period), _dated(node.right, period))
    if isinstance(node, Call) and node.function in ("mean", "abs", "root"):
        return Call(node.function, tuple(_dated(a, period) for a in node.arguments))
    return node
