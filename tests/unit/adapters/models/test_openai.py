"""What OpenAI and servers that speak its protocol are asked for beyond a reply."""

from __future__ import annotations

import asyncio

import pytest
from tests.stubs.dialects import Said
from tests.stubs.provider import Answer, Provider, told
from tests.stubs.wires import KEY, LIMITS, answer, environ_of, opened, refusal_of, send

from counterfoil.adapters.models.keys import Keys
from counterfoil.adapters.models.prompt import Prompt, UserSaid
from counterfoil.adapters.models.providers import open_language_model
from counterfoil.core.errors import ModelError

SCHEMA = {"type": "object", "properties": {"calls": {"type": "array", "items": {"enum": ["S1", "S2"]}}}}


def test_openai_keeps_no_copy() -> None:
    with Provider(answer("openai", Said("x"))) as stub:
        send("openai", stub.url)
        assert stub.requests[0].json["store"] is False


def test_a_model_that_calls_no_tools_is_held_to_the_schema(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Provider(answer("openai-compatible", Said('{"calls": []}'))) as stub:
        keys = Keys({}, tmp_path_factory.mktemp("k") / "keys.toml")
        spec = f"openai-compatible:small@{stub.url}/v1#json"
        wire = open_language_model(spec, keys, environ_of(stub.url), 5).wire
        assert wire.native_tools is False
        reply = asyncio.run(wire.send(Prompt("s", (UserSaid("u"),), (), SCHEMA), LIMITS))
        (asked,) = stub.requests
    assert asked.path == "/v1/chat/completions"
    assert "tools" not in asked.json
    sent = asked.json["response_format"]["json_schema"]["schema"]
    assert sent["properties"]["calls"]["items"] == {"enum": ["S1", "S2"]}
    assert reply.text == '{"calls": []}'


@pytest.mark.req("SEC-02")
def test_a_server_without_a_key_is_sent_a_placeholder() -> None:
    with Provider(answer("openai-compatible", Said("x"))) as stub:
        asyncio.run(opened("openai-compatible", stub.url, key="").wire.send(Prompt("", (UserSaid("u"),)), LIMITS))
        assert KEY not in str(stub.requests[0].headers)
        assert stub.requests[0].headers["authorization"] == "Bearer no-key"


def test_a_model_that_cannot_call_tools_is_named_with_the_way_out() -> None:
    body = {"error": {"message": "registry.ollama.ai/small does not support tools", "type": "api_error"}}
    failed, _ = refusal_of("openai-compatible", told(400, body))
    assert failed.code == "TOOLS_UNSUPPORTED"
    assert "#json" in failed.hint


def test_a_refusal_in_the_place_of_a_reply_is_content_that_was_refused() -> None:
    with Provider(answer("openai-compatible", Said("x"))) as stub:
        chunk = stub.answers[0].body.replace(b'"content": "x"', b'"refusal": "I must not."')
        stub.answers[0] = type(stub.answers[0])(headers=stub.answers[0].headers, body=chunk)
        failed, _ = refusal_of("openai-compatible", stub.answers[0])
    assert failed.category == "content_refused"
    assert "I must not." in failed.message


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    "site",
    [
        Answer(200, {"content-type": "text/html"}, b"<html>hello</html>"),
        told(200, {"data": None}),
        told(200, {"data": ["stub"]}),
        told(200, [1]),
        Answer(200, {"content-type": "application/json"}, b"{"),
    ],
)
def test_looking_up_at_an_address_that_is_no_model_api_says_so(site: Answer) -> None:
    with Provider(site) as stub, pytest.raises(ModelError) as failed:
        asyncio.run(opened("openai-compatible", stub.url).wire.look_up())
    assert failed.value.code == "REPLY_UNREADABLE"
