"""A person with a provider: a Run over HTTP, clear lines for what is wrong, and no key anywhere afterwards."""

from __future__ import annotations

import json

import pytest
from tests.e2e.cli import Cli, Done
from tests.stubs.dialects import Said
from tests.stubs.provider import Provider, closed_port, told
from tests.stubs.wires import KEY, VENDORS, answer, environ_of, error, spec_of

QUESTION = "How much does the City North day pass cost?"


@pytest.fixture(name="home")
def home_fixture(cli: Cli) -> Cli:
    (cli.home / "docs").mkdir()
    (cli.home / "docs" / "pass.md").write_text("# City North\n\nThe City North day pass costs $18.\n")
    for name in list(cli.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")):
            del cli.environ[name]
    return cli


def ask(cli: Cli, spec: str, *more: str, **environ: str) -> Done:
    return cli("ask", QUESTION, "--corpus", "docs", "--model", spec, *more, **environ)


def checks(done: Done) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in done.json["checks"]}


def publishing(vendor: str) -> Provider:
    """A provider whose model searches, reads and publishes."""
    body = {"body": "It costs $18 [E2].", "gaps": [], "finish": True}
    return Provider(
        answer(vendor, Said("{}")),  # the entry
        answer(vendor, Said("", (("search_public_sources", '{"query": "City North day pass cost"}'),))),
        answer(vendor, Said("", (("read_public_source", '{"handle": "S1"}'),))),
        answer(vendor, Said("", (("publish_answer", json.dumps(body)),))),
    )


@pytest.mark.req("MOD-03", "SEC-02")
@pytest.mark.parametrize("vendor", VENDORS)
def test_a_run_with_a_provider_is_recorded_with_what_it_spent_and_without_its_key(home: Cli, vendor: str) -> None:
    with publishing(vendor) as stub:
        done = ask(home, spec_of(vendor, stub.url), "--json", "--out", "report.html", **environ_of(stub.url))
        asked = stub.requests
    assert done.code == 0, done.err + done.out
    assert "$18" in done.json["publication"]["body"]
    assert done.json["usage"]["run/model-requests"]["used"] == len(asked)
    assert done.json["usage"]["run/input-tokens"]["used"] == 120 * len(asked)
    assert any(KEY in str(request.headers) for request in asked)
    traced = home("trace", done.json["run_id"], "--json")
    assert KEY not in done.out + done.err + traced.out + traced.err
    holding = [path for path in home.home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert holding == []


@pytest.mark.req("MOD-01", "SEC-02")
def test_a_wrong_key_is_one_request_and_one_clear_line(home: Cli) -> None:
    with Provider(error("openai", 401, "invalid_api_key", f"Incorrect API key provided: {KEY}")) as stub:
        done = ask(home, "openai:gpt-5-mini", "--json", **environ_of(stub.url))
        assert len(stub.requests) == 1
    assert done.code == 1
    told_error = done.json["error"]
    assert told_error["code"] == "auth_refused"
    assert "refused the key" in told_error["message"]
    assert "OPENAI_API_KEY" in told_error["hint"]
    assert KEY not in done.out + done.err
    holding = [path for path in home.home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert holding == []


@pytest.mark.req("MOD-01")
def test_a_throttling_provider_is_asked_as_often_as_the_policy_says(home: Cli) -> None:
    with Provider(error("openai-compatible", 429, retry_after_ms="1")) as stub:
        done = ask(home, spec_of("openai-compatible", stub.url), "--json", "--set", "model/attempts=3")
        assert len(stub.requests) == 3
    assert done.json["error"]["code"] == "upstream_rate_limited"
    assert done.json["stop_reason"] == "provider_failed"
    assert done.json["usage"]["run/model-requests"]["used"] == 3


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("spec", "code", "told_why"),
    [
        ("nobody:x", 2, "there is no model 'nobody:x'"),
        ("openai-compatible:x@ftp://h", 2, "begins with neither http:// nor https://"),
        ("openai:gpt-5-mini", 3, "there is no key for openai"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_before_anything_is_recorded(
    home: Cli, spec: str, code: int, told_why: str
) -> None:
    done = ask(home, spec)
    assert done.code == code
    assert told_why in done.err
    assert "next:" in done.err
    assert home("runs", "--json").json == []
    assert told_why in str(checks(home("doctor", "--json", "--model", spec)))


@pytest.mark.req("UX-06")
def test_doctor_says_beforehand_what_a_run_would_find(home: Cli) -> None:
    spec = "openai:gpt-5-mini"
    with Provider(told(200, {"id": "gpt-5-mini", "object": "model", "created": 1, "owned_by": "x"})) as stub:
        done = home("doctor", "--json", "--model", spec, **environ_of(stub.url))
        assert [request.method for request in stub.requests] == ["GET"]
    assert done.code == 0, done.out
    assert checks(done)[f"model {spec}"]["state"] == "ok"
    assert "$" in checks(done)[f"price of {spec}"]["detail"]
    for status, why in ((401, "refused the key"), (404, "does not know gpt-5-mini")):
        with Provider(error("openai", status)) as stub:
            failed = home("doctor", "--json", "--model", spec, **environ_of(stub.url))
        assert failed.code == 1
        assert why in checks(failed)["model of openai"]["detail"]
        assert checks(failed)["model of openai"]["next"]
    unreached = home("doctor", "--json", "--model", f"openai-compatible:x@{closed_port()}")
    assert "cannot be reached" in checks(unreached)["model of openai-compatible"]["detail"]


@pytest.mark.req("SEC-02")
def test_doctor_tells_where_a_key_is_and_not_the_key(home: Cli) -> None:
    keys = home.home / "config" / "counterfoil" / "keys.toml"
    keys.parent.mkdir(parents=True)
    keys.write_text(f'anthropic = "{KEY}"\n')
    keys.chmod(0o600)
    done = home("doctor", "--json", GOOGLE_API_KEY=KEY)
    found = checks(done)
    assert found["provider anthropic"]["detail"].startswith(f"key from {keys}")
    assert found["provider google"]["detail"].startswith("key from GOOGLE_API_KEY")
    assert (found["provider openai"]["state"], found["provider openai-compatible"]["state"]) == ("missing", "ok")
    assert KEY not in done.out + done.err
    keys.chmod(0o644)
    open_to_all = home("doctor", "--json")
    assert open_to_all.code == 1
    assert "chmod 600" in checks(open_to_all)["key file"]["next"]


@pytest.mark.req("SEC-02")
def test_a_project_file_alone_sends_no_key_to_an_address_of_its_own(home: Cli) -> None:
    with Provider(error("openai-compatible", 401)) as stub:
        spec = spec_of("openai-compatible", stub.url)
        (home.home / "counterfoil.toml").write_text(f"model = {json.dumps(spec)}\n")
        asked = ("ask", QUESTION, "--corpus", "docs")
        refused = home(*asked, OPENAI_API_KEY=KEY)
        said = home("doctor", "--json", OPENAI_API_KEY=KEY)
        assert stub.requests == []
        home(*asked, "--model", spec, OPENAI_API_KEY=KEY)
        assert len(stub.requests) == 1
    assert refused.code == 3 and "would send the key from OPENAI_API_KEY to" in refused.err
    assert KEY not in refused.err + said.out and "would send the key" in str(checks(said))
