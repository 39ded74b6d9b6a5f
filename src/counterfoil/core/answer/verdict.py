"""Owns the judgement on one figure while those beside it are still being judged.

Never: making it (see ``judging``).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterfoil.core.answer.beside import Beside
from counterfoil.core.answer.operands import Operand
from counterfoil.core.evidence.facts import Calculation
from counterfoil.core.text.quantities import Quantity

State = Literal["bound", "free", "unsourced", "mismatch"]


class Verdict(msgspec.Struct):
    """The judgement on one quantity, while the figures beside it are still being judged."""

    quantity: Quantity
    said: Beside
    state: State
    citation: str | None = None
    nearest: str = ""
    calculation: Calculation | None = None
    warning: str = ""
    operand: Operand | None = None
