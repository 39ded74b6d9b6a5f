from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.json_objects import OPENINGS_MAX, find_objects


def test_objects_are_found_alone_fenced_and_amid_prose() -> None:
    for text in ('{"a": 1}', '```json\n{"a": 1}\n```', 'Here it is: {"a": 1}. Good luck.'):
        [found], problem = find_objects(text)
        assert (found.value, text[found.start : found.end], problem) == ({"a": 1}, '{"a": 1}', None)


def test_only_the_outermost_objects_are_found_in_order() -> None:
    found, _ = find_objects('{"a": {"b": 1}} and {"c": 2}')
    assert [one.value for one in found] == [{"a": {"b": 1}}, {"c": 2}]


def test_the_first_problem_is_named_with_its_place() -> None:
    assert find_objects('so\n{"a": }') == ((), "Expecting value at line 2, column 7")
    assert find_objects('{"a": NaN}') == ((), "NaN is no number in JSON")
    assert find_objects("no object") == ((), None)


def test_an_endless_row_of_braces_is_given_up() -> None:
    assert find_objects("{" * (OPENINGS_MAX + 1) + '{"a": 1}')[0] == ()
    assert "recursion" in str(find_objects('{"a":' * 100_000)[1])


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.booleans())), st.text("ab \n[]`"))
def test_any_object_is_found_as_it_was_written(value: dict[str, object], around: str) -> None:
    [found], problem = find_objects(around + json.dumps(value) + around)
    assert (found.value, problem) == (value, None)


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    find_objects(text)
