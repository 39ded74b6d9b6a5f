"""Agents with OpenAI's own client stop where a budget ends, and the ledger agrees with what the provider saw."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from tests.e2e.cli import PROGRAM, Cli
from tests.e2e.provider import TOKENS_IN, TOKENS_OUT, WORDS, Provider, running

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent_on_a_budget.py"
KEY = "sk-the-key-of-the-provider"
ASKED: Any = [{"role": "user", "content": "a prompt that nobody keeps"}]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running() as one:
        yield one


class Proxy:
    """A proxy in a process of its own."""

    def __init__(self, cli: Cli, *args: str, key: str | None = KEY) -> None:
        environ = {name: value for name, value in cli.environ.items() if name != "OPENAI_API_KEY"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "proxy", "--json", "--port", "0", *args],
            cwd=cli.home,
            env={**environ, **({"OPENAI_API_KEY": key} if key else {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()
        self.opened: dict[str, Any] = json.loads(line)
        self._clients: list[openai.OpenAI] = []
        self.run_id = str(self.opened["run_id"])
        self.access: Any = {"base_url": self.opened["base_url"], "api_key": self.opened["token"]}

    def client(self, **named: Any) -> openai.OpenAI:
        """The official client, with its own retries unless a test says otherwise."""
        self._clients.append(openai.OpenAI(**self.access, **named))
        return self._clients[-1]

    def close(self) -> None:
        """End it whatever it does."""
        for client in self._clients:
            client.close()
        self.process.kill()
        self.process.communicate()

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        """End it: exit code, what it printed, what it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out.decode(), err.decode()


@contextmanager
def proxy(
    cli: Cli, provider: Provider, *budget: str, args: tuple[str, ...] = (), key: str | None = KEY
) -> Iterator[Proxy]:
    limits = [part for limit in budget for part in ("--run-budget", limit)]
    one = Proxy(cli, "--upstream", provider.url, *limits, *args, key=key)
    try:
        yield one
    finally:
        one.close()


def events(cli: Cli, run_id: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cli("trace", run_id, "--json").out.splitlines()]


def used(cli: Cli, run_id: str) -> dict[str, float]:
    report = cli("show", run_id, "--json").json
    return {policy: entry["used"] for policy, entry in report["usage"].items()}


@pytest.mark.req("MOD-05", "MOD-02", "LED-02", "GOV-12")
def test_the_official_client_stops_at_the_budget_and_ledger_and_provider_agree(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=4") as one:
        client = one.client()
        assert client.chat.completions.create(model="ok", messages=ASKED).choices[0].message.content == " ".join(WORDS)
        words = [
            c.choices[0].delta.content for c in client.chat.completions.create(model="ok", messages=ASKED, stream=True)
        ]
        assert tuple(words) == WORDS
        kinds = [event.type for event in client.responses.create(model="ok", input="x", stream=True)]
        assert kinds[-1] == "response.completed"
        assert client.embeddings.create(model="ok", input="x").data[0].embedding
        assert [model.id for model in client.models.list()] == ["ok"]
        for _ in range(3):
            with pytest.raises(openai.RateLimitError) as refused:
                client.chat.completions.create(model="ok", messages=ASKED)
            body: Any = refused.value.body
            assert refused.value.code == "PROVIDER_CALL_BUDGET_EXCEEDED"
            assert body["classification"] == "local_budget_exhausted" and body["policy"] == "run/model-requests"
            assert refused.value.response.headers["x-counterfoil-code"] == "PROVIDER_CALL_BUDGET_EXCEEDED"
            assert "retry-after" not in refused.value.response.headers
        code, out, err = one.stop()
    assert (code, json.loads(out)["status"]) == (10, "budget_exhausted_partial")
    assert len(provider.bodies) == 4
    # x-should-retry is obeyed: the client, left to its own retries, came back once each time.
    told = Counter(event["type"] for event in events(cli, one.run_id))
    assert (told["ProxyCallReserved"], told["ProxyCallSettled"], told["ProxyCallRefused"]) == (4, 4, 3)
    spent = used(cli, one.run_id)
    assert spent["run/model-requests"] == 4
    assert (spent["run/input-tokens"], spent["run/output-tokens"]) == (4 * TOKENS_IN, 3 * TOKENS_OUT)
    assert cli("verify", one.run_id).code == 0
    everything = out + err + cli("trace", one.run_id, "--json").out + cli("show", one.run_id).out
    everything += "".join(path.read_bytes().decode("latin-1") for path in cli.home.rglob("*.db*"))
    assert KEY not in everything and ASKED[0]["content"] not in everything
    assert one.opened["token"] not in everything
    assert {headers["authorization"] for headers in provider.headers} == {f"Bearer {KEY}"}


def test_the_example_of_the_guide_tells_its_budget_from_a_limit_of_the_provider(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=2") as one:
        environ = {"OPENAI_BASE_URL": one.access["base_url"], "OPENAI_API_KEY": one.access["api_key"]}
        command = [sys.executable, str(EXAMPLE), "ok"]
        done = subprocess.run(command, env={**os.environ, **environ}, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "step 1: one two three",
        "step 2: one two three",
        "the budget ended: run/model-requests, 2 of 2 spent",
    ]


@pytest.mark.req("MOD-05", "LED-02")
def test_two_hundred_requests_at_once_against_a_budget_of_fifty(cli: Cli, provider: Provider) -> None:
    async def storm(access: Any) -> Counter[str]:
        async with openai.AsyncOpenAI(**access) as client:

            async def ask() -> str:
                try:
                    await client.chat.completions.create(model="slow", messages=ASKED)
                except openai.RateLimitError as refused:
                    return str(refused.code)
                return "answered"

            return Counter(await asyncio.gather(*(ask() for _ in range(200))))

    with proxy(cli, provider, "run/model-requests=50") as one:
        assert asyncio.run(storm(one.access)) == {"answered": 50, "PROVIDER_CALL_BUDGET_EXCEEDED": 150}
        one.stop()
    assert len(provider.bodies) == provider.answered == 50
    spent = used(cli, one.run_id)
    assert (spent["run/model-requests"], spent["run/input-tokens"]) == (50, 50 * TOKENS_IN)
    told = Counter(event["type"] for event in events(cli, one.run_id))
    assert (told["ProxyCallSettled"], told["ProxyCallRefused"]) == (50, 150)
    assert cli("verify", one.run_id).code == 0


@pytest.mark.req("LED-02", "LED-03", "LED-05")
def test_a_proxy_that_is_killed_leaves_its_debit_and_goes_on_with_the_rest(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=3", "run/output-tokens=100") as one:
        one.client().chat.completions.create(model="ok", messages=ASKED, max_tokens=10)
        sending = subprocess.Popen(
            [sys.executable, "-c", "import openai, os; openai.OpenAI(max_retries=0).chat.completions.create("
             "model='hang', max_tokens=40, messages=[])"],
            env={**os.environ, "OPENAI_BASE_URL": one.access["base_url"], "OPENAI_API_KEY": one.access["api_key"]},
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert provider.reached.wait(60)
        one.process.kill()
        one.process.wait()
        sending.wait(60)
    provider.go.set()
    assert used(cli, one.run_id)["run/output-tokens"] == TOKENS_OUT + 40
    again = Proxy(cli, "--resume", "last")
    try:
        assert again.run_id == one.run_id
        assert again.opened["token"] != one.opened["token"]
        client = again.client()
        client.chat.completions.create(model="ok", messages=ASKED, max_tokens=10)
        with pytest.raises(openai.RateLimitError):
            client.chat.completions.create(model="ok", messages=ASKED, max_tokens=10)
        _code, out, _err = again.stop()
    finally:
        again.close()
    report = json.loads(out)
    assert report["usage"]["run/model-requests"]["used"] == len(provider.bodies) == 3
    assert report["usage"]["run/output-tokens"]["used"] == 2 * TOKENS_OUT + 40
    assert any(warning["code"] == "USAGE_UNKNOWN" and "40" in warning["excerpt"] for warning in report["warnings"])
    told = [event["type"] for event in events(cli, one.run_id)]
    assert told.count("EffectOutcomeUnknown") == 1 and "RunRecovered" in told
    assert cli("verify", one.run_id).code == 0


@pytest.mark.req("MOD-02")
@pytest.mark.parametrize("status", [429, 500])
def test_an_error_of_the_provider_reaches_the_client_untouched_and_once(
    cli: Cli, provider: Provider, status: int
) -> None:
    with proxy(cli, provider, "run/model-requests=9") as one:
        with pytest.raises(openai.APIStatusError) as failed:
            one.client(max_retries=0).chat.completions.create(model=f"status:{status}", messages=ASKED)
        response = failed.value.response
        assert (response.status_code, failed.value.code) == (status, str(status))
        assert (response.headers["retry-after"], response.headers["x-request-id"]) == ("7", "from-upstream")
        assert response.headers["x-counterfoil-origin"] == "upstream"
        assert "x-counterfoil-code" not in response.headers and "set-cookie" not in response.headers
        one.stop()
    assert len(provider.bodies) == 1
    assert used(cli, one.run_id)["run/model-requests"] == 1


@pytest.mark.req("MOD-05")
def test_a_stream_is_passed_on_word_by_word(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=1") as one:
        stream = iter(one.client().chat.completions.create(model="step", messages=ASKED, stream=True))
        for word in WORDS:  # the provider says the next one only when this one has arrived
            assert next(stream).choices[0].delta.content == word
            provider.go.set()
        assert next(stream, None) is None


def test_a_stream_that_is_cut_is_not_whole_for_the_client(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=9") as one:
        stream = one.client().chat.completions.create(model="cut", messages=ASKED, stream=True, max_tokens=9)
        with pytest.raises((openai.APIError, httpx2.HTTPError)):
            list(stream)
        one.stop()
    last = [event for event in events(cli, one.run_id) if event["type"] == "ProxyCallFailed"]
    assert [event["data"]["category"] for event in last] == ["stream_interrupted"]
    assert used(cli, one.run_id)["run/output-tokens"] == 9


def test_a_client_that_leaves_a_stream_leaves_its_worst_case(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=9") as one:
        stream = one.client().chat.completions.create(model="step", messages=ASKED, stream=True, max_tokens=9)
        next(iter(stream))
        stream.close()
        code, out, _err = one.stop()  # drains: waits until the request has its receipt
    assert (code, json.loads(out)["status"]) == (130, "paused")
    last = next(event for event in events(cli, one.run_id) if event["type"] == "ProxyCallFailed")
    assert last["data"]["code"] == "CLIENT_LEFT"
    assert used(cli, one.run_id)["run/output-tokens"] == 9


@pytest.mark.slow
def test_a_request_under_way_ends_before_the_proxy_does(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=9") as one:
        stream = iter(one.client().chat.completions.create(model="step", messages=ASKED, stream=True))
        next(stream)
        one.process.send_signal(signal.SIGTERM)
        for _ in WORDS:
            provider.go.set()
            next(stream, None)
        _code, out, _err = one.stop(signal.SIGTERM)
    report = json.loads(out)
    assert report["usage"]["run/output-tokens"]["used"] == TOKENS_OUT
    assert "RunPaused" in [event["type"] for event in events(cli, one.run_id)]


@pytest.mark.slow
def test_a_second_interrupt_ends_at_once_and_says_what_is_unknown(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=9") as one:
        stream = one.client().chat.completions.create(model="step", messages=ASKED, stream=True)
        next(iter(stream))
        one.process.send_signal(signal.SIGINT)
        assert one.process.stderr is not None
        while b"pausing" not in one.process.stderr.readline():
            pass
        code, _out, _err = one.stop()
    assert code == 130
    told = [event["type"] for event in events(cli, one.run_id)]
    assert told[-2:] == ["EffectOutcomeUnknown", "RunPaused"]


@pytest.mark.slow
def test_a_run_that_is_cancelled_from_outside_ends_its_proxy(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=9", "run/lease-seconds=1") as one:
        assert cli("cancel", one.run_id).code == 130
        out, err = one.process.communicate(timeout=60)
    assert one.process.returncode == 3 and json.loads(out)["error"]["code"] == "ledger_conflict", err
    assert provider.bodies == []


def test_a_metered_run_is_not_resumed_as_research(cli: Cli, provider: Provider) -> None:
    with proxy(cli, provider, "run/model-requests=9") as one:
        one.stop()
    refused = cli("resume", one.run_id, "--json")
    assert (refused.code, "proxy --resume" in refused.json["error"]["hint"]) == (3, True)
    assert cli("resume", "--all", "--json").json == []
    wider = cli("proxy", "--resume", one.run_id, "--run-budget", "run/model-requests=10", "--json")
    assert (wider.code, wider.json["error"]["code"]) == (3, "access_refused")
    assert cli("show", one.run_id).code == 0
    assert [run["status"] for run in cli("runs", "--json").json] == ["paused"]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--upstream", "http://127.0.0.1:9/v1"), 2),
        (("--run-budget", "run/model-requests=1"), 2),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "run/no-such=1"), 2),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "run/model-requests"), 2),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "run/model-requests=many"), 2),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "run/model-requests=0"), 3),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "run/model-requests=99999"), 3),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "web/searches=1"), 3),
        (("--upstream", "ftp://127.0.0.1", "--run-budget", "run/model-requests=1"), 2),
        (("--upstream", "http://u:secret@127.0.0.1", "--run-budget", "run/model-requests=1"), 2),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "run/model-requests=1", "--key-file", "none"), 2),
        (("--upstream", "http://127.0.0.1:9", "--run-budget", "run/model-requests=1", "--host", "192.0.2.1"), 3),
        (("--resume", "nothing"), 1),
    ],
)
def test_what_cannot_be_served_is_refused_before_there_is_a_run(cli: Cli, args: tuple[str, ...], code: int) -> None:
    done = cli("proxy", "--json", *args)
    assert done.code == code, done.err
    assert done.json["error"]["hint"] and "secret" not in done.out + done.err
    assert cli("runs", "--json").json == []


@pytest.mark.req("SEC-02")
def test_a_key_comes_from_a_file_and_never_out_again(cli: Cli, provider: Provider) -> None:
    (cli.home / "key").write_text(f"{KEY}\n")
    key_file = ("--key-file", "key")
    for args, sent in (((), None), (key_file, f"Bearer {KEY}")):
        with proxy(cli, provider, "run/model-requests=1", args=args, key=None) as one:
            one.client().chat.completions.create(model="ok", messages=ASKED)
            one.stop()
        assert provider.headers[-1].get("authorization") == sent
    (cli.home / "key").write_text("two words of a secret")
    done = cli("proxy", "--upstream", provider.url, "--run-budget", "run/model-requests=1", *key_file)
    assert done.code == 2 and "secret" not in done.out + done.err
