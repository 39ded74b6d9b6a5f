"""Owns how large a view is before it is sent: bytes of its JSON.

Never: tokens. What a provider counts is another thing, which the model port estimates and receipts tell.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from counterfoil.core.exchange import Message, ToolSpec, View


def view_bytes(view: View) -> int:
    """The size of a view in bytes, without its admitted tools: those are counted by ``tool_bytes``."""
    return json_bytes(msgspec.structs.replace(view, admitted=()))


def json_bytes(part: View | Message) -> int:
    """The size of a view, or of one message of it, as JSON."""
    return len(msgspec.json.encode(part))


def tool_bytes(tools: Iterable[ToolSpec]) -> int:
    """What a request tells of ``tools`` beside its view: name, description and arguments of each, as JSON."""
    return sum(len(msgspec.json.encode((tool.name, tool.description, tool.parameters))) for tool in tools)
