"""Owns a plain reading of replies, until a better one takes its place.

Never: repairing a call.
"""

from __future__ import annotations

import msgspec

from counterfoil.adapters.models.prompt import Prompt, RawCall, Reply
from counterfoil.core.exchange import CallDraft, Completion, Json, ToolSpec


def read_reply(reply: Reply, prompt: Prompt, tools: tuple[ToolSpec, ...]) -> Completion:
    """``reply`` as a completion; calls that cannot be read are malformed."""
    return Completion(reply.text, tuple(_draft(call) for call in reply.calls), reply.usage)


def _draft(call: RawCall) -> CallDraft:
    try:
        return CallDraft(call.tool, msgspec.json.decode(call.args, type=Json))
    except (msgspec.DecodeError, RecursionError) as wrong:
        return CallDraft(call.tool, malformed=f"the arguments are not a JSON object: {wrong}")
