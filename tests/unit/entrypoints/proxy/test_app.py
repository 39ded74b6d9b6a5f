"""The paths of the proxy: who may use them, what is metered, what is refused here and what comes from the provider."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.unit.entrypoints.proxy.bench import CHAT, TOKEN, USAGE, Bench, PlayedAnswer, unreachable

from counterfoil.core.errors import LedgerBroken


def error(answer: Any) -> dict[str, Any]:
    body = answer.json()
    assert body["classification"] == body["error"]["classification"] == body["error"]["type"]
    assert answer.headers["x-counterfoil-origin"] == "local"
    assert answer.headers["x-counterfoil-code"] == body["error"]["code"]
    assert "retry-after" not in answer.headers
    return dict(body["error"])


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"authorization": ""}, 401, "TOKEN_REFUSED"),
        ({"authorization": "Bearer"}, 401, "TOKEN_REFUSED"),
        ({"authorization": f"Bearer {TOKEN}x"}, 401, "TOKEN_REFUSED"),
        ({"authorization": f"Basic {TOKEN}"}, 401, "TOKEN_REFUSED"),
        ({"authorization": "Bearer ünïcode".encode()}, 401, "TOKEN_REFUSED"),
        ({"host": "evil.example"}, 421, "HOST_REFUSED"),
        ({"host": "evil.example:1"}, 421, "HOST_REFUSED"),
        ({"host": "127.0.0.1.evil.example"}, 421, "HOST_REFUSED"),
        ({"host": "127.0.0.1@evil.example"}, 421, "HOST_REFUSED"),
        ({"host": ""}, 421, "HOST_REFUSED"),
        ({"origin": "https://evil.example"}, 403, "ORIGIN_REFUSED"),
        ({"origin": "null"}, 403, "ORIGIN_REFUSED"),
    ],
)
@pytest.mark.parametrize("path", [CHAT, "/v1/models", "/nowhere"])
def test_nobody_comes_in_without_the_token_under_another_name_or_from_another_site(
    path: str, headers: dict[str, Any], status: int, code: str
) -> None:
    async def scenario() -> None:
        bench = await Bench.over()
        answer = await bench.client.post(path, json={"model": "m"}, headers=headers)
        assert (answer.status_code, error(answer)["code"]) == (status, code)
        assert answer.headers["x-should-retry"] == "false"
        assert (bench.upstream.sent, await bench.kinds()) == ([], [])

    asyncio.run(scenario())


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize(
    "host", ["localhost:1", "LOCALHOST", "127.0.0.1", "[::1]:1", "10.0.0.7:1", "box.lan", "Box.lan:80"]
)
def test_addresses_and_given_names_come_in_also_as_origins(host: str) -> None:
    async def scenario() -> None:
        bench = await Bench.over(names=frozenset({"box.lan"}))
        headers = {"host": host, "origin": f"http://{host}", "authorization": f"bearer {TOKEN}"}
        answer = await bench.client.post(CHAT, json={"model": "m"}, headers=headers)
        assert answer.status_code == 200

    asyncio.run(scenario())


@pytest.mark.req("MOD-05", "MOD-02", "GOV-12")
def test_a_refusal_of_ours_says_so_in_every_way_that_a_client_may_look_for() -> None:
    async def scenario() -> None:
        bench = await Bench.over(run__model_requests=1)
        assert (await bench.chat()).status_code == 200
        answer = await bench.chat()
        assert answer.status_code == 429
        told = error(answer)
        assert (told["code"], told["classification"]) == ("PROVIDER_CALL_BUDGET_EXCEEDED", "local_budget_exhausted")
        assert (told["policy"], told["limit"], told["spent"], told["asked"]) == ("run/model-requests", 1, 1, 1)
        assert told["hint"] and "run/model-requests allows 1, 1 used" in told["message"]
        assert answer.headers["x-counterfoil-policy"] == "run/model-requests"
        assert answer.headers["x-should-retry"] == "false"
        assert len(bench.upstream.sent) == 1
        assert (await bench.kinds())[-1] == "ProxyCallRefused"

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("POST", "/v1/completions", 404),
        ("POST", "/v1/chat/completions/", 404),
        ("POST", "/v1/responses/r1/cancel", 404),
        ("GET", CHAT, 405),
        ("DELETE", "/v1/models", 405),
    ],
)
def test_other_paths_are_not_there(method: str, path: str, status: int) -> None:
    async def scenario() -> None:
        bench = await Bench.over()
        answer = await bench.client.request(method, path)
        assert answer.status_code == status and "POST /v1/responses" in error(answer)["message"]
        assert (bench.upstream.sent, await bench.kinds()) == ([], [])

    asyncio.run(scenario())


def test_a_body_that_cannot_be_metered_is_refused_and_costs_nothing() -> None:
    async def scenario() -> None:
        bench = await Bench.over(run__model_requests=9, proxy__request_bytes=100)
        broken = await bench.client.post(CHAT, content=b'{"model": ')
        assert (broken.status_code, error(broken)["code"]) == (400, "JSON_INVALID")

        async def unannounced() -> Any:
            for _ in range(3):
                yield b" " * 50

        for body in (b" " * 101, unannounced()):
            long = await bench.client.post(CHAT, content=body)
            assert (long.status_code, error(long)["policy"]) == (413, "proxy/request-bytes")
        assert (bench.upstream.sent, await bench.kinds()) == ([], [])

    asyncio.run(scenario())


@pytest.mark.req("SEC-02")
def test_the_token_stays_here_and_what_is_forwarded_is_what_was_asked() -> None:
    async def scenario() -> None:
        bench = await Bench.over()
        await bench.client.post(CHAT, json={"model": "m", "messages": [], "seed": 7}, headers={"openai-project": "p"})
        method, path, headers, body = bench.upstream.sent[0]
        assert (method, path, json.loads(body)) == (
            "POST",
            "/chat/completions",
            {"model": "m", "messages": [], "seed": 7},
        )
        assert headers[b"openai-project"] == b"p"
        assert TOKEN.encode() not in b"".join(headers.values())

    asyncio.run(scenario())


def test_an_answer_comes_back_as_it_was_marked_as_the_providers_with_its_receipt_before_it() -> None:
    async def scenario() -> None:
        headers = [(b"content-type", b"application/json"), (b"x-request-id", b"r"), (b"x-counterfoil-code", b"forged")]
        bench = await Bench.over(PlayedAnswer(json=USAGE, headers=headers))
        answer = await bench.chat()
        assert (answer.status_code, answer.json(), answer.headers["x-request-id"]) == (200, USAGE, "r")
        assert answer.headers["x-counterfoil-origin"] == "upstream" and "x-counterfoil-code" not in answer.headers
        assert await bench.kinds() == ["ProxyCallReserved", "ProxyCallSettled"]
        assert (await bench.last()).usage.input == 7

    asyncio.run(scenario())


def test_a_list_of_models_is_passed_on_and_is_no_request_of_the_run() -> None:
    async def scenario() -> None:
        bench = await Bench.over(PlayedAnswer(json={"data": []}))
        answer = await bench.client.get("/v1/models")
        assert (answer.status_code, answer.json()) == (200, {"data": []})
        assert bench.upstream.sent[0][:2] == ("GET", "/models")
        assert await bench.kinds() == []
        bench.upstream.answers = [unreachable()]
        assert error(await bench.client.get("/v1/models"))["code"] == "UPSTREAM_UNREACHABLE"
        bench.upstream.answers = [lambda: bench.metered.clock.sleep_until(2**60)]
        assert (await bench.client.get("/v1/models")).status_code == 504

    asyncio.run(scenario())


def test_a_list_of_models_that_has_no_end_is_not_held() -> None:
    async def scenario() -> None:
        long = PlayedAnswer(json="x" * 100)
        bench = await Bench.over(long, run__model_requests=1, proxy__reply_bytes=50)
        assert error(await bench.client.get("/v1/models"))["code"] == "REPLY_TOO_LARGE"
        assert long.closed

    asyncio.run(scenario())


@pytest.mark.req("LED-02")
def test_nothing_is_forwarded_when_the_ledger_takes_no_debit() -> None:
    async def scenario() -> None:
        bench = await Bench.over()

        async def full(*_args: Any, **_named: Any) -> Any:
            raise LedgerBroken("the disk is full", code="STORE_FULL", hint="free some space")

        bench.metered.ledger.append = full  # type: ignore[method-assign]  # the store breaks while it is used
        for _ in range(2):
            answer = await bench.chat()
            assert (answer.status_code, error(answer)["code"]) == (503, "STORE_FULL")
        assert bench.upstream.sent == []

    asyncio.run(scenario())


def test_a_defect_of_ours_is_said_to_be_ours() -> None:
    async def scenario() -> None:
        bench = await Bench.over()

        async def defect(*_args: Any) -> Any:
            raise KeyError("a prompt")

        bench.meter.reserve = defect  # type: ignore[method-assign,assignment]  # any defect on the way
        answer = await bench.chat()
        assert (answer.status_code, error(answer)["code"]) == (500, "PROXY_DEFECT")
        assert "a prompt" not in answer.text

    asyncio.run(scenario())


@pytest.mark.req("SEC-01")
def test_a_request_that_names_two_hosts_does_not_come_in() -> None:
    async def scenario() -> None:
        bench = await Bench.over()
        answer = await bench.client.get("/v1/models", headers=[("host", "127.0.0.1"), ("host", "evil.example")])
        assert (answer.status_code, error(answer)["code"]) == (421, "HOST_REFUSED")

    asyncio.run(scenario())
