"""One forwarded request: sent once, passed back as it comes, settled by what it said, whatever becomes of it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.unit.entrypoints.proxy.bench import USAGE, Bench, PlayedAnswer, cut, unreachable

from counterfoil.core.exchange import TokenUsage
from counterfoil.core.law import budget as ids
from counterfoil.entrypoints.proxy.app import proxy_app

WORD = b'data: {"choices": [{"delta": {"content": "a"}}]}\n\n'
STATED = b'data: {"choices": [], ' + json.dumps(USAGE).encode()[1:] + b"\n\n"
DONE = b"data: [DONE]\n\n"


@pytest.mark.req("MOD-02", "MOD-05")
@pytest.mark.parametrize(
    ("status", "category", "released"),
    [
        (400, "request_invalid", True),
        (401, "auth_refused", True),
        (403, "auth_refused", True),
        (404, "request_invalid", True),
        (408, "timeout", False),
        (413, "input_too_large", True),
        (429, "upstream_rate_limited", True),
        (500, "upstream_unavailable", False),
        (504, "timeout", False),
        (529, "upstream_unavailable", False),
    ],
)
def test_an_error_of_the_provider_comes_back_untouched(status: int, category: str, released: bool) -> None:
    async def scenario() -> None:
        headers = [(b"content-type", b"text/x"), (b"retry-after", b"7"), (b"x-should-retry", b"true")]
        bench = await Bench.over(PlayedAnswer(status, json={"error": "theirs"}, headers=headers))
        answer = await bench.chat(max_tokens=5)
        assert (answer.status_code, answer.content) == (status, b'{"error":"theirs"}')
        assert (answer.headers["retry-after"], answer.headers["x-should-retry"]) == ("7", "true")
        assert answer.headers["x-counterfoil-origin"] == "upstream" and "x-counterfoil-code" not in answer.headers
        failed = await bench.last()
        assert (failed.category, failed.status, failed.released) == (category, status, released)
        assert bench.meter.state.budget.used[ids.MODEL_REQUESTS] == 1
        assert bool(bench.meter.state.budget.used[ids.OUTPUT_TOKENS]) != released
        assert len(bench.upstream.sent) == 1

    asyncio.run(scenario())


def test_a_provider_that_is_not_there_keeps_the_request_debited_and_no_token() -> None:
    async def scenario() -> None:
        bench = await Bench.over(unreachable())
        answer = await bench.chat()
        assert (answer.status_code, answer.headers["x-counterfoil-origin"]) == (502, "local")
        assert answer.json()["classification"] == "upstream_unavailable" and "x-should-retry" not in answer.headers
        used = bench.meter.state.budget.used
        assert (used[ids.MODEL_REQUESTS], used[ids.INPUT_TOKENS], used[ids.OUTPUT_TOKENS]) == (1, 0, 0)

    asyncio.run(scenario())


def test_a_redirect_is_not_followed_and_not_passed_on() -> None:
    async def scenario() -> None:
        away = PlayedAnswer(307, json={}, headers=[(b"location", b"https://evil.example")])
        bench = await Bench.over(away)
        answer = await bench.chat()
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "UPSTREAM_REDIRECTS")
        assert "location" not in answer.headers and answer.headers["x-should-retry"] == "false"
        assert away.closed and len(bench.upstream.sent) == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("status", [101, 199, 600, 999])
def test_a_status_that_is_none_is_no_answer(status: int) -> None:
    async def scenario() -> None:
        bench = await Bench.over(PlayedAnswer(status, json={}))
        assert (await bench.chat()).json()["error"]["code"] == "UPSTREAM_STATUS"

    asyncio.run(scenario())


def test_a_provider_that_takes_too_long_is_left_and_the_worst_case_stands() -> None:
    async def scenario() -> None:
        bench = await Bench.over(run__model_requests=1, proxy__upstream_seconds=20)
        bench.upstream.answers = [lambda: bench.metered.clock.sleep_until(2**60)]
        answer = await bench.chat(max_tokens=5)
        assert (answer.status_code, answer.json()["classification"]) == (504, "timeout")
        assert "proxy/upstream-seconds" in answer.json()["error"]["message"]
        assert bench.meter.state.budget.used[ids.OUTPUT_TOKENS] == 5
        assert (await bench.last()).code == "UPSTREAM_TIMEOUT"

    asyncio.run(scenario())


@pytest.mark.req("MOD-05")
def test_a_stream_passes_unchanged_but_for_the_chunk_that_was_not_asked_for() -> None:
    async def scenario(asks: bool) -> bytes:
        bench = await Bench.over(PlayedAnswer(pieces=[WORD, STATED, DONE]))
        options = {"stream_options": {"include_usage": True}} if asks else {}
        answer = await bench.chat(stream=True, **options)
        sent = json.loads(bench.upstream.sent[0][3])
        assert sent["stream_options"] == {"include_usage": True}
        assert (await bench.last()).usage == TokenUsage(7, 3)
        return bytes(answer.content)

    assert asyncio.run(scenario(asks=False)) == WORD + DONE
    assert asyncio.run(scenario(asks=True)) == WORD + STATED + DONE


@pytest.mark.req("LED-02")
def test_a_receipt_is_durable_before_the_client_sees_the_end_of_a_stream() -> None:
    seen: list[tuple[bytes, int]] = []

    async def scenario() -> None:
        bench = await Bench.over(PlayedAnswer(pieces=[WORD, STATED, DONE]))
        run_id = bench.meter.state.run_id

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                events = await bench.metered.ledger.stored(run_id)
                seen.append((message["body"], sum(event.type == "ProxyCallSettled" for event in events)))

        await call(bench, send)

    asyncio.run(scenario())
    assert seen == [(WORD, 0), (DONE, 1), (b"", 1)]


def test_a_stream_without_usage_leaves_the_worst_case_and_says_so() -> None:
    async def scenario() -> None:
        bench = await Bench.over(PlayedAnswer(pieces=[WORD, DONE]))
        await bench.chat(stream=True, max_tokens=5)
        assert (await bench.last()).usage is None
        assert bench.meter.state.budget.used[ids.OUTPUT_TOKENS] == 5
        assert bench.meter.state.proxied is not None and bench.meter.state.proxied.unknown == 1

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("pieces", "kind"), [([WORD, cut()], "ProxyCallFailed"), ([WORD, STATED, cut()], "ProxyCallSettled")]
)
def test_a_stream_that_is_cut_is_not_ended_for_the_client_and_settled_by_what_is_known(
    pieces: list[Any], kind: str
) -> None:
    bodies: list[bytes] = []

    async def scenario() -> None:
        bench = await Bench.over(PlayedAnswer(pieces=pieces))

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                assert message["more_body"]
                bodies.append(message["body"])

        with pytest.raises(Exception, match="STREAM_CUT"):
            await call(bench, send)
        assert (await bench.kinds())[-1] == kind

    asyncio.run(scenario())
    assert bodies == [WORD]


@pytest.mark.parametrize(("before", "kind"), [([WORD], "ProxyCallFailed"), ([WORD, STATED], "ProxyCallSettled")])
def test_a_client_that_leaves_ends_the_request_upstream_too(before: list[Any], kind: str) -> None:
    async def scenario() -> None:
        gone, never = asyncio.Event(), asyncio.Event()

        async def leave() -> None:
            gone.set()
            await never.wait()

        answer = PlayedAnswer(pieces=[*before, leave, DONE])
        bench = await Bench.over(answer)

        async def send(_message: Any) -> None:
            pass

        await call(bench, send, gone)
        assert answer.closed
        event = await bench.last()
        assert type(event).__name__ == kind
        if kind == "ProxyCallFailed":
            assert (event.code, event.category, event.released) == ("CLIENT_LEFT", "cancelled", False)
        assert bench.meter.state.proxied is not None and not bench.meter.state.proxied.under_way

    asyncio.run(scenario())


def test_an_answer_that_is_too_long_to_hold_is_passed_on_and_its_usage_unknown() -> None:
    async def scenario() -> None:
        pieces = [b'{"usage": {"prompt_tokens": 7,', b'"completion_tokens": 3}', b"}"]
        whole = PlayedAnswer(pieces=pieces, headers=[(b"content-type", b"application/json")])
        bench = await Bench.over(whole, run__model_requests=1, proxy__reply_bytes=30)
        answer = await bench.chat()
        assert answer.content == b"".join(pieces)
        assert (await bench.last()).usage is None

    asyncio.run(scenario())


def test_an_answer_cut_before_its_end_is_told_as_one() -> None:
    async def scenario() -> None:
        bench = await Bench.over(PlayedAnswer(pieces=[b"{", cut()], headers=[(b"content-type", b"application/json")]))
        answer = await bench.chat()
        assert (answer.status_code, answer.json()["classification"]) == (502, "stream_interrupted")
        assert not (await bench.last()).released

    asyncio.run(scenario())


def test_a_defect_ends_the_request_with_a_receipt() -> None:
    async def scenario() -> None:
        bench = await Bench.over(RuntimeError("a secret of the library"))
        answer = await bench.chat()
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "PROXY_DEFECT")
        assert "secret" not in answer.text
        assert (await bench.last()).category == "internal"

    asyncio.run(scenario())


def test_a_reply_without_a_maximum_is_held_to_what_the_budget_leaves() -> None:
    async def scenario() -> None:
        bench = await Bench.over(run__output_tokens=9)
        await bench.chat()
        await bench.client.post("/v1/responses", json={"model": "m", "input": "x"})
        await bench.chat(max_tokens=2)
        sent = [json.loads(body) for *_, body in bench.upstream.sent]
        assert sent[0]["max_completion_tokens"] == 9
        assert sent[1]["max_output_tokens"] == 6
        assert "max_completion_tokens" not in sent[2]

    asyncio.run(scenario())


async def call(bench: Bench, send: Any, gone: asyncio.Event | None = None) -> None:
    """Call the application as a server does; the client leaves when ``gone`` is set."""
    body = json.dumps({"model": "m", "messages": [], "stream": True, "max_tokens": 5}).encode()
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    left = gone or asyncio.Event()

    async def receive() -> Any:
        if messages:
            return messages.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    request = bench.client.build_request("POST", "/v1/chat/completions", content=body)
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": request.url.path, "raw_path": request.url.raw_path, "query_string": b"", "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
    }  # fmt: skip
    await proxy_app(bench.meter, bench.upstream, "the token of this proxy", frozenset())(scope, receive, send)


def test_a_stream_that_is_stopped_from_outside_is_settled_by_what_it_had_stated() -> None:
    async def scenario() -> None:
        stated, never = asyncio.Event(), asyncio.Event()

        async def hang() -> None:
            stated.set()
            await never.wait()

        async def send(_message: Any) -> None:
            pass

        bench = await Bench.over(PlayedAnswer(pieces=[WORD, STATED, hang, DONE]))
        passing = asyncio.ensure_future(call(bench, send))
        await stated.wait()
        passing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await passing
        assert type(await bench.last()).__name__ == "ProxyCallSettled"

    asyncio.run(scenario())
