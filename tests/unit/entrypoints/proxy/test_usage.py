"""What an answer spent is read as it passes by, whatever the pieces it comes in."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfoil.core.exchange import TokenUsage
from counterfoil.entrypoints.proxy.usage import StreamMeter, usage_in

CHAT = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}


def event(data: dict[str, Any], end: bytes = b"\n\n") -> bytes:
    return b"data: " + json.dumps(data).encode() + end


DELTA = event({"choices": [{"delta": {"content": "a\n\nb"}}], "usage": None})
STATED = event({"choices": [], "usage": CHAT})
DONE = b"data: [DONE]\n\n"


def pieces(stream: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    return [stream[start:end] for start, end in itertools.pairwise(places)]


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r"])
def test_the_chunk_that_was_not_asked_for_is_left_out_wherever_the_stream_is_cut(end: bytes) -> None:
    for first in range(len(DELTA + STATED + DONE) + 30):
        leaves_out_what_was_not_asked_for([first], end)


@settings(deadline=None, database=None)
@given(st.lists(st.integers(0, 500), max_size=20), st.sampled_from([b"\n\n", b"\r\n\r\n", b"\r\r"]))
def test_the_chunk_that_was_not_asked_for_is_left_out_and_nothing_else(cuts: list[int], end: bytes) -> None:
    leaves_out_what_was_not_asked_for(cuts, end)


def leaves_out_what_was_not_asked_for(cuts: list[int], end: bytes) -> None:
    shown = DELTA.replace(b"\n\n", end) + b": a comment" + end
    stream = shown + STATED.replace(b"\n\n", end) + DONE.replace(b"\n\n", end)
    reading = StreamMeter(strip=True, event_bytes_max=10_000)
    passed = b"".join(reading.feed(piece) for piece in pieces(stream, cuts)) + reading.rest()
    assert passed == shown + DONE.replace(b"\n\n", end)
    assert (reading.usage, reading.ended) == (TokenUsage(7, 3), True)


@settings(deadline=None, database=None)
@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=10))
def test_a_stream_that_is_not_changed_passes_byte_for_byte_at_once(stream: bytes, cuts: list[int]) -> None:
    reading = StreamMeter(strip=False, event_bytes_max=50)
    for piece in pieces(stream, cuts):
        assert reading.feed(piece) == piece
    assert reading.rest() == b""


@settings(deadline=None, database=None)
@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=10))
def test_no_byte_of_any_stream_without_usage_is_lost(stream: bytes, cuts: list[int]) -> None:
    reading = StreamMeter(strip=True, event_bytes_max=50)
    assert b"".join(reading.feed(piece) for piece in pieces(stream, cuts)) + reading.rest() == stream


def test_a_whole_event_is_passed_on_before_the_next_has_begun() -> None:
    reading = StreamMeter(strip=True, event_bytes_max=10_000)
    assert reading.feed(DELTA[:9]) == b""
    assert reading.feed(DELTA[9:]) == DELTA
    assert reading.feed(STATED + DELTA[:5]) == b""
    assert not reading.ended


def test_a_last_chunk_that_also_says_something_is_shown() -> None:
    both = event({"choices": [{"delta": {}}], "usage": CHAT})
    reading = StreamMeter(strip=True, event_bytes_max=10_000)
    assert reading.feed(both) == both
    assert reading.usage == TokenUsage(7, 3)


def test_an_event_without_an_end_is_not_held_for_ever() -> None:
    reading = StreamMeter(strip=True, event_bytes_max=10)
    assert reading.feed(b"data: " + b"x" * 20) == b"data: " + b"x" * 20
    assert reading.feed(STATED) == STATED
    assert reading.usage is None


@pytest.mark.parametrize("kind", ["completed", "incomplete", "failed"])
def test_a_response_states_its_usage_in_the_event_that_ends_it(kind: str) -> None:
    usage = {"input_tokens": 7, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 2}}
    reading = StreamMeter(strip=False, event_bytes_max=10_000)
    reading.feed(b"event: x\n" + event({"type": f"response.{kind}", "response": {"usage": usage}}))
    assert (reading.usage, reading.ended) == (TokenUsage(7, 3, cached=2), True)


def test_details_are_read_beside_the_totals() -> None:
    details = {"prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 1}}
    assert usage_in(json.dumps({"usage": {**CHAT, **details}}).encode()) == TokenUsage(7, 3, 4, 1)
    assert usage_in(b'{"usage": {"prompt_tokens": 5, "total_tokens": 5}}') == TokenUsage(5, 0)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"no json", b"[]", b"{}", b'{"usage": null}', b'{"usage": 7}', b'{"usage": {}}',
        b'{"usage": {"prompt_tokens": "7", "completion_tokens": 3}}',
        b'{"usage": {"prompt_tokens": -7, "completion_tokens": 3}}',
        b'{"usage": {"prompt_tokens": 7, "completion_tokens": -3}}',
        b'{"usage": {"prompt_tokens": true, "completion_tokens": 3}}',
        b'{"usage": {"prompt_tokens": 1e30, "completion_tokens": 3}}',
        b'{"usage": {"prompt_tokens": 7, "completion_tokens": 99999999999999}}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_count_is_no_usage(body: bytes) -> None:
    assert usage_in(body) is None
