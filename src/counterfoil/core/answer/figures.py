"""Owns binding the figures of an answer: each to a number in what its own sentence, bullet or row cites.

Never: searching pairs of numbers for a calculation that happens to fit, or binding to a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.held import Held
from counterfoil.core.answer.judging import Judge
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.answer.verdict import Verdict
from counterfoil.core.evidence.facts import Calculation, Fact
from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.marks import without_marks
from counterfoil.core.text.quantities import Quantity, guess_decimal
from counterfoil.core.text.vocabulary import NO_WORDS, Vocabulary

FigureState = Literal["bound", "free", "unsourced", "mismatch"]


class Figure(msgspec.Struct, frozen=True):
    """A figure of the body with its judgement. ``start`` and ``end`` are positions in the body.

    ``citation`` is what it is bound to. ``nearest`` says what would bind it when it is not. ``calculation`` is set
    when it follows from bound numbers, ``warning`` when it is bound with a reservation (PERCENT_AS_POINTS).
    """

    quantity: Quantity
    start: int
    end: int
    scope: Scope
    state: FigureState
    citation: str | None = None
    nearest: str = ""
    calculation: Calculation | None = None
    warning: str = ""
    said: Beside = Beside()  # what stands beside it
    held: Held | None = None  # the number that it is bound to, without a calculation


class Base(msgspec.Struct, frozen=True):
    """What figures are held against. ``occurs`` says whether a name stands anywhere in what was read.

    ``everything`` yields what the model has seen; it is walked to name the nearest binding, for rows beside a cited
    one, and for the document's fiscal calendar. ``vocabulary`` names terms and formulas.
    """

    contract: Contract
    evidence: Callable[[str], Evidence | None]
    facts: tuple[Fact, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    as_of: str = ""
    occurs: Callable[[str], bool] = lambda name: False
    everything: Callable[[], Iterable[Evidence]] = tuple
    vocabulary: Vocabulary = NO_WORDS


def judge_figures(body: str, base: Base) -> tuple[Figure, ...]:
    """Every figure of a Markdown body, in order, with its state. List numbers and marks are no figures."""
    judge = Judge(
        base.contract, base.evidence, base.facts, base.calculations, base.as_of, base.occurs, base.everything,
        base.vocabulary,
    )  # fmt: skip
    scopes = split_scopes(body)
    mark = guess_decimal(without_marks(body))
    out: list[Figure] = []
    for index, scope in enumerate(scopes):
        cited = _section(scopes, index) if scope.kind == "heading" else scope.cited
        out.extend(_figure(scope, verdict) for verdict in judge.judge(scope, cited, mark))
    return tuple(out)


def _figure(scope: Scope, verdict: Verdict) -> Figure:
    quantity = verdict.quantity
    return Figure(
        quantity, scope.start + quantity.start, scope.start + quantity.end, scope, verdict.state, verdict.citation,
        verdict.nearest, verdict.calculation, verdict.warning, verdict.said,
        verdict.operand.held if verdict.operand else None,
    )  # fmt: skip


def _section(scopes: tuple[Scope, ...], index: int) -> tuple[str, ...]:
    """What the text below a heading cites, up to the next heading."""
    ids = list(scopes[index].cited)
    for scope in scopes[index + 1 :]:
        if scope.kind == "heading" and not scope.text.lstrip().startswith("|"):
            break
        ids.extend(scope.cited)
    return tuple(dict.fromkeys(ids))
