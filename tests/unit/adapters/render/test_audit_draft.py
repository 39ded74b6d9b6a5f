from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.adapters.render.audit_draft import Marked, render_draft


def test_marks_lead_to_their_places_through_emphasis_tables_and_quotations() -> None:
    body = "**It was $5** million.\n\n| a |\n|---|\n| 7 |\n\n> said 8 here"
    marks = [
        Marked(9, 20, "figure", "bound", "D9", "E1", "it"),
        Marked(body.index("7"), body.index("7") + 1, "figure", "flagged", "D7", "F1"),
        Marked(body.index("said"), len(body), "quote", "flagged", "Q"),
        Marked(body.index("8"), body.index("8") + 1, "figure", "free", "D8"),
    ]
    html = render_draft(body, marks)
    assert '<a class="figure bound" id="D9" href="#E1" title="it">$5</a>' in html
    assert '<td><a class="figure flagged" id="D7" href="#F1">7</a></td>' in html
    assert '<span class="quote flagged" id="Q">said <span class="figure free" id="D8">8</span> here</span>' in html


def test_a_draft_brings_no_markup_no_link_and_no_mark_of_its_own() -> None:
    html = render_draft(
        '<img src=x> [a](https://b.example) ⸨0⸩ "x', [Marked(0, 4, "figure", "bound", 'D"', 'E1"><b>', '"')]
    )
    assert "<img" not in html and "https" not in html.replace("(https://b.example)", "") and "<b>" not in html
    assert "�0�" in html


@given(st.text(alphabet="*_`|>#-[]()<>⸨⸩1a \n", max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_any_draft_with_any_mark_is_rendered(body: str, start: int, end: int) -> None:
    start, end = min(start, len(body)), min(end, len(body))
    html = render_draft(body, [Marked(start, end, "figure", "bound", "D", "E1")])
    assert "⸨" not in html and "⸩" not in html
