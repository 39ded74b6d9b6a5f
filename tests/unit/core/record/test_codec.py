"""The stored form of events, without any store."""

from __future__ import annotations

import hashlib
import types
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfoil.core.errors import InternalError, LedgerBroken
from counterfoil.core.law.phases import Phase
from counterfoil.core.record.codec import (
    CONTENT,
    INLINE_BYTES_MAX,
    TYPES,
    blob_names,
    decode,
    encode,
    keyed_namer,
    names_like,
)
from counterfoil.core.record.events import (
    CancelRequested,
    Event,
    InstructionFlagged,
    PhaseChanged,
    ToolCallFailed,
    ToolCallSettled,
)

name_blob = keyed_namer(b"k" * 32)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
json_objects = st.dictionaries(texts | st.just("$blob"), json_values, max_size=2)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: texts | st.just("long " * 600),
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
    Any: json_values,
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type as events use it."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, types.UnionType):
        return st.one_of([values_of(arg) for arg in args])
    if origin is tuple:
        if args[-1] is Ellipsis:
            return st.lists(values_of(args[0]), max_size=2).map(tuple)
        return st.tuples(*[values_of(arg) for arg in args])
    if origin is dict:
        return json_objects if args[1] is Any else st.dictionaries(texts, values_of(args[1]), max_size=2)
    assert isinstance(hint, type)
    if issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    return st.builds(hint, **{name: values_of(field) for name, field in get_type_hints(hint).items()})


events = st.one_of([values_of(member) for member in get_args(Event)])


@pytest.mark.req("LED-01")
@settings(deadline=None, database=None)
@given(events)
def test_every_event_comes_back_as_it_was(event: Event) -> None:
    encoded = encode(event, name_blob)
    assert decode(encoded.type, encoded.payload, encoded.blobs.__getitem__) == event
    assert set(blob_names(encoded.payload)) == set(encoded.blobs)
    assert encode(event, name_blob) == encoded


@pytest.mark.parametrize("kind", TYPES)
def test_every_event_type_has_an_example_that_comes_back(kind: str) -> None:
    @settings(max_examples=3, deadline=None, database=None)
    @given(values_of(TYPES[kind]))
    def comes_back(event: Event) -> None:
        encoded = encode(event, name_blob)
        assert encoded.type == kind
        assert decode(kind, encoded.payload, encoded.blobs.__getitem__) == event

    comes_back()


def test_a_small_event_is_plain_json() -> None:
    encoded = encode(PhaseChanged(Phase.FINALIZE_ONLY, "enough"), name_blob)
    assert encoded.payload == b'{"type":"PhaseChanged","to":"finalize_only","why":"enough","policy":null}'
    assert encoded.blobs == {}


def test_key_order_is_kept() -> None:
    content = {"z": 1, "a": {"y": 2, "b": 3}}
    for extra in ({}, {"text": "x" * INLINE_BYTES_MAX}):
        encoded = encode(ToolCallSettled("c1", {**content, **extra}), name_blob)
        event = decode(encoded.type, encoded.payload, encoded.blobs.__getitem__)
        assert isinstance(event, ToolCallSettled)
        assert list(event.content) == ["z", "a", *extra] and list(event.content["a"]) == ["y", "b"]


@pytest.mark.req("LED-10")
def test_content_and_large_fields_become_blobs() -> None:
    content = {"text": "x"}
    encoded = encode(ToolCallFailed("c1", "CODE", "timeout", "why", "hint" * INLINE_BYTES_MAX, content), name_blob)
    values: dict[str, Any] = {"why": "why", "hint": "hint" * INLINE_BYTES_MAX, "content": content}
    bodies = {field: msgspec.json.encode(value) for field, value in values.items()}
    assert encoded.blobs == {name_blob(body): body for body in bodies.values()}
    assert msgspec.json.decode(encoded.payload) == {
        "type": "ToolCallFailed",
        "call_id": "c1",
        "code": "CODE",
        "category": "timeout",
        **{field: {"$blob": name_blob(body)} for field, body in bodies.items()},
    }


@pytest.mark.parametrize("length", [INLINE_BYTES_MAX - 2, INLINE_BYTES_MAX - 1])
def test_the_limit_is_the_length_of_the_fields_json(length: int) -> None:
    encoded = encode(PhaseChanged(Phase.FINALIZE_ONLY, "x" * length), name_blob)
    assert len(encoded.blobs) == (1 if length + 2 > INLINE_BYTES_MAX else 0)


def test_a_value_that_looks_like_a_reference_is_not_taken_for_one() -> None:
    event = ToolCallSettled("c1", {"$blob": "0" * 64})
    encoded = encode(event, name_blob)
    assert "0" * 64 not in blob_names(encoded.payload)
    assert decode(encoded.type, encoded.payload, encoded.blobs.__getitem__) == event
    quoted = PhaseChanged(Phase.FINALIZE_ONLY, '{"$blob":"x"}')
    assert blob_names(encode(quoted, name_blob).payload) == ()


@pytest.mark.req("LED-12")
def test_events_of_an_earlier_and_of_a_later_version_can_be_read() -> None:
    nothing: dict[str, bytes] = {}
    earlier = b'{"type":"PhaseChanged","to":"finalize_only","why":"w"}'
    later = b'{"type":"PhaseChanged","to":"finalize_only","why":"w","policy":"p","added":{"deep":[1]}}'
    for payload, policy in ((earlier, None), (later, "p")):
        event = decode("PhaseChanged", payload, nothing.__getitem__)
        assert event == PhaseChanged(Phase.FINALIZE_ONLY, "w", policy)


def refusal(kind: str, payload: bytes) -> LedgerBroken:
    nothing: dict[str, bytes] = {}
    with pytest.raises(LedgerBroken) as refused:
        decode(kind, payload, nothing.__getitem__)
    assert refused.value.hint
    return refused.value


def test_an_unknown_type_is_named() -> None:
    error = refusal("SkillBound", b'{"type":"SkillBound"}')
    assert error.code == "EVENT_TYPE_UNKNOWN" and "'SkillBound'" in error.message and "upgrade" in error.hint


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"type":"CancelRequested"}',
        b'{"type":"CancelRequested","why":7}',
        b'{"type":"PhaseChanged","why":"x"}',
        b'{"type":"CancelRequested","why":"\xff"}',
        b'{"type":"CancelRequested","why":{"$blob":7}}',
        b'{"type":"CancelRequested","why":{"$blob":',
    ],
)
def test_an_unreadable_payload_is_refused(payload: bytes) -> None:
    assert refusal("CancelRequested", payload).code == "EVENT_UNREADABLE"


@pytest.mark.req("LED-10")
def test_a_missing_blob_has_its_own_code() -> None:
    encoded = encode(ToolCallSettled("c1", {"text": "x" * INLINE_BYTES_MAX}), name_blob)
    error = refusal(encoded.type, encoded.payload)
    assert error.code == "BLOB_MISSING" and "content of a ToolCallSettled" in error.message


@pytest.mark.parametrize("value", ["\ud800", {1, object()}])
def test_a_value_that_json_cannot_hold_is_a_defect_with_a_name(value: Any) -> None:
    with pytest.raises(InternalError) as refused:
        encode(ToolCallSettled("c1", {"text": value}), name_blob)
    assert refused.value.code == "EVENT_NOT_ENCODABLE" and "ToolCallSettled" in refused.value.message


@pytest.mark.req("LED-10")
def test_blob_names_cannot_be_guessed_from_the_bytes() -> None:
    body = b"a page that many have"
    assert name_blob(body) == keyed_namer(b"k" * 32)(body)
    assert name_blob(body) != keyed_namer(b"other" * 6)(body)
    unkeyed = {hashlib.sha256(body).hexdigest(), hashlib.blake2b(body, digest_size=32).hexdigest()}
    assert name_blob(body) not in unkeyed


# Fields that are no content: what the Host itself counts, names and decides. Each new field of an event needs a
# decision: mark it as Content where it is declared, or add it here.
STRUCTURE = {
    "blobs", "by", "call_id", "category", "charged", "code", "debits", "delivered", "dropped", "epoch", "finished",
    "first", "handle", "hint", "holder", "id", "idle_ms", "kind", "no_answer", "assembled_by", "policy", "publication",
    "purpose", "removed", "request", "review", "segment", "size_bytes", "status", "steps", "stop_reason", "to",
    "tools", "validators", "view_hash", "wait_ms", "waited_ms", "narrowed", "prompts", "usd", "worst",
    "model", "still_dropped", "summed_up", "window_tokens",
    "reason", "refused", "verdict", "said",
    "asked", "endpoint", "limit", "released", "spent", "usage",
    "part", "helper", "limits", "carve", "head", "returned",
}  # fmt: skip
FIXED_SENTENCES = {
    ("BlobPurged", "why"), ("FinishRefused", "why"), ("PhaseChanged", "why"), ("ReminderGiven", "why"),
    ("RunPaused", "why"),
}  # fmt: skip


@pytest.mark.req("TRC-03")
@pytest.mark.parametrize("kind", TYPES)
def test_every_field_of_an_event_is_known_to_be_content_or_structure(kind: str) -> None:
    undecided = {field for field in TYPES[kind].__struct_fields__ if field not in CONTENT[kind] | STRUCTURE}
    assert undecided == {field for name, field in FIXED_SENTENCES if name == kind}


@pytest.mark.req("TRC-03")
def test_content_is_never_inline_however_short() -> None:
    for event in (CancelRequested("a"), ToolCallSettled("c1", {"a": 1}), InstructionFlagged("S1", 0, "b")):
        encoded = encode(event, name_blob)
        assert len(encoded.blobs) == 1 and set(names_like([encoded.payload])) == set(encoded.blobs)
    assert encode(ToolCallSettled("c1", {}), name_blob).blobs == {}


def test_content_that_an_earlier_version_stored_inline_can_be_read() -> None:
    nothing: dict[str, bytes] = {}
    assert decode("CancelRequested", b'{"type":"CancelRequested","why":"x"}', nothing.__getitem__) == CancelRequested(
        "x"
    )


def test_names_are_found_in_payloads_that_cannot_be_read() -> None:
    encoded = encode(ToolCallFailed("c1", "CODE", "timeout", "why", "", {"a": 1}), name_blob)
    assert names_like([encoded.payload[:-1] + b"\xff"]) == list(encoded.blobs)
    assert names_like([b""]) == []
