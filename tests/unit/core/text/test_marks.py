from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.marks import escaped, find_marks, unescaped, without_marks


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        ("a [E7].", [("E7",)]),
        ("a [E7, E9] b [C1]", [("E7", "E9"), ("C1",)]),
        ("a [E7][F2]", [("E7",), ("F2",)]),
        ("a [E7-E9]", [("E7", "E8", "E9")]),
        ("a [E7; R3]", [("E7", "R3")]),
        ("a 【E7】", [("E7",)]),
        ("a [S2]", [("S2",)]),
        ("a [E7, E7]", [("E7",)]),
        ("[1] [note] [e7] [E] [EX7] [E7 says]", []),
        ("[E1-E99999]", [("E1", "E99999")]),
    ],
)
def test_marks(body: str, ids: list[tuple[str, ...]]) -> None:
    assert [m.ids for m in find_marks(body)] == ids


def test_blanking_marks_keeps_positions() -> None:
    body = "It costs $18 [E7], they say [C1]."
    blank = without_marks(body)
    assert len(blank) == len(body) and "E7" not in blank and blank.startswith("It costs $18 ")


@given(st.text())
def test_escaped_text_holds_no_marks_and_comes_back(text: str) -> None:
    assert find_marks(escaped(text)) == ()
    assert unescaped(escaped(text)) == text


def test_a_mark_inside_quoted_text_is_not_a_citation() -> None:
    assert find_marks(f"> {escaped('The pass costs 18 USD [E7].')} [E2]")[0].ids == ("E2",)
