"""A provider that a test owns: it speaks OpenAI's protocol on loopback and counts what reached it.

What it does with a request is said by the request's model: "ok", "status:429", "hang", "cut", "no-usage", "slow".
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

TOKENS_IN, TOKENS_OUT, WORDS = 7, 3, ("one", "two", "three")
CHAT_USAGE = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT}
USAGE = {
    "input_tokens": TOKENS_IN,
    "output_tokens": TOKENS_OUT,
    "total_tokens": TOKENS_IN + TOKENS_OUT,
    "input_tokens_details": {"cached_tokens": 2},
    "output_tokens_details": {"reasoning_tokens": 1},
}


class Provider:
    """Counts requests; ``go`` lets a slow one end, ``reached`` is set when a hanging one has come."""

    def __init__(self) -> None:
        self.url = ""
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answered = 0
        self.reached = threading.Event()
        self.go = threading.Event()
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", self._answer, methods=["POST"]),
                Route("/v1/responses", self._answer, methods=["POST"]),
                Route("/v1/embeddings", self._answer, methods=["POST"]),
                Route("/v1/models", self._models),
            ]
        )

    async def _wait(self) -> None:
        self.reached.set()
        while not self.go.is_set():  # noqa: ASYNC110  # a test sets it in another thread
            await asyncio.sleep(0.005)

    async def _models(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        return JSONResponse(
            {"object": "list", "data": [{"id": "ok", "object": "model", "created": 1, "owned_by": "x"}]}
        )

    async def _answer(self, request: Request) -> Response:
        body = await request.json()
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        what, _, detail = str(body["model"]).partition(":")
        if what == "status":
            headers = {"retry-after": "7", "x-request-id": "from-upstream", "set-cookie": "a=b"}
            return JSONResponse(
                {"error": {"message": "theirs", "type": "upstream", "code": detail}}, int(detail), headers
            )
        if what == "redirect":
            return RedirectResponse("http://127.0.0.1:9/elsewhere", 307)
        if what == "hang":
            await self._wait()
        if what == "slow":
            await asyncio.sleep(0.2)
        self.answered += 1
        if body.get("stream"):
            events = self._responses(what) if request.url.path.endswith("responses") else self._chat(what, body)
            return StreamingResponse(events, media_type="text/event-stream")
        return JSONResponse(
            _whole(request.url.path, usage=what != "no-usage"), headers={"x-counterfoil-code": "forged"}
        )

    async def _chat(self, what: str, body: dict[str, Any]) -> AsyncIterator[bytes]:
        for word in WORDS:
            choice = {"index": 0, "delta": {"content": word}, "finish_reason": None}
            yield _event({**_chunk(), "choices": [choice]})
            if what == "cut":
                raise ConnectionAbortedError
            if what == "step":
                await self._wait()
                self.go.clear()
        if (body.get("stream_options") or {}).get("include_usage") and what != "no-usage":
            yield _event({**_chunk(), "choices": [], "usage": CHAT_USAGE})
        yield b"data: [DONE]\n\n"

    async def _responses(self, what: str) -> AsyncIterator[bytes]:
        for number, word in enumerate(WORDS):
            delta = {"type": "response.output_text.delta", "delta": word, "sequence_number": number, "item_id": "i"}
            yield b"event: response.output_text.delta\n" + _event({**delta, "output_index": 0, "content_index": 0})
        usage = None if what == "no-usage" else USAGE
        completed = {"type": "response.completed", "sequence_number": 9, "response": {**_response(), "usage": usage}}
        yield b"event: response.completed\n" + _event(completed)


def _event(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def _chunk() -> dict[str, Any]:
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def _response() -> dict[str, Any]:
    part = {"type": "output_text", "text": " ".join(WORDS), "annotations": []}
    message = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": [part]}
    return {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [message], "status": "completed"}


def _whole(path: str, *, usage: bool) -> dict[str, Any]:
    if path.endswith("responses"):
        return {**_response(), "usage": USAGE if usage else None}
    if path.endswith("embeddings"):
        data = [{"object": "embedding", "index": 0, "embedding": [0.5, 0.25]}]
        stated = {"prompt_tokens": TOKENS_IN, "total_tokens": TOKENS_IN} if usage else None
        return {"object": "list", "data": data, "model": "m", "usage": stated}
    message = {"role": "assistant", "content": " ".join(WORDS)}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    answer = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return {**answer, "usage": CHAT_USAGE} if usage else answer


@contextmanager
def running() -> Iterator[Provider]:
    """A provider that answers until the block ends."""
    provider = Provider()
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    quiet: Any = {"log_config": None, "log_level": "critical", "lifespan": "off", "ws": "none"}
    server = uvicorn.Server(uvicorn.Config(provider.app, timeout_graceful_shutdown=1, **quiet))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    provider.url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    thread.start()
    try:
        yield provider
    finally:
        provider.go.set()
        server.should_exit = True
        thread.join(10)
        listening.close()
