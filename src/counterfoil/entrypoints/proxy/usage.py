"""Owns finding out what an answer spent: in a JSON object, and in a stream of server-sent events as it passes by.

Never: holding a stream back longer than one event, or a number that the upstream did not say.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from counterfoil.core.exchange import TokenUsage

TOKENS_MAX = 10**12  # more than this is no count of tokens
_LAST = ("response.completed", "response.incomplete", "response.failed")
_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r|\n\r\n")
_LINE_END = re.compile(rb"\r\n|\n|\r")


def usage_in(body: bytes) -> TokenUsage | None:
    """The usage that a JSON answer states, None where it does not."""
    return usage_of(_decoded(body))


def usage_of(answer: Any) -> TokenUsage | None:
    """The usage of a chat completion, a response (also inside an event), or embeddings; None where none is stated."""
    if not isinstance(answer, dict):
        return None
    stated = answer.get("usage")
    if stated is None and isinstance(answer.get("response"), dict):
        stated = answer["response"].get("usage")
    if not isinstance(stated, dict):
        return None
    spent = _count(stated, "input_tokens", "prompt_tokens")
    if spent is None:
        return None
    output = _count(stated, "output_tokens", "completion_tokens")
    if output is None and ("output_tokens" in stated or "completion_tokens" in stated):
        return None
    return TokenUsage(
        spent,
        output or 0,
        _detail(stated, "cached_tokens", "input_tokens_details", "prompt_tokens_details"),
        _detail(stated, "reasoning_tokens", "output_tokens_details", "completion_tokens_details"),
    )


class StreamMeter:
    """Reads the usage out of a stream as it passes by: ``usage`` is the latest that was stated.

    ``strip``: the chunk that holds nothing but the usage is left out, as the client did not ask for it. An event
    longer than ``event_bytes_max`` is passed on unread.
    """

    def __init__(self, *, strip: bool, event_bytes_max: int) -> None:
        self.usage: TokenUsage | None = None
        self.ended = False  # the event that ends the stream has come: no more will be stated
        self._strip = strip
        self._most = event_bytes_max
        self._held = bytearray()
        self._blind = False

    def feed(self, chunk: bytes) -> bytes:
        """What to pass on now that ``chunk`` has come: the chunk itself, or whole events where one may be left out."""
        if self._blind:
            return chunk
        searched = max(0, len(self._held) - 3)
        self._held += chunk
        passed, start = bytearray(), 0
        while (end := _EVENT_END.search(self._held, max(start, searched))) is not None:
            event = bytes(self._held[start : end.end()])
            if self._read(event) or not self._strip:
                passed += event
            start = end.end()
        del self._held[:start]
        if len(self._held) > self._most:
            self._blind = True
            passed += self._held
            self._held.clear()
        return bytes(passed) if self._strip else chunk

    def rest(self) -> bytes:
        """What is still held when the stream has ended: an event without its end."""
        held = bytes(self._held)
        self._held.clear()
        keep = self._read(held)
        return held if self._strip and keep else b""

    def _read(self, event: bytes) -> bool:
        """Read one event; whether a client that did not ask for usage shall see it."""
        lines = (line for line in _LINE_END.split(event) if line.startswith(b"data:"))
        data = b"\n".join(line[5:].strip(b" ") for line in lines)
        chunk = _decoded(data)
        self.ended |= data == b"[DONE]" or (isinstance(chunk, dict) and chunk.get("type") in _LAST)
        usage = usage_of(chunk)
        if usage is None:
            return True
        self.usage = usage
        return bool(chunk.get("choices"))


def _decoded(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None  # "[DONE]", a comment, an answer that is no JSON: it states no usage


def _count(stated: dict[str, Any], *names: str) -> int | None:
    for name in names:
        value = stated.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= TOKENS_MAX:
            return value
    return None


def _detail(stated: dict[str, Any], name: str, *objects: str) -> int:
    for kind in objects:
        details = stated.get(kind)
        if isinstance(details, dict):
            return _count(details, name) or 0
    return 0
