from __future__ import annotations

import pytest

from counterfoil.core.answer.formats import asked_formats, find_faults


@pytest.mark.parametrize(
    "body",
    ['```json\n{"a": [1, null]}\n```', "```csv\na,b\n1,\"2,3\"\n```", "```html\n<ul><li>a<li>b</ul><br>\n```",
     "```python\n{\n```", "no block"],
)  # fmt: skip
def test_what_can_be_read_passes(body: str) -> None:
    assert find_faults(body) == ()


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("```json\n{a: 1}\n```", "JSON"),
        ("```json\n{\"a\": NaN}\n```", "NaN"),
        ("```json\n{}", "not closed"),
        ("```csv\na,b\n1,2,3\n```", "row 2 has 3 fields"),
        ("```csv\n\n```", "no rows"),
        ("```html\n<p><b>x</p>\n```", "</p> stands inside <b>"),
        ("```html\n</div>\n```", "closes nothing"),
        ("```html\n<div>\n```", "<div> is not closed"),
        ("```html\nplain\n```", "no element"),
        (f"```json\n{'[' * 100_000}\n```", "JSON"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(body: str, wrong: str) -> None:
    (fault,) = find_faults(body)
    assert wrong in fault.wrong


@pytest.mark.parametrize(
    ("text", "asked"),
    [("Return it as CSV.", ("csv",)), ("Give valid JSON", ("json",)), ("als JSON", ("json",)),
     ("What does the CSV say?", ()), ("prices in the CSV file", ()), ("Convert the HTML pages", ())],
)  # fmt: skip
def test_formats_are_asked_for_by_name(text: str, asked: tuple[str, ...]) -> None:
    assert asked_formats(text) == asked


def test_a_format_asked_for_must_be_there() -> None:
    assert find_faults("It costs $18.", ("json",)) and not find_faults('{"price": 18}', ("json",))
    assert not find_faults("Here:\n\n```csv\na,b\n```", ("csv",))
