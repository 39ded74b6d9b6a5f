"""Owns a plain rendering of views, until a better one takes its place.

Never: anything that is not in the view.
"""

from __future__ import annotations

import msgspec

from counterfoil.adapters.models.prompt import CallSaid, ModelSaid, Prompt, PromptMessage, ToolSaid, UserSaid
from counterfoil.core.exchange import AssistantTurn, Message, ToolResult, ToolSpec, View


def render(view: View, tools: tuple[ToolSpec, ...], *, native: bool) -> Prompt:
    """``view`` as a prompt."""
    head = UserSaid(msgspec.json.encode(msgspec.structs.replace(view, messages=(), instructions="")).decode())
    messages = (head, *(_message(message) for message in view.messages))
    if native:
        return Prompt(view.instructions, messages, tools)
    return Prompt(view.instructions, messages, (), {"type": "object"})


def _message(message: Message) -> PromptMessage:
    if isinstance(message, AssistantTurn):
        return ModelSaid(message.text, tuple(CallSaid(call.id, call.tool, call.args) for call in message.calls))
    if isinstance(message, ToolResult):
        text = msgspec.json.encode(message.content).decode()
        return ToolSaid(message.call_id, message.tool, text, message.ok)
    return UserSaid(message.text)
