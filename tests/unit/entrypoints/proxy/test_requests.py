"""What a client's request may spend is read from it, on the safe side; what is forwarded is what was read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfoil.entrypoints.proxy.requests import (
    CHAT,
    EMBEDDINGS,
    RESPONSES,
    TEMPLATE_TOKENS,
    Endpoint,
    Unreadable,
    Wanted,
    read_request,
)

UNSEEN = 1_000_000
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


def read(fields: dict[str, Any], endpoint: Endpoint = CHAT) -> Wanted:
    return read_request(endpoint, json.dumps({"model": "m", **fields}).encode(), UNSEEN)


def said(content: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}]}


@settings(deadline=None, database=None)
@given(texts)
def test_no_text_can_have_more_tokens_than_are_reserved(text: str) -> None:
    for fields, endpoint in ((said(text), CHAT), ({"input": text}, RESPONSES), ({"input": [text]}, EMBEDDINGS)):
        wanted = read(fields, endpoint)
        assert len(text.encode()) + TEMPLATE_TOKENS <= wanted.asked.input_tokens < UNSEEN
        assert json.loads(wanted.body(None)) == {"model": "m", **fields}


@pytest.mark.parametrize(
    ("fields", "endpoint", "most"),
    [
        ({}, CHAT, None),
        ({"max_tokens": None}, CHAT, None),
        ({"max_tokens": 5}, CHAT, 5),
        ({"max_completion_tokens": 6}, CHAT, 6),
        ({"max_tokens": 50, "max_completion_tokens": 6}, CHAT, 50),
        ({"max_output_tokens": 7}, RESPONSES, 7),
        ({"max_tokens": 7}, RESPONSES, None),
        ({}, EMBEDDINGS, 0),
    ],
)
def test_the_maximum_is_the_one_that_the_endpoint_obeys(
    fields: dict[str, Any], endpoint: Endpoint, most: int | None
) -> None:
    assert read(fields, endpoint).asked.output_tokens == most


def test_several_replies_are_asked_for_only_of_chat() -> None:
    assert read({"n": 3}).asked.replies == 3
    assert read({"n": 3}, RESPONSES).asked.replies == 1


@pytest.mark.parametrize(
    ("fields", "endpoint"),
    [
        (said([{"type": "image_url", "image_url": {"url": "https://x/y.png"}}]), CHAT),
        (said([{"type": "something new", "id": "1"}]), CHAT),
        ({"messages": [{"role": "assistant", "audio": {"id": "a"}}]}, CHAT),
        ({"web_search_options": {}}, CHAT),
        ({"input": "x", "previous_response_id": "r"}, RESPONSES),
        ({"input": "x", "conversation": "c"}, RESPONSES),
        ({"prompt": {"id": "p"}}, RESPONSES),
        ({"input": [{"type": "item_reference", "id": "i"}]}, RESPONSES),
        ({"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "f"}]}]}, RESPONSES),
        ({"input": [{"type": "function_call_output", "output": [{"type": "input_image"}]}]}, RESPONSES),
        ({"input": "x", "tools": [{"type": "web_search"}]}, RESPONSES),
    ],
)
def test_what_the_bytes_do_not_bound_is_reserved_for(fields: dict[str, Any], endpoint: Endpoint) -> None:
    assert read(fields, endpoint).asked.input_tokens >= UNSEEN


def test_an_image_is_not_counted_by_its_bytes() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 3_000_000}}
    assert read(said([{"type": "text", "text": "hello"}, image])).asked.input_tokens < UNSEEN + 1_000


@pytest.mark.parametrize(
    ("fields", "endpoint"),
    [
        (said([{"type": "text", "text": "hello"}]), CHAT),
        ({"tools": [{"type": "function", "function": {"parameters": {"image_url": {"type": "string"}}}}]}, CHAT),
        ({"input": [{"role": "user", "content": [{"type": "input_text", "text": "x"}]}]}, RESPONSES),
        ({"input": [{"type": "function_call_output", "call_id": "c", "output": "image_url"}]}, RESPONSES),
        ({"input": [[1, 2, 3]]}, EMBEDDINGS),
    ],
)
def test_what_is_text_is_counted_by_its_bytes_alone(fields: dict[str, Any], endpoint: Endpoint) -> None:
    assert read(fields, endpoint).asked.input_tokens < 1_000


def test_a_field_that_stands_twice_means_one_thing_to_both() -> None:
    body = b'{"model": "m", "max_tokens": 100000, "messages": [], "max_tokens": 5}'
    wanted = read_request(CHAT, body, UNSEEN)
    assert wanted.asked.output_tokens == json.loads(wanted.body(None))["max_tokens"] == 5
    assert wanted.body(None).count(b"max_tokens") == 1


def test_a_maximum_is_added_where_it_is_told_and_usage_where_it_was_not_asked_for() -> None:
    streamed = read({"stream": True, "stream_options": {"include_obfuscation": False}})
    assert json.loads(streamed.body(9)) == {
        "model": "m",
        "stream": True,
        "stream_options": {"include_obfuscation": False, "include_usage": True},
        "max_completion_tokens": 9,
    }
    assert json.loads(read({}, RESPONSES).body(9))["max_output_tokens"] == 9
    assert not read({"stream": True, "stream_options": {"include_usage": True}}).usage_added
    assert read({"stream": True, "stream_options": {"include_usage": False}}).usage_added
    assert not read({"stream": True}, RESPONSES).usage_added
    assert "stream_options" not in json.loads(read({"stream": False}).body(None))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b"{}",
        b'{"model": ""}',
        b'{"model": 7}',
        b'{"model": "' + b"m" * 201 + b'"}',
        b'{"model": "m", "max_tokens": "5"}',
        b'{"model": "m", "max_tokens": 0}',
        b'{"model": "m", "max_tokens": -1}',
        b'{"model": "m", "max_tokens": true}',
        b'{"model": "m", "max_tokens": 1.5}',
        b'{"model": "m", "n": 1000}',
        b'{"model": "m", "stream": "yes"}',
        b'{"model": "m", "stream": true, "stream_options": 7}',
        b'{"model": "m", "background": true}',
    ],
)
def test_what_cannot_be_metered_is_refused(body: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        read_request(CHAT, body, UNSEEN)
    assert refused.value.message


def test_embeddings_do_not_stream() -> None:
    with pytest.raises(Unreadable, match="does not stream"):
        read({"stream": True}, EMBEDDINGS)
