"""A request reaches the provider once, as it is, with the key and nothing of an earlier answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from counterfoil.adapters.net.upstream import HttpUpstream
from counterfoil.core.errors import ModelError

Handler = Callable[[bytes], Awaitable[bytes]]


async def talk(
    answers: list[bytes], work: Callable[[HttpUpstream], Awaitable[None]], key: str | None = None
) -> list[bytes]:
    """Let ``work`` send to a server that plays ``answers``, one a request; what it was sent."""
    heard: list[bytes] = []
    serving: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.append(task)
        while answers:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                break
            heard.append(head.lower() + await reader.readexactly(2))
            writer.write(answers.pop(0))
            await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    upstream = HttpUpstream(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", key)
    try:
        await work(upstream)
    finally:
        await upstream.close()
        server.close()
        await asyncio.gather(*serving)
    return heard


async def exchange(upstream: HttpUpstream) -> tuple[int, bytes]:
    answer = await upstream.send("POST", "/x", [(b"authorization", b"Bearer token"), (b"x-a", b"b")], b"{}")
    body = b"".join([chunk async for chunk in answer.chunks()])
    await answer.close()
    return answer.status, body


@pytest.mark.req("SEC-02")
def test_the_key_takes_the_place_of_the_clients_token_and_no_cookie_comes_back() -> None:
    async def twice(upstream: HttpUpstream) -> None:
        assert await exchange(upstream) == (200, b"hi")
        assert await exchange(upstream) == (200, b"hi")

    answer = b"HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 2\r\n\r\nhi"
    for head in asyncio.run(talk([answer, answer], twice, key="sk-1")):
        assert head.startswith(b"post /v1/x http/1.1")
        assert b"authorization: bearer sk-1" in head and b"token" not in head and b"cookie" not in head
        assert b"x-a: b" in head and b"user-agent" not in head
    assert b"authorization" not in asyncio.run(talk([answer, answer], twice))[0]


def test_a_redirect_is_an_answer_and_an_error_is_not_tried_again() -> None:
    async def once(upstream: HttpUpstream) -> None:
        assert (await exchange(upstream))[0] == 307
        assert (await exchange(upstream))[0] == 503

    answers = [
        b"HTTP/1.1 307 Go\r\nlocation: /v1/y\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 503 No\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    ]
    assert len(asyncio.run(talk(answers, once))) == 2


def test_a_body_that_is_cut_is_no_whole_one() -> None:
    async def once(upstream: HttpUpstream) -> None:
        with pytest.raises(ModelError) as cut:
            await exchange(upstream)
        assert cut.value.category == "stream_interrupted"

    asyncio.run(talk([b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi"], once))


@pytest.mark.parametrize("answer", [b"", b"no http at all\r\n\r\n"])
def test_a_connection_that_breaks_before_an_answer_is_told_from_one_that_was_never_made(answer: bytes) -> None:
    async def once(upstream: HttpUpstream) -> None:
        with pytest.raises(ModelError) as broke:
            await exchange(upstream)
        assert (broke.value.code, broke.value.category) == ("UPSTREAM_BROKE", "upstream_unavailable")

    asyncio.run(talk([answer], once))


def test_what_is_not_there_was_never_reached() -> None:
    async def nowhere() -> None:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        upstream = HttpUpstream(f"http://127.0.0.1:{port}/v1", None)
        with pytest.raises(ModelError) as unreached:
            await exchange(upstream)
        assert unreached.value.code == "UPSTREAM_UNREACHABLE"
        await upstream.close()

    asyncio.run(nowhere())


def test_a_proxy_that_the_environment_names_is_not_asked_for_what_is_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)

    async def once(upstream: HttpUpstream) -> None:
        assert await exchange(upstream) == (200, b"hi")

    assert len(asyncio.run(talk([b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"], once))) == 1
