"""Owns row labels that name both signs: "Credit loss (expense) release", "Income tax benefit (provision)".

Never: labels whose bracket only says how a loss is shown ("Net income (loss)"); see ``binding`` for those.
"""

from __future__ import annotations

import re

from counterfoil.core.answer.held import Held
from counterfoil.core.text.quantities import Quantity

_COST = r"expenses?|charges?|provisions?|costs?|used(?: in| for| by)?|outflows?"
_GAIN = (
    r"releases?|recover(?:y|ies)|benefits?|credits?|income(?!\s+tax)|gains?|reversals?"
    r"|provided(?: by)?|generated(?: by)?|inflows?"
)
_LABEL = re.compile(
    rf"[(]\s*(?:{_COST})\s*[)]\s*(?:{_GAIN})\b|\b(?:{_GAIN})\s*[(]\s*(?:{_COST})\s*[)]"
    rf"|(?P<cost>\b(?:{_COST})\s*[(]\s*(?:{_GAIN})\s*[)])",
    re.IGNORECASE,
)
_SAID_COST = re.compile(rf"\b(?:{_COST})\b", re.IGNORECASE)
_SAID_GAIN = re.compile(rf"\b(?:{_GAIN})\b", re.IGNORECASE)


def turned_round(written: Quantity, said: str, held: Held) -> bool:
    """Whether a positive figure is called by the name that such a label has for the other sign."""
    label = _LABEL.search(held.label) if held.is_row else None
    if label is None or written.value <= 0 or not held.amount.value:
        return False
    cost = (held.amount.value < 0) != bool(label["cost"])
    called_cost, called_gain = _SAID_COST.search(said), _SAID_GAIN.search(said)
    return bool(called_gain and not called_cost) if cost else bool(called_cost and not called_gain)
