"""Owns what counts as the same call, and how often in a row one has failed.

Two calls are the same if they name one tool and their arguments are one JSON value: keys in any order, a number in any
form (1, 1.0, 1e0). Texts count as written, lists in order; leaving an argument out is another call than giving it.
Never: guessing that two calls mean the same.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from counterfoil.core.exchange import ProposedCall

SAME_CALL_FAILED = "SAME_CALL_FAILED"
EXEMPT = frozenset({"publish_answer", "finish_research"})  # allowances of their own bound them
_WHOLE_MAX = 2**53  # beyond it a float is not one whole number


def _number(literal: str) -> int | float:
    value = float(literal)
    return int(value) if abs(value) < _WHOLE_MAX and value.is_integer() else value


_ONE_FORM = msgspec.json.Decoder(Any, float_hook=_number)


def call_key(call: ProposedCall) -> str:
    """A name that same calls share: sha256 over tool, canonical arguments, and what was malformed in them."""
    args = _ONE_FORM.decode(msgspec.json.encode(call.args))
    canonical = msgspec.json.encode([call.tool, args, call.malformed], order="deterministic")
    return hashlib.sha256(canonical).hexdigest()


def same_call(one: ProposedCall, other: ProposedCall) -> bool:
    """Whether two calls are the same."""
    alike = one.tool == other.tool and one.malformed == other.malformed and one.args == other.args
    return alike and call_key(one) == call_key(other)  # True and 1 are alike, and not the same


class Streak(msgspec.Struct, frozen=True):
    """Failures of one call since it last succeeded; ``performed``: those in which its effect was begun."""

    failures: int = 0
    performed: int = 0

    def failed(self, *, performed: bool) -> Streak:
        """The streak after one more failure."""
        return Streak(self.failures + 1, self.performed + performed)

    def stands_against(self, limit: int, *, effect: bool) -> bool:
        """Whether one more attempt is one too many.

        ``effect``: the call is lawful now and would begin an effect. If it never did before, what it was refused for
        is gone (a handle that exists now), and this is its first attempt.
        """
        return self.failures >= limit and (self.performed > 0 or not effect)


NO_STREAK = Streak()
