"""Owns facts: a value for a cell, bound to a quote, a table cell, a calculation, or searches that found nothing.

Never: deciding whether a fact is right beyond what code can check (see ``check_fact``).
"""

from __future__ import annotations

from typing import Literal

import msgspec

FactKind = Literal["stated", "calculation", "estimate", "not_found"]


class CalculationInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named operand: ``value`` as written in evidence ``evidence_id``, in column ``header`` if in a table.

    ``multiplier`` scales the written value ("1000000" for a cell in millions); "1" when none applies.
    """

    name: str
    evidence_id: str
    value: str
    header: str | None = None
    multiplier: str = "1"


class Calculation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formula over named operands and its value as it is to be written."""

    id: str
    formula: str
    inputs: tuple[CalculationInput, ...]
    value: str
    unit: str | None = None


class FactDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact as a model proposes it."""

    row: str = ""
    field: str = ""
    kind: FactKind = "stated"
    value: str | None = None
    unit: str | None = None
    period: str | None = None
    conditions: str | None = None
    quote: str | None = None
    evidence_id: str | None = None
    header: str | None = None  # the column header when the value is a table cell
    result_ref: str | None = None
    formula: str | None = None
    inputs: tuple[CalculationInput, ...] = ()
    search_calls: tuple[str, ...] = ()


class Fact(msgspec.Struct, frozen=True):
    """A fact that the Host accepted. ``id`` is "F1", "F2", ... in the Run."""

    id: str
    row: str
    field: str
    kind: FactKind
    value: str | None
    unit: str | None
    period: str | None
    conditions: str | None
    quote: str | None
    evidence: tuple[str, ...]
    header: str | None = None
    formula: str | None = None
    inputs: tuple[CalculationInput, ...] = ()
    search_calls: tuple[str, ...] = ()
