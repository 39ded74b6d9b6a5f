"""Owns the stub that every runtime talks to: a fixed number of tool calls, then an answer; each result new text.

    python -m benchmarks.runtimes.stub [--think S]   serves POST /v1/chat/completions on loopback, prints its port

The question says how many turns it is to take; the model "stub-finish" ends with a call, "stub" with a text.
Never: keeping anything between requests, or sending bytes that depend on who asks.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import random
import re

TOOL = "search_public_sources"
DESCRIPTION = "Search for a text."
FINISH_TOOL = "finish_research"
RESULT_CHARS = 1024
INSTRUCTIONS = "You are a research assistant. Use the tools, then answer."
TOOL_MESSAGE = re.compile(rb'"role": ?"tool"')
WANTED = re.compile(rb"in (\d+) turns")
FINISHES = re.compile(rb'"model": ?"stub-finish"')
STREAMS = re.compile(rb'"stream": ?true')

_WORDS = tuple("".join(random.Random(seed).choices("abcdefghiklmnoprstuvy", k=3 + seed % 7)) for seed in range(3000))
_material = random.Random(20)


def question(turns: int) -> str:
    """What is asked of everybody."""
    return f"What do the records say about the visitor pass, in {turns} turns?"


def material() -> str:
    """About 1 KB of words that no earlier call returned, so that no store is flattered by repetition."""
    text = " ".join(_material.choices(_WORDS, k=RESULT_CHARS // 4))
    return text[:RESULT_CHARS]


def parameters() -> dict[str, object]:
    """The JSON schema of the tool's arguments, alike for all."""
    return {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


def _completion(message: dict[str, object], reason: str) -> bytes:
    usage = {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return json.dumps(
        {
            "id": "chatcmpl-stub",
            "object": "chat.completion",
            "created": 0,
            "model": "stub",
            "choices": [choice],
            "usage": usage,
        }
    ).encode()


def _call(tool: str, arguments: dict[str, object], number: int) -> bytes:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    calls = [{"id": f"call_{number}", "type": "function", "function": function}]
    return _completion({"content": None, "tool_calls": calls}, "tool_calls")


def reply(body: bytes) -> bytes:
    """The next reply to a chat request: from the number of tool results in it, and nothing else."""
    wanted = WANTED.search(body)
    if wanted is None:
        raise ValueError("the question does not say how many turns")
    done = len(TOOL_MESSAGE.findall(body))
    if done < int(wanted[1]):
        return _call(TOOL, {"query": f"visitor pass {done + 1}"}, done + 1)
    if FINISHES.search(body):
        return _call(FINISH_TOOL, {"outcome": "completed", "limitations": ["a stub answered"]}, done + 1)
    return _completion({"content": "That is what the records say.", "tool_calls": None}, "stop")


def streamed(reply: bytes) -> bytes:
    """A reply as server-sent events: its message in one chunk, its end, its usage."""
    whole = json.loads(reply)
    choice, usage = whole["choices"][0], whole.pop("usage")
    whole["object"] = "chat.completion.chunk"
    message = {key: value for key, value in choice["message"].items() if value is not None}
    if "tool_calls" in message:
        message["tool_calls"] = [{"index": n, **call} for n, call in enumerate(message["tool_calls"])]
    said = {**whole, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    ended = {**whole, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    counted = {**whole, "choices": [], "usage": usage}
    events = [b"data: " + json.dumps(part).encode() + b"\n\n" for part in (said, ended, counted)]
    return b"".join((*events, b"data: [DONE]\n\n"))


async def _serve(think_s: float, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            asked = await reader.readexactly(int(length[1]) if length else 0)
            if think_s:
                await asyncio.sleep(think_s)
            body, kind = reply(asked), b"application/json"
            if STREAMS.search(asked):
                body, kind = streamed(body), b"text/event-stream"
            size = str(len(body)).encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: " + kind + b"\r\ncontent-length: " + size + b"\r\n\r\n" + body
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    parser = argparse.ArgumentParser(description="the stub of the benchmarks")
    parser.add_argument("--think", type=float, default=0, help="seconds before each reply")
    serve = functools.partial(_serve, parser.parse_args().think)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 20, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
