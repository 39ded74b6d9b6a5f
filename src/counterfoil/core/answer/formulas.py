"""Owns formulas by name: those of the vocabulary, and those that the question defines, over rows that are cited.

Never: an operand that is not a row whose label names the term, in the figure's own period.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from counterfoil.core.answer.held import Held
from counterfoil.core.answer.operands import Operand, Result, operand_of, result_of
from counterfoil.core.evidence.calculations import CalculationError, names_in
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.periods import find_periods
from counterfoil.core.text.stems import stems
from counterfoil.core.text.vocabulary import Formula, Term, Vocabulary

_AVG, _PREV = re.compile(r"\bavg\(\s*(\w+)\s*\)"), re.compile(r"\bprev\(\s*(\w+)\s*\)")
_PREVIOUS = "_before"
_DEFINED = re.compile(
    r"([\w&%/\- ]{2,60}?)\s+(?:is|are|as|being)?\s*(?:here\s+)?(?:defined|calculated|computed)\s+(?:as"
    r"|by)(?:\s+follows)?\s*:?\s*((?:[^?;.]|\.(?!\s))+)",
    re.IGNORECASE,
)
_SIGNS = {
    "divided by": "/", "over": "/", "plus": "+", "minus": "-", "less": "-", "times": "*", "multiplied by": "*",
    "–": "-", "−": "-", "—": "-", "×": "*", "÷": "/", "+": "+", "-": "-", "/": "/", "*": "*", "(": "(", ")": ")",
}  # fmt: skip
_BETWEEN = re.compile(r"\bbetween\s+and\b|\bfrom\s+to\b|\b(?:in|for|of|at)\s*$|^\s*and\b", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:the\s+)?(?:(?P<average>average|mean)(?:\s+of)?|(?:change|increase|decrease) in)\s+(?:the\s+)?", re.IGNORECASE
)
_SIGN = re.compile(
    r"\bdivided by\b|\bover\b|\bplus\b|\bminus\b|\bless\b|\btimes\b|\bmultiplied by\b|(?<=\s)[-–−—](?=\s)|[+*/×÷()]"
)

Cells = Sequence[Held]


class Named(Formula, frozen=True):
    """A formula of the question, with the words that its names stand for."""

    words: tuple[tuple[str, str], ...] = ()


class Formulas:
    """The formulas that an answer may use by name."""

    def __init__(self, vocabulary: Vocabulary, question: str) -> None:
        self._terms = {term.name.replace(" ", "_"): term for term in vocabulary.terms}
        self._formulas: tuple[Formula, ...] = (*defined(question), *vocabulary.formulas)

    def named(self, text: str) -> tuple[Formula, ...]:
        """The formulas that ``text`` names, the longest phrase first; none inside another's name."""
        folded = f" {loosely_folded(text)} "
        found = [
            (phrase, formula)
            for formula in self._formulas
            for phrase in formula.phrases
            if phrase in folded and re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded)
        ]
        kept = [(p, f) for p, f in found if not any(p != q and p in q for q, _ in found)]
        kept.sort(key=lambda pair: -len(pair[0]))
        return tuple(dict.fromkeys(formula for _, formula in kept))

    def results(
        self, formula: Formula, rows: Sequence[Cells], own: Callable[[Held], bool], *, percent: bool
    ) -> Iterator[Result]:
        """What ``formula`` gives over the cited rows in the figure's own period; nothing when an operand is missing."""
        expression = _AVG.sub(rf"avg(\1, \1{_PREVIOUS})", formula.expression)
        expression = _PREV.sub(rf"\1{_PREVIOUS}", expression)
        operands: list[Operand] = []
        template = expression
        try:
            names = names_in(expression)
        except CalculationError:
            return
        words = dict(formula.words) if isinstance(formula, Named) else {}
        for name in sorted(names, key=len, reverse=True):
            operand = self._operand(name, words, rows, own)
            if operand is None:
                return
            template = re.sub(rf"\b{name}\b", f"{{{len(operands)}}}", template)
            operands.append(operand)
        as_percent = formula.kind == "percent" or percent
        template = f"({template}) * 100" if as_percent else template
        unit = operands[0].unit if formula.kind == "money" and operands else "percent" if as_percent else None
        result = result_of(template, operands, unit)
        if result is not None:
            yield result

    def _operand(
        self, name: str, words: dict[str, str], rows: Sequence[Cells], own: Callable[[Held], bool]
    ) -> Operand | None:
        plain = name.removesuffix(_PREVIOUS)
        term = self._terms.get(plain) or _term(words.get(plain, ""), self._terms)
        if term is None and plain not in words:
            return None
        cells = self._row(term, words.get(plain, ""), rows)
        now = [c for c in cells if own(c)]
        if len({c.amount.scaled for c in now}) != 1:
            return None
        chosen = now[0] if plain == name else _previous(cells, now[0])
        if chosen is None:
            return None
        return operand_of(name, chosen, sign=1 if term is not None and term.outflow else 0)

    def _row(self, term: Term | None, words: str, rows: Sequence[Cells]) -> Cells:
        """The cited row that names the term best, by the order of its labels."""
        labels = list(term.labels) if term is not None else [words]
        for label in (*labels, *([words] if words else [])):
            wanted = stems(label.rpartition(">")[2])
            for cells in rows:
                if cells and wanted and _label(cells[0]) == wanted:
                    return cells
        if term is None:
            return ()
        wanted_any = [stems(label.rpartition(">")[2]) for label in term.labels]
        avoid = [word for word in term.not_labels if len(word) > 2]
        for cells in rows:
            own = _label(cells[0]) if cells else frozenset()
            text = loosely_folded(cells[0].label) if cells else ""
            if any(len(w) > 1 and w <= own for w in wanted_any) and not any(word in text for word in avoid):
                return cells
        return ()


def _label(held: Held) -> frozenset[str]:
    table = held.source.passage.table if held.source else None
    return stems(re.sub(r"\([^()]*\)", " ", table.label.text)) if table and table.label else frozenset()


def _term(words: str, terms: dict[str, Term]) -> Term | None:
    wanted = stems(words)
    for term in terms.values():
        if wanted and any(stems(phrase) == wanted for phrase in term.phrases):
            return term
    return None


def _previous(cells: Cells, now: Held) -> Held | None:
    year = now.periods[0].year if now.periods else None
    before = [c for c in cells if c.periods and year and c.periods[0].year == year - 1]
    return before[0] if len({c.amount.scaled for c in before}) == 1 else None


def defined(question: str) -> tuple[Named, ...]:
    """The formulas that a question spells out: "X is defined as: total liabilities divided by total assets"."""
    out = []
    for match in _DEFINED.finditer(question):
        name = re.split(r"[.?:;,]\s|\bwhere\b|\bif\b", match[1])[-1].strip()
        words: list[tuple[str, str]] = []
        expression, at = "", 0
        for sign in _SIGN.finditer(match[2]):
            expression += _piece(match[2][at : sign.start()], words) + f" {_SIGNS[sign[0].casefold()]} "
            at = sign.end()
        expression += _piece(match[2][at:].rstrip(" ."), words)
        if name and len(words) > 1:
            folded = loosely_folded(name)
            out.append(Named(folded, (folded,), expression, "ratio", "the question", tuple(words)))
    return tuple(out)


def _piece(text: str, words: list[tuple[str, str]]) -> str:
    plain = text.strip(" ,:")
    if not plain or re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return plain
    for period in find_periods(plain):
        plain = plain.replace(period.text, " ")  # the figure's own period says which year is meant
    plain = " ".join(_BETWEEN.sub(" ", plain).split())
    lead = _LEAD.match(plain)
    name = f"n{len(words)}"
    words.append((name, plain[lead.end() :] if lead else plain))
    if lead is None:
        return name
    return f"avg({name})" if lead["average"] else f"({name} - prev({name}))"
