from __future__ import annotations

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.core.evidence.facts import FactDraft
from counterfoil.researcher.cells import NOTHING, OTHER_OFFER, CellAnswer, Value
from counterfoil.researcher.grid import REJECTED, TOO_LATE, draft_grid, without_rejected, without_unrecorded
from counterfoil.researcher.memory import Page, Passage

PAGE = Page("S1", 0, 1, None, "Fares", "file:///fares.md", "", "", "", "")
CONTRACT = Contract(
    "Compare.", rows=(Row("Harbour"), Row("Hill")), fields=(Field("price", "money"), Field("ride", "duration"))
)


def said(id: str, words: str, text: str, **more: object) -> Value:
    return Value(Passage(id, "text", words, "", 0, PAGE), text, **more)  # type: ignore[arg-type]


def answers() -> list[CellAnswer]:
    def filled(row: str, field: str, value: Value) -> CellAnswer:
        return CellAnswer(row, field, [value], facts=[FactDraft(row=row, field=field, value=value.text)])

    return [
        filled("Harbour", "price", said("E1", "The pass costs $9.", "$9")),
        filled("Harbour", "ride", said("E2", "Rides of 30 minutes are included.", "30 minutes")),
        filled("Hill", "price", said("E3", "The pass of the Hill costs $7.", "$7")),
        CellAnswer("Hill", "ride", why=NOTHING, searches=("c2",)),
    ]


def test_every_cell_stands_in_the_table_with_its_mark_or_as_a_gap() -> None:
    draft = draft_grid(CONTRACT, answers())
    assert "| Harbour | $9 [E1] | 30 minutes [E2] |" in draft.body
    assert "| Hill | $7 [E3] | not found |" in draft.body
    assert [(g.row, g.field, g.search_calls) for g in draft.gaps] == [("Hill", "ride", ("c2",))]
    assert draft.facts[-1].kind == "not_found"


def test_values_that_disagree_stand_side_by_side_with_their_dates() -> None:
    dated = Passage("E5", "text", "Archived on 3 June 2019.", "", 1, PAGE)
    both = [said("E1", "It costs $9.", "$9"), said("E4", "It costs $7.", "$7", dated=dated, is_old=True)]
    made = answers()
    made[0].values = both
    body = draft_grid(CONTRACT, made).body
    assert "sources disagree: $9 [E1]; $7 (an archived page, page dated 3 June 2019) [E4] [E5]" in body


def test_what_came_near_is_quoted_below_and_called_so() -> None:
    made = answers()
    near = said("E7", "The three-day pass costs $20.", "$20")
    made[3] = CellAnswer("Hill", "ride", near=[near], why=OTHER_OFFER, searches=("c2",))
    body = draft_grid(CONTRACT, made).body
    assert "not taken for Hill, ride: [E7]" in body
    assert body.index("> The three-day pass costs $20. [E7]") > body.index("not taken")


def test_a_rejected_figure_empties_its_cell_and_no_other() -> None:
    made = answers()
    where = "$9 in: | Harbour | $9 [E1] | 30 minutes [E2] |"
    assert without_rejected(made, [[{"code": "FIGURE_MISMATCH", "where": where}]], [])
    body = draft_grid(CONTRACT, made).body
    assert "| Harbour | not found | 30 minutes [E2] |" in body
    assert "$7 [E3]" in body
    assert made[0].why == REJECTED


def test_a_rejected_quote_and_a_refused_fact_empty_theirs() -> None:
    made = answers()
    assert without_rejected(
        made,
        [[{"code": "QUOTE_NOT_FOUND", "where": "Rides of 30 minutes are included."}]],
        [{"row": "Hill", "field": "price", "code": "QUOTE_NOT_FOUND"}],
    )
    assert [bool(a.values) for a in made] == [True, False, False, False]


def test_a_finding_that_names_no_cell_is_said_to_be_unplaced() -> None:
    made = answers()
    assert not without_rejected(made, [[{"code": "EMPTY_ANSWER", "where": ""}]], [])
    assert made[0].values


def test_what_can_no_longer_be_recorded_is_a_gap() -> None:
    made = answers()
    without_unrecorded(made, [{"id": "F1", "row": "Harbour", "field": "price"}])
    assert [bool(a.values) for a in made] == [True, False, False, False]
    assert made[1].why == TOO_LATE
    assert made[3].why == NOTHING
