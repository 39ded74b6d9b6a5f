"""A reply is kept exactly, or what cannot be kept is named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.exchange import CallDraft, Completion, TokenUsage
from counterfoil.host.replies import storable, whole

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON), st.text())
def test_json_is_kept_as_it_is(args: dict[str, Any], text: str) -> None:
    reply = Completion(text, (CallDraft("search", args),), TokenUsage(1, 2))
    assert storable(reply) == reply


@pytest.mark.req("MOD-06")
@pytest.mark.parametrize("value", ["half \ud83d", float("nan"), float("inf"), [{"x": (float("-inf"),)}], object()])
def test_arguments_that_json_cannot_hold_are_malformed(value: object) -> None:
    (call,) = storable(Completion(calls=(CallDraft("search", {"query": value}),))).calls
    assert call.args == {}
    assert call.malformed is not None
    assert "not JSON" in call.malformed
    assert msgspec.json.encode(call)


def test_arguments_become_what_the_ledger_gives_back() -> None:
    (call,) = storable(Completion(calls=(CallDraft("search", {"domains": ("a", "b"), "usage": TokenUsage(1)}),))).calls
    assert call.args == {"domains": ["a", "b"], "usage": {"input": 1, "output": 0, "cached": 0, "reasoning": 0}}


@given(st.text(st.characters(codec=None)))  # surrogates included
def test_text_becomes_whole_and_stays_what_it_was_where_it_is(text: str) -> None:
    kept = whole(text)
    kept.encode()
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert kept == text


def test_half_a_character_is_shown_as_one_that_cannot_be_read() -> None:
    assert whole("cut \ud83d") == "cut \ufffd"
    assert whole("\ud83d\ude00") == "😀"
    assert storable(Completion("\udc00", (CallDraft("x\ud800", malformed="\ud800"),))) == Completion(
        "\ufffd", (CallDraft("x\ufffd", malformed="\ufffd"),)
    )


@pytest.mark.req("GOV-05")
@pytest.mark.parametrize("field", TokenUsage.__struct_fields__)
def test_tokens_below_zero_are_refused(field: str) -> None:
    with pytest.raises(ValueError, match="below zero"):
        storable(Completion(usage=TokenUsage(**{field: -1})))
