"""Owns the reading of a client's request: what it may spend at most, and the form in which it is forwarded.

What is forwarded is what was read, written again: two fields of one name cannot mean one thing here and another there.
Never: keeping or changing a word of it, beyond a maximum of output tokens and the wish for usage in a stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from counterfoil.core.record.metering import Asked

MODEL_CHARS_MAX = 200
REPLIES_MAX = 128
TEMPLATE_TOKENS = 128  # what a provider's own chat template may add to a request, however short
_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal"})
_SEEN_ITEMS = frozenset({"message", "function_call", "function_call_output", "custom_tool_call", "reasoning"})
_OWN_TOOLS = frozenset({"function", "custom"})  # the client runs them; any other the provider does, and reads results
_ELSEWHERE = ("previous_response_id", "conversation", "prompt", "web_search_options", "audio")


class Endpoint(msgspec.Struct, frozen=True):
    """A path that is metered, the fields that name its maximum of output tokens, and which of them caps one."""

    path: str
    maxima: tuple[str, ...] = ()
    cap: str | None = None
    streams: bool = True


CHAT = Endpoint("/v1/chat/completions", ("max_completion_tokens", "max_tokens"), "max_completion_tokens")
RESPONSES = Endpoint("/v1/responses", ("max_output_tokens",), "max_output_tokens")
EMBEDDINGS = Endpoint("/v1/embeddings", streams=False)
ENDPOINTS = (CHAT, RESPONSES, EMBEDDINGS)


class Unreadable(Exception):
    """The request cannot be metered: ``code`` and a sentence for the client."""

    def __init__(self, message: str, code: str = "REQUEST_INVALID") -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class Wanted(msgspec.Struct, frozen=True):
    """A request that can be metered. ``usage_added``: the client did not ask for the usage of its stream, and we do."""

    asked: Asked
    fields: dict[str, Any]
    endpoint: Endpoint
    streamed: bool
    usage_added: bool

    def body(self, output_tokens_max: int | None) -> bytes:
        """The bytes to forward; each reply held to ``output_tokens_max`` where that is said."""
        fields = dict(self.fields)
        if output_tokens_max is not None and self.endpoint.cap is not None:
            fields[self.endpoint.cap] = output_tokens_max
        if self.usage_added:
            fields["stream_options"] = {**(fields.get("stream_options") or {}), "include_usage": True}
        return msgspec.json.encode(fields)


def read_request(endpoint: Endpoint, body: bytes, unseen_tokens: int) -> Wanted:
    """What a client wants; ``unseen_tokens`` are reserved where it names input that it does not hold.

    Raises:
        Unreadable: it is no JSON object, or a field that the budget depends on has another form.
    """
    try:
        fields = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Unreadable("the body is no JSON that can be read", "JSON_INVALID") from wrong
    if not isinstance(fields, dict):
        raise Unreadable("the body is no JSON object", "JSON_INVALID")
    model = fields.get("model")
    if not isinstance(model, str) or not 0 < len(model) <= MODEL_CHARS_MAX:
        raise Unreadable(f"`model` must be a name of at most {MODEL_CHARS_MAX} characters")
    streamed = _flag(fields, "stream")
    if _flag(fields, "background"):
        raise Unreadable("`background` requests are answered where no meter stands; leave it out", "UNMETERED")
    if streamed and not endpoint.streams:
        raise Unreadable(f"{endpoint.path} does not stream")
    written = msgspec.json.encode(fields)
    asked = Asked(
        endpoint=endpoint.path,
        model=model,
        size_bytes=len(body),
        input_tokens=_input_tokens(fields, len(written), unseen_tokens),
        output_tokens=_maximum(endpoint, fields),
        replies=_count(fields, "n", REPLIES_MAX) or 1 if endpoint is CHAT else 1,
    )
    return Wanted(asked, fields, endpoint, streamed, streamed and endpoint is CHAT and not _asks_usage(fields))


def _flag(fields: dict[str, Any], name: str) -> bool:
    value = fields.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise Unreadable(f"`{name}` must be true or false")


def _count(fields: dict[str, Any], name: str, most: int | None = None) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1 or (most is not None and value > most):
        raise Unreadable(f"`{name}` must be a whole number from 1" + (f" to {most}" if most else ""))
    return value


def _maximum(endpoint: Endpoint, fields: dict[str, Any]) -> int | None:
    """The maximum of output tokens that a client names, the larger of two; none are spent where none can be named."""
    if not endpoint.maxima:
        return 0
    named = [count for name in endpoint.maxima if (count := _count(fields, name)) is not None]
    return max(named, default=None)


def _asks_usage(fields: dict[str, Any]) -> bool:
    options = fields.get("stream_options")
    if options is None:
        return False
    if not isinstance(options, dict):
        raise Unreadable("`stream_options` must be an object")
    return _flag(options, "include_usage")


def _input_tokens(fields: dict[str, Any], size_bytes: int, unseen_tokens: int) -> int:
    """The input tokens at most: no token is shorter than a byte. Images and files are counted by ``unseen_tokens``."""
    unseen = list(_unseen(fields))
    held = sum(len(msgspec.json.encode(part)) for part in unseen)
    return size_bytes - held + TEMPLATE_TOKENS + (unseen_tokens if unseen else 0)


def _unseen(fields: dict[str, Any]) -> Iterator[Any]:
    """The parts of a request whose tokens its bytes do not bound: media, files, and what the provider adds itself."""
    yield from (fields[name] for name in _ELSEWHERE if fields.get(name) is not None)
    yield from (tool for tool in _dicts(fields.get("tools")) if tool.get("type") not in _OWN_TOOLS)
    for message in _dicts(fields.get("messages")):
        if message.get("audio") is not None:
            yield message["audio"]
        yield from _parts(message.get("content"))
    for item in _dicts(fields.get("input")):
        if item.get("type", "message") not in _SEEN_ITEMS:
            yield item
            continue
        yield from _parts(item.get("content"))
        yield from _parts(item.get("output"))


def _parts(content: Any) -> Iterator[Any]:
    yield from (part for part in _dicts(content) if part.get("type") not in _TEXT_PARTS)


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))
