"""What belongs to one connection, to a browser or to us does not cross."""

from __future__ import annotations

from counterfoil.entrypoints.proxy.headers import forwarded, returned, value_of


def test_neither_the_token_nor_a_cookie_nor_a_hop_goes_upstream() -> None:
    sent = [
        (b"Host", b"localhost"), (b"Authorization", b"Bearer token"), (b"Cookie", b"a=b"), (b"X-Api-Key", b"token"),
        (b"Connection", b"close, X-Private"), (b"X-Private", b"1"), (b"Transfer-Encoding", b"chunked"),
        (b"Accept-Encoding", b"gzip, br"), (b"Content-Type", b"text/plain"), (b"Origin", b"http://localhost"),
        (b"X-Forwarded-For", b"10.0.0.1"), (b"Sec-Fetch-Site", b"none"), (b"X-Counterfoil-Code", b"x"),
        (b"OpenAI-Organization", b"org"), (b"User-Agent", b"agent"), (b"Idempotency-Key", b"k"),
    ]  # fmt: skip
    assert forwarded(sent, body=True) == [
        (b"openai-organization", b"org"), (b"user-agent", b"agent"), (b"idempotency-key", b"k"),
        (b"accept-encoding", b"identity"), (b"content-type", b"application/json"),
    ]  # fmt: skip
    assert (b"content-type", b"application/json") not in forwarded(sent, body=False)


def test_marks_of_ours_come_only_from_us() -> None:
    came = [
        (b"Content-Length", b"5"), (b"Retry-After", b"7"), (b"Set-Cookie", b"a=b"), (b"Keep-Alive", b"5"),
        (b"X-Counterfoil-Code", b"PROVIDER_CALL_BUDGET_EXCEEDED"), (b"X-Counterfoil-Origin", b"local"),
        (b"X-Request-Id", b"r"), (b"Alt-Svc", b'h3=":443"'),
    ]  # fmt: skip
    mark = (b"x-counterfoil-origin", b"upstream")
    assert returned(came, whole=True) == [
        (b"content-length", b"5"),
        (b"retry-after", b"7"),
        (b"x-request-id", b"r"),
        mark,
    ]
    assert returned(came, whole=False) == [(b"retry-after", b"7"), (b"x-request-id", b"r"), mark]


def test_a_value_is_found_in_any_case() -> None:
    assert value_of([(b"Content-Type", b" Text/Event-Stream; charset=utf-8")], b"content-type").startswith("text/event")
    assert value_of([], b"content-type") == ""
