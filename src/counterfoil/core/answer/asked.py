"""Owns the task's own figures: what a question, its period and its definition of done name is free to repeat.

Never: what an answer says.
"""

from __future__ import annotations

import re

from counterfoil.core.answer.contract import Contract
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.periods import find_periods, years_named
from counterfoil.core.text.quantities import Quantity, find_quantities
from counterfoil.core.text.scales import scale_of
from counterfoil.core.text.spelled import find_spelled

SCALE_PHRASE = re.compile(
    r"\bin\s+(?:us\s+|u\.s\.\s+)?(?:dollars?\s+|usd\s+|eur\s+|euros?\s+|[$€£]\s*)?"
    r"(?:thousands|millions|billions|mio|mrd|tsd)\b"
    r"|\b(?:usd|eur|gbp|chf|jpy)\s+(?:thousands|millions|billions|mio|mrd|tsd)\b"
    r"|单位[:：]\s?[百千]?[万亿]?元|単位[:：]\s?[百千十]?[万億]?円",
    re.IGNORECASE,
)


class Asked:
    """The task's own figures, which an answer may repeat freely."""

    def __init__(self, contract: Contract, as_of: str) -> None:
        rows = (row.name for row in contract.rows)
        fields = (f"{field.name} {field.period or ''} {field.unit or ''}" for field in contract.fields)
        self.text = "\n".join((contract.question, contract.period or "", *contract.done, *rows, *fields))
        self.quantities = (*find_quantities(self.text), *find_spelled(self.text))
        self.periods = find_periods(self.text)
        window = f"{self.text}\n{as_of}"
        self.window = find_periods(window)
        self.years = frozenset(years_named(window))
        self.folded = loosely_folded(self.text)
        phrase = SCALE_PHRASE.search(self.text)
        scales = [f.scale for f in contract.fields if f.scale]
        self.scale = scale_of(phrase[0]) if phrase else scale_of(scales[0]) if scales else None

    def names(self, quantity: Quantity) -> bool:
        """Whether the task holds this very amount; a bare number of the task is no price and no percentage."""
        return any(
            q.value == quantity.value and (q.unit == quantity.unit or quantity.unit is None)
            for q in self.quantities
            if q.kind in ("money", "percent", "number")
        )
