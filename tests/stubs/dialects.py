"""What each provider's stream of a reply looks like on the wire, and what its errors look like.

Shapes are those of the providers' own API references.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

Call = tuple[str, str]  # a tool's name, and its arguments as the text that the model wrote


class Said(msgspec.Struct, frozen=True):
    """A reply, whoever streams it. ``end`` is the provider's own word for how it ended."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    end: str = ""
    input: int = 120
    cached: int = 20
    output: int = 30
    reasoning: int = 0


def _events(events: Sequence[tuple[str | None, Any]]) -> bytes:
    lines = []
    for name, data in events:
        text = data if isinstance(data, str) else json.dumps(data)
        lines.append((f"event: {name}\n" if name else "") + f"data: {text}\n\n")
    return "".join(lines).encode()


def chat(said: Said) -> bytes:
    """Chat completions: https://platform.openai.com/docs/api-reference/chat-streaming."""
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "stub"}

    def chunk(delta: Any, end: str | None = None) -> tuple[None, Any]:
        return None, {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": end}]}

    calls = [
        {"index": n, "id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": args}}
        for n, (name, args) in enumerate(said.calls)
    ]
    events = [chunk({"role": "assistant", "content": ""})]
    events += [chunk({"content": piece}) for piece in _pieces(said.text)]
    events += [chunk({"tool_calls": [call]}) for call in calls]
    events.append(chunk({}, said.end or ("tool_calls" if calls else "stop")))
    usage = {
        "prompt_tokens": said.input,
        "completion_tokens": said.output,
        "total_tokens": said.input + said.output,
        "prompt_tokens_details": {"cached_tokens": said.cached},
        "completion_tokens_details": {"reasoning_tokens": said.reasoning},
    }
    return _events([*events, (None, {**head, "choices": [], "usage": usage}), (None, "[DONE]")])


def responses(said: Said) -> bytes:
    """Responses: https://platform.openai.com/docs/api-reference/responses-streaming."""
    usage = {
        "input_tokens": said.input,
        "input_tokens_details": {"cached_tokens": said.cached, "cache_write_tokens": 0},
        "output_tokens": said.output,
        "output_tokens_details": {"reasoning_tokens": said.reasoning},
        "total_tokens": said.input + said.output,
    }
    base: dict[str, Any] = {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "stub", "output": [], "tools": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "metadata": {}, "error": None,
    }  # fmt: skip
    steps: list[tuple[str, dict[str, Any]]] = [("response.created", {"response": {**base, "status": "in_progress"}})]
    place = 0
    if said.text:
        item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
        part = {"type": "output_text", "text": "", "annotations": []}
        steps.append(("response.output_item.added", {"output_index": 0, "item": item}))
        spot = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        steps.append(("response.content_part.added", {**spot, "part": part}))
        steps += [("response.output_text.delta", {**spot, "delta": p, "logprobs": []}) for p in _pieces(said.text)]
        steps.append(("response.output_text.done", {**spot, "text": said.text, "logprobs": []}))
        whole = {**item, "status": "completed", "content": [{**part, "text": said.text}]}
        steps.append(("response.output_item.done", {"output_index": 0, "item": whole}))
        place = 1
    for number, (name, args) in enumerate(said.calls, place):
        item = {"id": f"fc_{number}", "type": "function_call", "call_id": f"call_{number}", "name": name}
        opened = {**item, "arguments": "", "status": "in_progress"}
        steps.append(("response.output_item.added", {"output_index": number, "item": opened}))
        spot = {"item_id": item["id"], "output_index": number}
        steps.append(("response.function_call_arguments.delta", {**spot, "delta": args}))
        steps.append(("response.function_call_arguments.done", {**spot, "arguments": args, "name": name}))
        done = {**item, "arguments": args, "status": "completed"}
        steps.append(("response.output_item.done", {"output_index": number, "item": done}))
    if said.end in ("", "completed"):
        last, why = "response.completed", None
    else:
        last, why = "response.incomplete", {"reason": said.end}
    ending = {**base, "status": last.removeprefix("response."), "incomplete_details": why, "usage": usage}
    steps.append((last, {"response": ending}))
    return _events([(name, {"type": name, "sequence_number": n, **data}) for n, (name, data) in enumerate(steps)])


def anthropic(said: Said) -> bytes:
    """Messages: https://docs.claude.com/en/api/messages-streaming."""
    usage = {
        "input_tokens": said.input - said.cached, "cache_read_input_tokens": said.cached,
        "cache_creation_input_tokens": 0, "output_tokens": 1,
    }  # fmt: skip
    message: dict[str, Any] = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "stub", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    steps: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": message})]
    blocks: list[tuple[Any, list[Any]]] = []
    if said.text:
        deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(said.text)]
        blocks.append(({"type": "text", "text": ""}, deltas))
    for number, (name, args) in enumerate(said.calls):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        blocks.append((block, [{"type": "input_json_delta", "partial_json": args}]))
    for index, (block, deltas) in enumerate(blocks):
        steps.append(("content_block_start", {"index": index, "content_block": block}))
        steps += [("content_block_delta", {"index": index, "delta": delta}) for delta in deltas]
        steps.append(("content_block_stop", {"index": index}))
    end = said.end or ("tool_use" if said.calls else "end_turn")
    last = {"delta": {"stop_reason": end, "stop_sequence": None}, "usage": {**usage, "output_tokens": said.output}}
    steps += [("message_delta", last), ("message_stop", {})]
    return _events([(name, {"type": name, **data}) for name, data in steps])


def google(said: Said) -> bytes:
    """Gemini: https://ai.google.dev/api/generate-content."""
    usage = {
        "promptTokenCount": said.input, "cachedContentTokenCount": said.cached,
        "candidatesTokenCount": said.output - said.reasoning, "thoughtsTokenCount": said.reasoning,
        "totalTokenCount": said.input + said.output,
    }  # fmt: skip

    def chunk(parts: list[Any], **more: Any) -> tuple[None, Any]:
        content = {"role": "model", "parts": parts}
        return None, {"candidates": [{"content": content, "index": 0, **more}], "modelVersion": "stub"}

    events = [chunk([{"text": piece}]) for piece in _pieces(said.text)]
    events += [chunk([{"functionCall": {"name": name, "args": json.loads(args)}}]) for name, args in said.calls]
    _, last = chunk([{"text": ""}], finishReason=said.end or "STOP")
    return _events([*events, (None, {**last, "usageMetadata": usage})])


def _pieces(text: str) -> list[str]:
    return [text[start : start + 5] for start in range(0, len(text), 5)]


DIALECTS: dict[str, Callable[[Said], bytes]] = {
    "openai": responses,
    "anthropic": anthropic,
    "google": google,
    "openai-compatible": chat,
}
# How each provider words an error: (code, message) → body.
ERRORS: dict[str, Callable[[int, str, str], Any]] = {
    "openai": lambda status, code, message: {"error": {"message": message, "type": code, "code": code, "param": None}},
    "anthropic": lambda status, code, message: {"type": "error", "error": {"type": code, "message": message}},
    "google": lambda status, code, message: {"error": {"code": status, "message": message, "status": code}},
    "openai-compatible": lambda status, code, message: {"error": {"message": message, "type": code, "code": code}},
}
