"""What counts as the same call, and when one more attempt is one too many."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.law.streaks import NO_STREAK, Streak, call_key, same_call

TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)
NUMBERS = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(TEXTS, VALUES, max_size=4)


def call(args: dict[str, Any], tool: str = "read_public_source", malformed: str | None = None) -> ProposedCall:
    return ProposedCall("c1", tool, args, malformed)


def turned(value: Any) -> Any:
    """The same JSON value with its keys the other way round and whole numbers as floats where they are exact."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [turned(item) for item in value]
    exact = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53
    return float(value) if exact else value


@pytest.mark.req("QC-02")
@given(ARGUMENTS)
def test_key_order_and_number_form_do_not_matter(args: dict[str, Any]) -> None:
    assert call_key(call(args)) == call_key(call(turned(args)))
    assert same_call(call(args), call(turned(args)))
    assert call_key(call(args)) == call_key(call(json.loads(json.dumps(args))))


@pytest.mark.req("QC-02")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"find": "a b"}, {"find": "a  b"}),
        ({"find": "A"}, {"find": "a"}),
        ({"segment": 1}, {"segment": "1"}),
        ({"segment": 1}, {"segment": True}),
        ({"segment": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": 2**53 + 1}, {"a": 2**53}),
        ({"a": {"b": 1}}, {"a": {"c": 1}}),
    ],
)
def test_anything_else_is_another_call(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert call_key(call(one)) != call_key(call(other))
    assert not same_call(call(one), call(other))


def test_tool_and_malformed_text_belong_to_a_call() -> None:
    assert not same_call(call({}), call({}, tool="plan"))
    assert not same_call(call({}, malformed="no JSON: {"), call({}, malformed="no JSON: ["))
    assert same_call(call({}, malformed="no JSON: {"), call({}, malformed="no JSON: {"))


@pytest.mark.req("QC-02")
@given(st.lists(st.booleans(), max_size=6), st.integers(1, 5))
def test_no_effect_begins_after_as_many_failures_unless_none_ever_began(performed: list[bool], limit: int) -> None:
    streak = NO_STREAK
    for begun in performed:
        streak = streak.failed(performed=begun)
    assert streak == Streak(len(performed), sum(performed))
    assert streak.stands_against(limit, effect=False) == (len(performed) >= limit)
    assert streak.stands_against(limit, effect=True) == (len(performed) >= limit and any(performed))
