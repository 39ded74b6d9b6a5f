"""Owns the shape of domain knowledge that is data: terms, formulas, statements, instruction words.

Search expands queries with it, the embedded researcher names rows and formulas with it.
Never: knowledge itself (that stands in data files, one per domain, which users extend).
"""

from __future__ import annotations

from typing import Literal

import msgspec

ValueKind = Literal["money", "per_share", "percent", "ratio", "count", "days", "text"]


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing that documents report on a line of their own.

    ``phrases`` is how people ask for it, ``labels`` how documents label it, best first, a short one with the
    section that makes it clear before ">" ("current liabilities > debt");
    ``not_labels`` are words whose presence in a label makes it another thing.
    """

    name: str
    phrases: tuple[str, ...]
    labels: tuple[str, ...] = ()
    not_labels: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()  # names from Vocabulary.statements, likeliest first
    kind: ValueKind = "money"
    outflow: bool = False  # shown negative (or in brackets) in a statement, asked for as a positive amount


class Formula(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A quantity computed from terms. ``expression`` uses term names with underscores, + - * / ( ),
    numbers, ``avg(x)`` (mean of this period's and the one before's value), ``prev(x)`` and ``root(x, n)``."""

    name: str
    phrases: tuple[str, ...]
    expression: str
    kind: ValueKind = "ratio"
    source: str = ""  # where the definition comes from


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A standard section of a document: ``phrases`` in questions, ``titles`` on pages."""

    name: str
    phrases: tuple[str, ...]
    titles: tuple[str, ...]
    instant: bool = False  # its figures stand at a date, not over a span
    parts: bool = False  # its rows are parts of a whole; the section's own name in a question names no part


class Vocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The knowledge of one domain, or several merged."""

    name: str
    terms: tuple[Term, ...] = ()
    formulas: tuple[Formula, ...] = ()
    statements: tuple[Statement, ...] = ()
    instructions: tuple[str, ...] = ()  # phrases that tell how to answer and say nothing of the subject
    synonyms: tuple[tuple[str, ...], ...] = ()  # groups of words that mean the same to a search
    bases: tuple[str, ...] = ()  # words that make a line another measure of the same thing: "adjusted", "pro forma"


NO_WORDS = Vocabulary("")  # a domain of which nothing is known
