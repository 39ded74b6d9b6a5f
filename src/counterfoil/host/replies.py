"""Owns what of a model's reply the ledger can keep: the state must fold from its bytes to what it is now.

Never: repairing a call. What cannot be kept exactly goes back to the model as malformed.
"""

from __future__ import annotations

import math

import msgspec
from msgspec.structs import replace

from counterfoil.core.exchange import CallDraft, Completion, Json


def storable(reply: Completion) -> Completion:
    """``reply`` as the ledger will give it back.

    Raises:
        ValueError: it counts tokens below zero, which would give spent ones back.
    """
    usage = reply.usage
    if min(usage.input, usage.output, usage.cached, usage.reasoning) < 0:
        raise ValueError(f"the reply counts tokens below zero: {usage}")
    return replace(reply, text=whole(reply.text), calls=tuple(_draft(call) for call in reply.calls))


def whole(text: str) -> str:
    """``text`` with U+FFFD for each half of a surrogate pair (a stream cut inside a character), as decoders do."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _draft(call: CallDraft) -> CallDraft:
    tool, malformed = whole(call.tool), call.malformed
    if malformed is None:
        try:
            kept: Json = msgspec.json.decode(msgspec.json.encode(call.args))
            if _finite(call.args):
                return CallDraft(tool, kept)
            malformed = "the arguments are not JSON: NaN and infinity are no numbers there"
        except (TypeError, ValueError, RecursionError) as wrong:  # UnicodeEncodeError is a ValueError
            malformed = f"the arguments are not JSON: {wrong}"
    return CallDraft(tool, malformed=whole(malformed))


def _finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(_finite(item) for item in value.values())
    return not isinstance(value, list | tuple) or all(_finite(item) for item in value)
