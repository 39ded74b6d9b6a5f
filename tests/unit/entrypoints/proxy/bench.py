"""The proxy as an application, over a metered Run in memory and a provider that a test plays."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx2
import msgspec
from tests.unit.host.metered import Metered

from counterfoil.core.errors import ModelError
from counterfoil.core.law.policy import Number
from counterfoil.entrypoints.proxy.app import proxy_app
from counterfoil.host.metering import Meter
from counterfoil.ports.upstream import Headers

TOKEN = "the token of this proxy"
CHAT = "/v1/chat/completions"
USAGE = {"usage": {"prompt_tokens": 7, "completion_tokens": 3}}


class PlayedAnswer:
    """An answer in pieces; an exception among them is raised, a function is called between two."""

    def __init__(
        self, status: int = 200, pieces: list[Any] | None = None, headers: Headers | None = None, json: Any = None
    ) -> None:
        self.status = status
        kind = b"application/json" if pieces is None else b"text/event-stream"
        self.headers: Headers = [(b"content-type", kind)] if headers is None else headers
        self.pieces = [msgspec.json.encode(json)] if pieces is None else pieces
        self.closed = False

    async def chunks(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            if callable(piece):
                await piece()
                continue
            yield piece

    async def close(self) -> None:
        self.closed = True


class PlayedUpstream:
    """Answers in order, the last one again and again; a function lets time pass, and no answer comes."""

    def __init__(self, *answers: PlayedAnswer | Exception | Callable[[], Awaitable[Any]]) -> None:
        self.answers = list(answers)
        self.sent: list[tuple[str, str, dict[bytes, bytes], bytes]] = []

    async def send(self, method: str, path: str, headers: Headers, body: bytes) -> PlayedAnswer:
        self.sent.append((method, path, dict(headers), body))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, PlayedAnswer):
            return answer
        await answer()
        raise TimeoutError

    async def close(self) -> None:
        pass


class Bench:
    """A client, the proxy, and the provider behind it."""

    def __init__(self, meter: Meter, metered: Metered, upstream: PlayedUpstream, names: frozenset[str]) -> None:
        self.meter = meter
        self.metered = metered
        self.upstream = upstream
        app = proxy_app(meter, upstream, TOKEN, names)
        self.client = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=app, raise_app_exceptions=False),
            base_url="http://127.0.0.1:1",
            headers={"authorization": f"Bearer {TOKEN}"},
        )

    @classmethod
    async def over(
        cls, *answers: Any, names: frozenset[str] = frozenset(), metered: Metered | None = None, **budget: Number
    ) -> Bench:
        metered = metered or Metered()
        meter = await metered.begin(**(budget or {"run__model_requests": 9}))
        return cls(meter, metered, PlayedUpstream(*(answers or (PlayedAnswer(json=USAGE),))), names)

    async def chat(self, **fields: Any) -> httpx2.Response:
        return await self.client.post(CHAT, json={"model": "m", "messages": [], **fields})

    async def kinds(self) -> list[str]:
        events = await self.metered.ledger.events(self.meter.state.run_id)
        return [type(event).__name__ for _, event in events][2:]

    async def last(self) -> Any:
        return (await self.metered.ledger.events(self.meter.state.run_id))[-1][1]


def unreachable() -> ModelError:
    return ModelError("not there", code="UPSTREAM_UNREACHABLE", category="upstream_unavailable")


def cut() -> ModelError:
    return ModelError("cut", code="STREAM_CUT", category="stream_interrupted")
