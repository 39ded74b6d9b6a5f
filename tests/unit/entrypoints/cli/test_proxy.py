"""Where the proxy's key and token come from, and what a person is shown of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from counterfoil.core.errors import UsageError
from counterfoil.core.exchange import TokenUsage
from counterfoil.core.record.proxied import (
    ProxyCallFailed,
    ProxyCallRefused,
    ProxyCallReserved,
    ProxyCallSettled,
    ProxyEvent,
)
from counterfoil.entrypoints.cli.main import run
from counterfoil.entrypoints.cli.progress_words import words
from counterfoil.entrypoints.cli.proxy import base_url, find_key, find_token


def test_without_its_extra_the_proxy_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "counterfoil.entrypoints.proxy.server", raising=False)
    monkeypatch.delattr("counterfoil.entrypoints.proxy.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run(["proxy", "--upstream", "http://127.0.0.1:9", "--run-budget", "run/model-requests=1"])
    assert done == 3 and "counterfoil[proxy]" in capsys.readouterr().err


@pytest.mark.req("SEC-02")
def test_a_key_comes_from_the_file_that_was_named_else_from_the_environment(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-file\n")
    environ = {"OPENAI_API_KEY": "sk-environment"}
    assert find_key(str(tmp_path / "key"), environ) == "sk-file"
    assert find_key(None, environ) == "sk-environment"
    assert find_key(None, {}) is None
    assert find_key(None, {"OPENAI_API_KEY": ""}) is None
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name in ("binary", "absent", "."):
        with pytest.raises(UsageError) as refused:
            find_key(str(tmp_path / name), environ)
        assert refused.value.code == "KEY_UNREADABLE"


@pytest.mark.req("SEC-01")
def test_a_token_is_new_each_time_or_the_one_that_was_given() -> None:
    assert len(find_token({})) >= 32 and find_token({}) != find_token({})
    assert find_token({"COUNTERFOIL_PROXY_TOKEN": "0123456789abcdef"}) == "0123456789abcdef"
    for weak in ("", "short", "0123456789abcde ", "0123456789abcdé€x", "0123456789abcdef\n"):
        with pytest.raises(UsageError) as refused:
            find_token({"COUNTERFOIL_PROXY_TOKEN": weak})
        assert not weak or weak not in refused.value.message


def test_a_base_url_is_one_that_a_client_on_this_machine_can_use() -> None:
    assert base_url("127.0.0.1", 80) == "http://127.0.0.1:80/v1"
    assert base_url("0.0.0.0", 80) == "http://127.0.0.1:80/v1"
    assert base_url("::", 80) == "http://[::1]:80/v1"
    assert base_url("box.lan", 80) == "http://box.lan:80/v1"


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ProxyCallReserved("p1", "/v1/responses", "m\x1b[2J", 9), "p1: /v1/responses, m"),
        (ProxyCallSettled("p1", 200, TokenUsage(7, 3)), "p1: 200, 7 tokens in, 3 out"),
        (ProxyCallSettled("p1", 200, None), "p1: 200, usage unknown, its worst case stands"),
        (ProxyCallFailed("p1", "STREAM_CUT", "stream_interrupted"), "p1 failed: STREAM_CUT, its worst case stands"),
        (ProxyCallFailed("p1", "UPSTREAM_429", "x", 429, True), "p1 failed: UPSTREAM_429"),
        (
            ProxyCallRefused("/v1/responses", "m", 9, "X", "run/model-requests", 5, 5, 1),
            "refused: /v1/responses, run/model-requests allows 5, 5 used",
        ),
    ],
)
def test_each_request_is_one_line_without_control_characters(event: ProxyEvent, line: str) -> None:
    told = words(event) or ""
    assert told.startswith(line) and told.isprintable()
