"""Owns input fitting: a view that is too large shows older results as digests, newest kept longest.

Never: touching the question, the contract or a call; deleting anything on the ledger; cutting a text.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from counterfoil.core.exchange import Json, Message, ToolResult, View


class Fitted(msgspec.Struct, frozen=True):
    """A view within its limit. ``dropped`` names the calls whose results it shows as digests."""

    view: View
    size_bytes: int
    dropped: tuple[str, ...] = ()


def view_bytes(view: View) -> int:
    """The size of a view as it is measured before dispatch: bytes of its JSON. Providers' tokens are another thing."""
    return json_bytes(view)


def json_bytes(part: View | Message) -> int:
    """The size of a view, or of one message of it, as JSON."""
    return len(msgspec.json.encode(part))


def fit_view(view: View, bytes_max: int, size_bytes: int | None = None) -> Fitted | None:
    """``view`` within ``bytes_max``; None when even digests of every result do not fit.

    ``size_bytes``: its size, where that is known already.
    """
    size = view_bytes(view) if size_bytes is None else size_bytes
    messages: list[Message] = list(view.messages)
    dropped: list[str] = []
    for place, message in enumerate(messages):
        if size <= bytes_max:
            break
        if isinstance(message, ToolResult) and message.ok:
            short = replace(message, content=digest_of(message.content))
            saved = json_bytes(message) - json_bytes(short)
            if saved > 0:
                messages[place] = short
                dropped.append(message.call_id)
                size -= saved
    if size > bytes_max:
        return None
    return Fitted(replace(view, messages=tuple(messages)) if dropped else view, size, tuple(dropped))


def digest_of(content: Json) -> Json:
    """What is left of a result: its lists are empty, and ``shortened`` names how long they were, first and last id."""
    left_out: Json = {}
    short: Json = {}
    for key, value in content.items():
        short[key] = value
        if isinstance(value, list) and value and isinstance(value[0], dict):
            names = [str(item.get("id") or item.get("handle") or "") for item in (value[0], value[-1])]
            left_out[key] = {"count": len(value), "first": names[0], "last": names[1]}
            short[key] = []
    return {**short, "shortened": left_out}
