from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.answer.scopes import split_scopes


def cited(body: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(scope.kind, scope.cited) for scope in split_scopes(body)]


def test_a_sentence_has_its_own_marks() -> None:
    assert cited("It costs $18 [E1]. It opens at ten [E2]. It is red.") == [
        ("sentence", ("E1",)), ("sentence", ("E2",)), ("sentence", ()),
    ]  # fmt: skip


def test_a_closing_citation_covers_its_paragraph_only() -> None:
    body = "It costs $18. It opens at ten [E2].\n\nIt is red."
    assert [scope.cited for scope in split_scopes(body)] == [("E2",), ("E2",), ()]


def test_a_mark_behind_the_full_stop_belongs_to_what_it_follows() -> None:
    scopes = split_scopes("It costs $18. [E1] It is red. It is big.")
    assert [(s.text, s.own) for s in scopes] == [
        ("It costs $18. [E1]", ("E1",)),
        ("It is red.", ()),
        ("It is big.", ()),
    ]


def test_bullets_stand_alone() -> None:
    body = "Prices:\n- It costs $18. Yes [E1]\n- It costs $20\n1. First [E3]\n"
    assert cited(body) == [("sentence", ()), ("bullet", ("E1",)), ("bullet", ()), ("bullet", ("E3",))]
    assert split_scopes(body)[3].text == "First [E3]", "list numbers are no text"


def test_a_table_takes_marks_from_row_header_caption_and_source_line() -> None:
    body = (
        "Passes in USD millions [E1]\n\n"
        "| City | Price [E2] |\n|---|---|\n| North | 18 [E3] |\n| South | 20 |\n\nSource: [E4]\n"
    )
    rows = [scope for scope in split_scopes(body) if scope.kind == "row"]
    assert [set(row.cited) for row in rows] == [{"E1", "E2", "E3", "E4"}, {"E1", "E2", "E4"}]
    assert rows[0].own == ("E3",) and "USD millions" in rows[0].caption
    assert rows[0].cells[1].header == "Price [E2]"
    assert body[rows[0].cells[1].start : rows[0].cells[1].end].strip() == "18 [E3]"


def test_a_long_paragraph_above_a_table_is_no_caption() -> None:
    body = "One [E1]. Two [E2].\n\n| A |\n|---|\n| 5 |\n"
    assert next(s for s in split_scopes(body) if s.kind == "row").cited == ()


def test_quotations_take_the_attribution_below() -> None:
    scopes = split_scopes("> It costs $18\n> a day\n\n— City North [E1]\n")
    assert (scopes[0].kind, scopes[0].cited) == ("quote", ("E1",))


def test_headings_lose_their_numbers() -> None:
    assert split_scopes("## 2. Prices\n")[0].text == "Prices"


@given(st.text("a1 .\n-|>#[E2]$—:", max_size=80))
def test_scopes_are_verbatim_and_ordered(body: str) -> None:
    end = 0
    for scope in split_scopes(body):
        assert body[scope.start : scope.end] == scope.text
        assert scope.start >= end
        end = scope.end
