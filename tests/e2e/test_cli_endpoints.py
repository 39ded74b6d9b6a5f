"""A person with an endpoint that is not well: what a Run says, what it is charged, and how it goes on afterwards."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.e2e.cli import PROGRAM, Cli, Done
from tests.stubs.dialects import Said
from tests.stubs.provider import Answer, Provider, closed_port
from tests.stubs.wires import answer, error, spec_of

QUESTION = "How much does the City North day pass cost?"
VENDOR = "openai-compatible"
ENTRY = answer(VENDOR, Said("{}"))
SEARCH = answer(VENDOR, Said("", (("search_public_sources", '{"query": "City North day pass cost"}'),)))
READ = answer(VENDOR, Said("", (("read_public_source", '{"handle": "S1"}'),)))
BODY = json.dumps({"body": "It costs $18 [E2].", "gaps": [], "finish": True})
PUBLISH = answer(VENDOR, Said("", (("publish_answer", BODY),)))


@pytest.fixture(name="home")
def home_fixture(cli: Cli) -> Cli:
    (cli.home / "docs").mkdir()
    (cli.home / "docs" / "pass.md").write_text("# City North\n\nThe City North day pass costs $18.\n")
    for name in list(cli.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")):
            del cli.environ[name]
    return cli


def words(url: str, *more: str) -> tuple[str, ...]:
    return ("ask", QUESTION, "--corpus", "docs", "--model", spec_of(VENDOR, url), "--json", *more)


def charged(done: Done) -> tuple[int, int, int]:
    """Requests, input tokens, output tokens."""
    usage = done.json["usage"]
    requests, given, made = (
        usage[f"run/{name}"]["used"] for name in ("model-requests", "input-tokens", "output-tokens")
    )
    return requests, given, made


def started(home: Cli, *args: str) -> subprocess.Popen[bytes]:
    """A command that runs on."""
    nowhere, words_of = subprocess.DEVNULL, [sys.executable, "-c", PROGRAM, *args]
    return subprocess.Popen(words_of, cwd=home.home, env=home.environ, stdin=nowhere, stdout=nowhere, stderr=nowhere)


@pytest.mark.req("MOD-01", "MOD-02")
@pytest.mark.parametrize("https", [False, True])
def test_an_endpoint_that_is_never_connected_costs_attempts_and_no_tokens(home: Cli, https: bool) -> None:
    with Provider(ENTRY) as plain:
        url = plain.url.replace("http:", "https:") if https else closed_port()
        done = home(*words(url, "--set", "model/attempts=2"))
        assert plain.requests == []
    assert (done.code, charged(done), done.json["cost_usd"]) == (1, (2, 0, 0), 0)
    told = done.json["error"]
    assert (told["code"], told["reason"]) == ("upstream_unavailable", "TLS_REFUSED" if https else "UNREACHABLE")
    assert told["message"] and told["hint"]


@pytest.mark.req("MOD-01", "MOD-02")
@pytest.mark.parametrize(
    ("bad", "code", "requests", "tokens"),
    [
        (error(VENDOR, 400), "request_invalid", 2, 120),
        (error(VENDOR, 529), "upstream_unavailable", 3, None),
        (answer(VENDOR, Said("I think", end="length")), "output_truncated", 3, 360),
        (answer(VENDOR, Said("I think", end="content_filter")), "content_refused", 2, 240),
        (SEARCH.cut(50), "stream_interrupted", 3, None),
    ],
)
def test_each_ill_answer_is_one_request_one_debit_and_what_it_says_it_spent(
    home: Cli, bad: Answer, code: str, requests: int, tokens: int | None
) -> None:
    with Provider(ENTRY, bad) as stub:
        done = home(*words(stub.url, "--set", "model/attempts=2"))
        assert len(stub.requests) == requests
    assert (done.code, done.json["error"]["code"]) == (1, code)
    used, given, _ = charged(done)
    assert used == requests
    assert given == tokens if tokens is not None else given > 360  # unknown: the worst case stands


@pytest.mark.req("MOD-02", "LED-02")
def test_a_run_killed_while_its_endpoint_stalls_goes_on_and_pays_twice_for_nothing(home: Cli) -> None:
    with Provider(ENTRY, SEARCH, READ.stalled(10), READ, PUBLISH) as stub:
        process = started(home, *words(stub.url))
        stub.wait_until(3)
        process.kill()
        process.communicate()
        run_id = home("runs", "--json").json[0]["run_id"]
        done = home("resume", run_id, "--json")
        assert len(stub.requests) == 5
    assert done.code == 0, done.err
    used, given, made = charged(done)
    assert used == 5
    [lost] = [json.loads(line) for line in home("trace", run_id, "--json").out.splitlines() if "worst" in line][2:3]
    worst = lost["data"]["worst"]
    assert given == 4 * 120 + worst["run/input-tokens"]
    assert made == 4 * 30 + worst["run/output-tokens"]


@pytest.mark.req("UX-06")
def test_doctor_says_that_the_driver_of_a_store_is_missing_before_a_run_does(home: Cli) -> None:
    (home.home / "sitecustomize.py").write_text("import sys; sys.modules['psycopg'] = None\n")
    path = f"{home.home}:{home.environ.get('PYTHONPATH', '')}"
    store = ("--store", "postgresql://me:secret-word@127.0.0.1:1/x")
    told, ran = (
        home("doctor", *store, PYTHONPATH=path),
        home("ask", QUESTION, "--corpus", "docs", *store, PYTHONPATH=path),
    )
    assert (told.code, ran.code) == (1, 3)
    for said in (told.out, ran.err):
        assert "driver" in said and "counterfoil[postgres]" in said and "secret-word" not in said
