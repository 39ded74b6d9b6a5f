from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.text.rewriting import Rewriting


def test_positions_of_kept_text_lead_back_and_others_nowhere() -> None:
    rewriting = Rewriting("abcdef")
    rewriting.keep(0, 2)
    rewriting.put("[1]")
    rewriting.keep(4, 6)
    assert rewriting.text == "ab[1]ef"
    assert [rewriting.origin(i) for i in range(8)] == [0, 1, None, None, None, 4, 5, None]


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.text(max_size=4))))
def test_every_position_that_leads_back_holds_the_same_character(
    source: str, pieces: list[tuple[int, int, str]]
) -> None:
    rewriting = Rewriting(source)
    for start, end, put in pieces:
        rewriting.keep(min(start, len(source)), min(end, len(source)))
        rewriting.put(put)
    for position, character in enumerate(rewriting.text):
        origin = rewriting.origin(position)
        assert origin is None or source[origin] == character
