from __future__ import annotations

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.researcher.cells import OTHER_OFFER, SEVERAL, CellAnswer, answer_cell
from counterfoil.researcher.memory import Cell, Hit, Memory, Page, Passage, Search
from counterfoil.researcher.metrics import Lexicon

from .pages import VOCABULARY

LEXICON = Lexicon(VOCABULARY)
ROW = Row("Harbour Line", docs=("fares.md", "old.md"))


def page(handle: str, title: str = "Fares", published: str = "") -> Page:
    return Page(handle, 0, 1, None, title, f"file:///{handle}.md", "", "", "", "", published)


def memory(*pages: tuple[Page, tuple[str, ...]], found: tuple[str, ...] | None = None) -> Memory:
    passages: list[Passage] = []
    for place, sentences in pages:
        for sentence in sentences:
            passages.append(Passage(f"E{len(passages) + 1}", "text", sentence, "", len(passages), place))
    handles = found if found is not None else tuple(place.handle for place, _ in pages)
    searches = [Search("c1", "q", tuple(Hit(h, 0) for h in handles), "Harbour Line")]
    return Memory(searches=searches, pages=[place for place, _ in pages], passages=passages)


def cell(known: Memory, name: str = "day pass price", kind: str = "money", row: Row = ROW) -> CellAnswer:
    field = Field(name, kind)  # type: ignore[arg-type]
    contract = Contract("Compare the passes.", rows=(row, Row("Hill Line")), fields=(field,))
    return answer_cell(contract, row, field, known, LEXICON)


def test_documents_that_disagree_are_all_kept_the_archived_one_with_its_date() -> None:
    new = page("S1"), ("The day pass costs $9.",)
    old = page("S2", "Archived page: fares"), ("Archived on 3 June 2019.", "The day pass costs $7.")
    made = cell(memory(new, old))
    assert [(v.text, v.is_old) for v in made.values] == [("$9", False), ("$7", True)]
    assert made.values[1].dated is not None
    assert "3 June 2019" in made.values[1].dated.text
    assert len(made.facts) == 2
    assert all(f.conditions is None for f in made.facts)  # a condition would hide that they disagree


def test_documents_that_agree_are_one_value() -> None:
    made = cell(memory((page("S1"), ("The day pass costs $9.",)), (page("S2"), ("A day pass is $9.00.",))))
    assert [v.text for v in made.values] == ["$9"]


def test_another_offer_is_shown_and_not_taken() -> None:
    made = cell(memory((page("S1"), ("The three-day pass costs $20.",))))
    assert made.values == []
    assert made.why == OTHER_OFFER
    assert [v.text for v in made.near] == ["$20"]
    assert made.facts == []


def test_one_document_with_several_values_is_not_chosen_from() -> None:
    made = cell(memory((page("S1"), ("The red pass costs $9.", "The blue pass costs $12."))), "pass price")
    assert made.values == []
    assert made.why == SEVERAL


def test_only_documents_that_the_rows_own_searches_found_may_speak() -> None:
    known = memory((page("S1"), ("The day pass costs $9.",)), found=())
    assert cell(known).values == []


def test_a_row_on_a_domain_takes_no_other_host() -> None:
    row = Row("Harbour Line", domains=("harbour.example",))
    known = memory((page("S1"), ("The day pass costs $9.",)))  # a file has no host
    assert cell(known, row=row).values == []


def test_a_row_without_bonds_needs_a_page_that_names_it() -> None:
    row = Row("Harbour Line")
    assert cell(memory((page("S1"), ("The day pass costs $9.",))), row=row).values == []
    assert cell(memory((page("S1"), ("The Harbour Line day pass costs $9.",))), row=row).values != []


def test_the_column_is_recorded_with_a_number_and_not_with_words() -> None:
    place = page("S1")
    cells = (Cell("9.00", "Price USD"), Cell("45 minutes", "Included ride"))
    known = memory((place, ()))
    known.passages = [Passage("E1", "row", "Day pass | 9.00 | 45 minutes", "", 0, place, label="Day pass", cells=cells)]
    (price,) = cell(known).facts
    assert (price.value, price.unit, price.header) == ("9.00", "USD", "Price USD")
    (ride,) = cell(known, "included ride", "duration").facts
    assert (ride.value, ride.header) == ("45 minutes", None)


def test_a_value_has_no_full_stop_and_its_unit_the_scale_of_the_sentence() -> None:
    made = cell(memory((page("S1"), ("The annual revenue was $12.5 million.",))), "annual revenue")
    assert [v.text for v in made.values] == ["$12.5 million"]
    assert (made.facts[0].value, made.facts[0].unit) == ("12.5", "USD millions")


def test_a_table_with_a_line_called_like_the_row_answers_in_that_line_alone() -> None:
    place = page("S1")
    known = memory((place, ()))
    prices = {"Harbour Line": "9", "Quay Line": "12", "Quay Line and Harbour Line": "20"}
    known.passages = [
        Passage(f"E{at}", "row", f"{name} | {price}", "", at, place, label=name, cells=(Cell(price, "Day pass (EUR)"),))
        for at, (name, price) in enumerate(prices.items(), 1)
    ]
    assert [v.text for v in cell(known, "day pass").values] == ["9"]
    assert cell(known, "day pass", row=Row("Night Line", docs=("fares.md",))).values == []  # no line of that name
