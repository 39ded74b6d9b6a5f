"""The wire sends once, says what came back and nothing that was not whole; real SDKs against a stub on loopback."""

from __future__ import annotations

import asyncio
import email.utils
import time

import pytest
from tests.stubs.dialects import ERRORS, Said
from tests.stubs.provider import Provider, closed_port, streamed, told
from tests.stubs.wires import KEY, LIMITS, PROMPT, VENDORS, answer, error, failure, opened, refusal_of, send

from counterfoil.adapters.models.prompt import Prompt, RawCall, UserSaid
from counterfoil.core.errors import ModelError
from counterfoil.core.exchange import TokenUsage

pytestmark = pytest.mark.parametrize("vendor", VENDORS)
HELLO = Said("Hello there, this is it")


@pytest.mark.req("MOD-03")
def test_text_calls_and_usage_come_back(vendor: str) -> None:
    said = Said("I look.", (("look", '{"q":"a"}'), ("look", '{"q":"b"}')), reasoning=7)
    with Provider(answer(vendor, said)) as stub:
        reply = send(vendor, stub.url)
        assert len(stub.requests) == 1
    assert reply.text == "I look."
    assert reply.calls == (RawCall("look", '{"q":"a"}'), RawCall("look", '{"q":"b"}'))
    reasoning = 0 if vendor == "anthropic" else 7  # which does not count it apart
    assert reply.usage == TokenUsage(input=120, output=30, cached=20, reasoning=reasoning)


def test_the_prompt_arrives_with_calls_and_results_paired_and_the_limit_on_output(vendor: str) -> None:
    with Provider(answer(vendor, HELLO)) as stub:
        send(vendor, stub.url)
        (asked,) = stub.requests
    body = asked.body.decode()
    places = [body.index(text) for text in ("How much is it?", "I look.", "It costs $18.", "Go on.")]
    assert places == sorted(places)
    assert body.count('"c1"') == 2
    assert all(text in body for text in ("Answer from what you find.", "Looks something up.", "500"))
    assert asked.path.endswith(
        {"openai": "/responses", "anthropic": "/messages", "google": "alt=sse", "openai-compatible": "/completions"}[
            vendor
        ]
    )


def test_the_beginning_of_a_request_stays_byte_identical_when_the_conversation_grows(vendor: str) -> None:
    longer = Prompt(PROMPT.system, (*PROMPT.messages, UserSaid("And now?")), PROMPT.tools)
    with Provider(answer(vendor, HELLO)) as stub:
        send(vendor, stub.url)
        send(vendor, stub.url, longer)
        first, second = (asked.body for asked in stub.requests)
    end = first.index(b"Go on.")
    assert second[:end] == first[:end]


def test_one_wire_serves_several_loops_one_after_another_and_many_requests_in_one(vendor: str) -> None:
    async def twice() -> None:
        await asyncio.gather(*(model.wire.send(PROMPT, LIMITS) for _ in range(2)))

    with Provider(answer(vendor, HELLO)) as stub:
        model = opened(vendor, stub.url)
        asyncio.run(twice())
        asyncio.run(twice())
        assert len(stub.requests) == 4


@pytest.mark.req("MOD-01")
@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_no_library_retries_what_it_likes_to_retry(vendor: str, status: int) -> None:
    failed, requests = refusal_of(vendor, error(vendor, status, retry_after="0"), answer(vendor, HELLO))
    assert requests == 1
    assert failed.code != "HIDDEN_RETRY"  # nor did it try to, and had to be stopped


@pytest.mark.req("MOD-01")
def test_three_sends_to_a_throttling_provider_are_three_requests(vendor: str) -> None:
    with Provider(error(vendor, 429, retry_after="1")) as stub:
        waits = [failure(vendor, stub.url).retry_after_ms for _ in range(3)]
        assert len(stub.requests) == 3
    assert waits == [1000, 1000, 1000]


@pytest.mark.req("MOD-02")
@pytest.mark.parametrize(
    ("status", "category", "code"),
    [
        (400, "request_invalid", "REQUEST_INVALID"),
        (401, "auth_refused", "KEY_REFUSED"),
        (402, "auth_refused", "PROVIDER_QUOTA_EXHAUSTED"),
        (403, "auth_refused", "ACCESS_REFUSED"),
        (404, "request_invalid", "MODEL_NOT_FOUND"),
        (413, "input_too_large", "CONTEXT_TOO_LONG"),
        (418, "request_invalid", "REQUEST_INVALID"),
        (422, "request_invalid", "REQUEST_INVALID"),
        (429, "upstream_rate_limited", "RATE_LIMITED"),
        (500, "upstream_unavailable", "UPSTREAM_UNAVAILABLE"),
        (503, "upstream_unavailable", "UPSTREAM_UNAVAILABLE"),
        (529, "upstream_unavailable", "OVERLOADED"),
    ],
)
def test_each_status_has_its_category_and_says_what_to_do(vendor: str, status: int, category: str, code: str) -> None:
    failed, requests = refusal_of(vendor, error(vendor, status, message="it said so"))
    assert (failed.category, failed.code, requests) == (category, code, 1)
    assert f"HTTP {status}: it said so" in failed.message
    assert failed.hint
    assert "{" not in failed.message + failed.hint


@pytest.mark.req("MOD-02")
def test_a_refusal_of_our_own_proxy_is_never_taken_for_throttling(vendor: str) -> None:
    marked = error(vendor, 429, retry_after="1", x_counterfoil_code="PROVIDER_CALL_BUDGET_EXCEEDED")
    failed, requests = refusal_of(vendor, marked)
    assert (failed.category, failed.code, requests) == (
        "local_budget_exhausted",
        "PROVIDER_CALL_BUDGET_EXCEEDED",
        1,
    )


@pytest.mark.req("MOD-02")
def test_an_empty_account_is_no_rate_limit_that_waiting_cures(vendor: str) -> None:
    daily = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "RequestsPerDay"}]}]
    body = {
        "openai": ERRORS["openai"](429, "insufficient_quota", "You exceeded your current quota"),
        "anthropic": ERRORS["anthropic"](400, "invalid_request_error", "Your credit balance is too low"),
        "google": {"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED", "details": daily}},
        "openai-compatible": ERRORS["openai"](429, "insufficient_quota", "You exceeded your current quota"),
    }[vendor]
    failed, _ = refusal_of(vendor, told(400 if vendor == "anthropic" else 429, body))
    assert (failed.category, failed.code) == ("auth_refused", "PROVIDER_QUOTA_EXHAUSTED")


@pytest.mark.req("MOD-02")
def test_an_input_beyond_the_window_is_too_large_whatever_the_status(vendor: str) -> None:
    code, message = {
        "openai": ("context_length_exceeded", "too long"),
        "anthropic": ("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        "google": ("INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8)."),
        "openai-compatible": ("bad", "the request exceeds the available context size, try increasing it"),
    }[vendor]
    failed, _ = refusal_of(vendor, error(vendor, 400, code, message))
    assert failed.category == "input_too_large"


@pytest.mark.req("MOD-02")
def test_a_prompt_that_the_provider_refuses_is_said_to_be_refused(vendor: str) -> None:
    refused = {
        "openai": error(vendor, 400, "content_policy_violation", "flagged"),
        "anthropic": error(vendor, 400, "invalid_request_error", "Output blocked by content filtering policy"),
        "google": streamed(b'data: {"promptFeedback": {"blockReason": "SAFETY"}}\n\n'),
        "openai-compatible": error(vendor, 400, "content_filter", "flagged"),
    }[vendor]
    failed, _ = refusal_of(vendor, refused)
    assert failed.category == "content_refused"


def test_a_wrong_key_that_arrives_as_another_status_is_a_wrong_key(vendor: str) -> None:
    invalid = {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT"}
    body = {
        "google": {"error": {**invalid, "details": [{"reason": "API_KEY_INVALID"}]}},
        "anthropic": ERRORS["anthropic"](400, "authentication_error", "invalid x-api-key"),
    }.get(vendor, ERRORS["openai"](400, "invalid_api_key", "Incorrect API key"))
    failed, _ = refusal_of(vendor, told(400, body))
    assert failed.code == "KEY_REFUSED"


IN_AN_HOUR = "an HTTP date an hour from now"


@pytest.mark.req("MOD-02")
@pytest.mark.parametrize(
    ("header", "value", "least", "most"),
    [
        ("retry_after", "2", 2000, 2000),
        ("retry_after_ms", "1500", 1500, 1500),
        ("retry_after", IN_AN_HOUR, 3_500_000, 3_600_000),
        ("retry_after", "soon", None, None),
    ],
)
def test_the_wait_that_a_provider_asks_for_is_read(
    vendor: str, header: str, value: str, least: int | None, most: int | None
) -> None:
    if value == IN_AN_HOUR:
        value = email.utils.formatdate(time.time() + 3600, usegmt=True)  # noqa: TID251
    failed, _ = refusal_of(vendor, error(vendor, 503, **{header: value}))
    if least is None or most is None:
        assert failed.retry_after_ms is None
    else:
        assert least <= (failed.retry_after_ms or 0) <= most


def test_nobody_there_is_unreachable(vendor: str) -> None:
    failed = failure(vendor, closed_port())
    assert (failed.category, failed.code) == ("upstream_unavailable", "UNREACHABLE")
    assert failed.spent == (0, 0)
    assert "doctor" in failed.hint


def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(vendor: str) -> None:
    with Provider(answer(vendor, HELLO), tls=True) as stub:
        failed = failure(vendor, stub.url)
        assert stub.requests == []
    assert (failed.category, failed.code) == ("upstream_unavailable", "TLS_REFUSED")
    assert failed.spent == (0, 0)


def test_a_reply_that_broke_off_may_have_cost_whatever_it_can(vendor: str) -> None:
    failed, _ = refusal_of(vendor, answer(vendor, HELLO).cut(10))
    assert (failed.category, failed.spent) == ("stream_interrupted", None)


@pytest.mark.req("SEC-02")
def test_a_redirect_is_not_followed_with_the_key(vendor: str) -> None:
    with Provider(answer(vendor, HELLO)) as elsewhere:
        failed, requests = refusal_of(vendor, told(307, {}, location=elsewhere.url))
        assert elsewhere.requests == []
    assert (failed.code, requests) == ("REDIRECTED", 1)


@pytest.mark.req("MOD-02")
@pytest.mark.parametrize("share", [0, 0.5])
def test_a_provider_that_falls_silent_is_given_up(vendor: str, share: float) -> None:
    whole = answer(vendor, HELLO)
    with Provider(whole.stalled(int(len(whole.body) * share))) as stub:
        failed = failure(vendor, stub.url, stall_seconds=0.1)
        assert len(stub.requests) == 1
    assert (failed.category, failed.code, failed.policy) == ("timeout", "MODEL_STALLED", "model/stall-seconds")
    assert "0.1 s" in failed.message


@pytest.mark.req("MOD-02")
@pytest.mark.parametrize("framed", [True, False])
@pytest.mark.parametrize("share", [0, 0.1, 0.4, 0.6])
def test_a_stream_that_is_cut_is_no_answer(vendor: str, share: float, framed: bool) -> None:
    whole = answer(vendor, Said("Hello there, this is it", (("look", '{"q":"abc"}'),)))
    failed, requests = refusal_of(vendor, whole.cut(int(len(whole.body) * share), framed=framed))
    assert (failed.category, requests) == ("stream_interrupted", 1)


@pytest.mark.req("MOD-02")
def test_a_reply_that_hit_its_limit_is_no_answer(vendor: str) -> None:
    end = {"openai": "max_output_tokens", "anthropic": "max_tokens", "google": "MAX_TOKENS"}.get(vendor, "length")
    failed, _ = refusal_of(vendor, answer(vendor, Said("Hel", end=end)))
    assert failed.category == "output_truncated"
    assert failed.spent == (120, 30)
    assert "30 tokens" in failed.message


@pytest.mark.req("MOD-02")
def test_a_reply_that_was_filtered_is_said_to_be_refused(vendor: str) -> None:
    end = {"anthropic": "refusal", "google": "SAFETY"}.get(vendor, "content_filter")
    failed, _ = refusal_of(vendor, answer(vendor, Said("Hel", end=end)))
    assert failed.category == "content_refused"


def test_a_page_where_a_stream_should_be_is_no_reply(vendor: str) -> None:
    failed, _ = refusal_of(vendor, streamed(b"<html><body>Welcome</body></html>"))
    assert failed.category == "stream_interrupted"
    assert failed.hint


def test_a_failed_request_costs_no_open_connection_and_the_next_one_works(vendor: str) -> None:
    with Provider(error(vendor, 500), answer(vendor, HELLO)) as stub:
        assert failure(vendor, stub.url).category == "upstream_unavailable"
        assert send(vendor, stub.url).text == HELLO.text


@pytest.mark.req("SEC-02")
def test_a_key_that_is_echoed_is_hidden_in_errors_and_in_replies(vendor: str) -> None:
    failed, _ = refusal_of(vendor, error(vendor, 401, message=f"Incorrect API key {KEY} at https://u:p@h/x?key={KEY}"))
    assert KEY not in f"{failed.message}{failed.hint}{failed!r}"
    assert "u:p@" not in failed.message
    calls = (("look", f'{{"q":"{KEY}"}}'), (f"t_{KEY}", "{}"))
    with Provider(answer(vendor, Said(f"your key is {KEY}", calls))) as stub:
        reply = send(vendor, stub.url)
        assert KEY in str(stub.requests[0].headers)
    assert KEY not in str(reply)


@pytest.mark.req("SEC-02")
def test_a_failure_carries_no_exception_of_a_library_in_its_traceback(vendor: str) -> None:
    failed, _ = refusal_of(vendor, error(vendor, 401, message=KEY))
    assert failed.__cause__ is None
    assert failed.__suppress_context__


def test_looking_a_model_up_spends_nothing_and_says_whether_it_is_known(vendor: str) -> None:
    known = {
        "google": {"name": "models/stub"},
        "anthropic": {"id": "stub", "type": "model", "display_name": "Stub", "created_at": "2026-01-01T00:00:00Z"},
        "openai": {"id": "stub", "object": "model", "created": 1, "owned_by": "us"},
        "openai-compatible": {"object": "list", "data": [{"id": "stub", "object": "model", "created": 1}]},
    }[vendor]
    with Provider(told(200, known)) as stub:
        assert asyncio.run(opened(vendor, stub.url).wire.look_up()) is True
        (asked,) = stub.requests
    assert (asked.method, asked.body) == ("GET", b"")


def test_looking_up_tells_a_wrong_key_from_an_unknown_model(vendor: str) -> None:
    for status, told_code in ((401, "KEY_REFUSED"), (404, "MODEL_NOT_FOUND")):
        with Provider(error(vendor, status)) as stub:
            wire = opened(vendor, stub.url).wire
            if vendor == "openai-compatible" and status == 404:
                assert asyncio.run(wire.look_up()) is None  # many of them list nothing
                continue
            with pytest.raises(ModelError) as failed:
                asyncio.run(wire.look_up())
            assert failed.value.code == told_code
