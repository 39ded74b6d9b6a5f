"""What a provider or a library says is shown without keys, and otherwise as it was."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfoil.adapters.models.redaction import DETAIL_CHARS_MAX, HIDDEN, Redactor

pytestmark = pytest.mark.req("SEC-02")
PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=60)


@given(PRINTABLE, st.text(max_size=30), st.text(max_size=30))
def test_a_key_is_hidden_however_it_is_written(key: str, before: str, after: str) -> None:
    for form in (key, quote(key, safe=""), json.dumps(key)[1:-1]):
        assert key not in Redactor([key]).hide(before + form + after)
        assert form not in Redactor([key]).detail(before + form + after)


@settings(deadline=None)
@given(PRINTABLE, st.data())
def test_a_key_with_characters_escaped_is_not_read_back_from_what_is_left(key: str, data: st.DataObject) -> None:
    escaped = data.draw(st.lists(st.booleans(), min_size=len(key), max_size=len(key)))
    plain = [json.dumps(char)[1:-1] for char in key]
    text = '"' + "".join(f"\\u{ord(c):04x}" if esc else p for c, p, esc in zip(key, plain, escaped, strict=True)) + '"'
    assert json.loads(text) == key
    assert json.loads(Redactor([key]).hide(text)) == HIDDEN
    assert key not in json.loads(json.loads(Redactor([key]).hide(json.dumps(text))))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("see https://user:pa55@host/v1 for help", "pa55"),
        ("GET https://host/v1?key=abcdef&x=1 failed", "abcdef"),
        ("Authorization: Bearer abc.def-ghi_jkl", "abc.def-ghi_jkl"),
        ("Incorrect API key provided: sk-proj-****wxyz.", "wxyz"),
        ("key AIzaSyA1234567890abcdef is invalid", "AIzaSyA1234567890abcdef"),
        ('{"api_key": "hunter22"}', "hunter22"),
        ("password=hunter22", "hunter22"),
    ],
)
def test_secrets_of_others_are_hidden_by_their_shape(text: str, secret: str) -> None:
    shown = Redactor().detail(text)
    assert secret not in shown
    assert HIDDEN in shown


@pytest.mark.parametrize("text", ["The model gpt-6 does not exist", "at https://host/v1/models: HTTP 404", "a sk-1 b"])
def test_what_holds_no_secret_stays_as_it_is(text: str) -> None:
    assert Redactor(["none", ""]).detail(text) == text


def test_a_long_text_is_one_line_and_its_cut_is_marked() -> None:
    shown = Redactor().detail("word\n" * 500)
    assert len(shown) == DETAIL_CHARS_MAX + 1
    assert shown.endswith("…")
    assert "\n" not in shown


def test_a_key_across_the_cut_is_hidden_before_the_cut() -> None:
    key = "k" * 40
    assert "kkk" not in Redactor([key]).detail("x" * (DETAIL_CHARS_MAX - 20) + key)
