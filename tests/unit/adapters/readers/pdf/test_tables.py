from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from counterfoil.core.evidence.passages import Cell, Passage, TableRow
from counterfoil.ports.reader import ParsedDocument

Read = Callable[..., ParsedDocument]
LEFT, RIGHT = 400.0, 500.0


def rows_of(document: ParsedDocument) -> list[Passage]:
    return [p for s in document.segments for p in s.passages if p.kind == "row"]


def table_of(document: ParsedDocument, label: str) -> TableRow:
    for passage in rows_of(document):
        if passage.table is not None and passage.table.label is not None and passage.table.label.text == label:
            return passage.table
    raise AssertionError(f"no row {label!r} among {[p.text for p in rows_of(document)]}")


def headers(cell: Cell) -> str:
    return " | ".join(h.text for h in cell.header)


def income(page: Callable[[], Any]) -> Any:
    p = page()
    p.text(40, 720, "CONSOLIDATED STATEMENTS OF INCOME", bold=True)
    p.text(40, 706, "(In millions, except per share data)")
    p.text(380, 690, "Years ended December 31,")
    p.rule(350, 505, 686)
    p.right(LEFT, 676, "2018").right(RIGHT, 676, "2017")
    p.row(660, "Net sales", (355, "$"), (LEFT, "32,765"), (455, "$"), (RIGHT, "31,657"))
    p.row(646, "Cost of sales", (LEFT, "(16,682)"), (RIGHT, "(16,055)"))
    p.row(632, "Other income", (LEFT, "—"), (RIGHT, "207"))
    p.row(618, "Net income", (LEFT, "5,349"), (RIGHT, "4,858"))
    p.row(604, "Earnings per share - diluted", (355, "$"), (LEFT, "8.89"), (455, "$"), (RIGHT, "7.93"))
    return p


def test_a_row_carries_label_headers_scale_and_title(read: Read, page: Callable[[], Any]) -> None:
    table = table_of(read(income(page)), "Net sales")
    assert table.title is not None and table.title.text == "CONSOLIDATED STATEMENTS OF INCOME"
    first, second = table.cells
    assert (first.value.text, second.value.text) == ("$ 32,765", "$ 31,657")
    assert headers(first) == "Years ended December 31, | 2018"
    assert headers(second) == "Years ended December 31, | 2017"
    assert first.scale is not None and first.scale.text == "(In millions, except per share data)"
    assert (first.multiplier, first.unit) == ("1000000", "USD")


def test_per_share_rows_are_spared_by_the_scale(read: Read, page: Callable[[], Any]) -> None:
    cell = table_of(read(income(page)), "Earnings per share - diluted").cells[0]
    assert (cell.multiplier, cell.unit) == ("1", "per share")


def test_brackets_and_dashes_belong_to_their_values(read: Read, page: Callable[[], Any]) -> None:
    document = read(income(page))
    assert [c.value.text for c in table_of(document, "Cost of sales").cells] == ["(16,682)", "(16,055)"]
    assert [c.value.text for c in table_of(document, "Other income").cells] == ["—", "207"]


def test_every_span_is_verbatim(read: Read, page: Callable[[], Any]) -> None:
    document = read(income(page))
    (segment,) = document.segments
    for passage in segment.passages:
        assert segment.text[passage.start : passage.end] == passage.text
        if passage.table is None:
            continue
        spans = [passage.table.label, passage.table.title, passage.table.section]
        spans += [s for c in passage.table.cells for s in (c.value, c.scale, *c.header)]
        assert all(segment.text[s.start : s.end] == s.text for s in spans if s is not None)


def test_a_row_is_one_line_with_single_spaces(read: Read, page: Callable[[], Any]) -> None:
    assert "Net sales $ 32,765 $ 31,657" in [p.text for p in rows_of(read(income(page)))]


def test_spanning_headers_stay_over_their_own_columns(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    edges = (280.0, 340.0, 430.0, 490.0)
    p.text(40, 720, "Segment results (in thousands)", bold=True)
    p.text(255, 700, "Three Months Ended").rule(245, 342, 696)
    p.text(412, 700, "Six Months Ended").rule(395, 492, 696)
    for edge, year in zip(edges, ("2023", "2022", "2023", "2022"), strict=True):
        p.right(edge, 684, year)
    p.row(668, "Domestic", *zip(edges, ("10", "20", "30", "40"), strict=True))
    p.row(654, "International", *zip(edges, ("1", "2", "3", "4"), strict=True))
    cells = table_of(read(p), "Domestic").cells
    assert [headers(c) for c in cells] == [
        "Three Months Ended | 2023",
        "Three Months Ended | 2022",
        "Six Months Ended | 2023",
        "Six Months Ended | 2022",
    ]
    assert {c.multiplier for c in cells} == {"1000"}


def test_a_header_cell_that_wraps_is_read_whole(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.text(345, 712, "December 31,").text(445, 712, "December 31,")
    p.right(LEFT, 700, "2018").right(RIGHT, 700, "2017")
    p.row(684, "Cash", (LEFT, "2,853"), (RIGHT, "3,053"))
    p.row(670, "Debt", (LEFT, "14,622"), (RIGHT, "13,959"))
    assert [headers(c) for c in table_of(read(p), "Cash").cells] == ["December 31, | 2018", "December 31, | 2017"]


def test_percent_in_the_first_row_counts_for_the_column(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.text(40, 720, "Operating results (in millions)", bold=True)
    p.right(LEFT, 704, "2018").text(470, 704, "Growth")
    p.row(688, "Europe", (LEFT, "5,341"), (RIGHT, "13.0"), (510, "%"))
    p.row(674, "Asia", (LEFT, "3,644"), (RIGHT, "4.6"))
    row = table_of(read(p), "Asia")
    assert (row.cells[0].multiplier, row.cells[0].unit) == ("1000000", None)
    assert (row.cells[1].multiplier, row.cells[1].unit) == ("1", "percent")


def test_without_a_stated_scale_nothing_is_guessed(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.right(LEFT, 700, "2018").right(RIGHT, 700, "2017")
    p.row(684, "Cash", (LEFT, "2,853"), (RIGHT, "3,053"))
    p.row(670, "Debt", (LEFT, "14,622"), (RIGHT, "13,959"))
    cell = table_of(read(p), "Cash").cells[0]
    assert (cell.scale, cell.multiplier, cell.unit) == (None, None, None)


def test_shares_follow_the_exception_in_the_scale(read: Read, page: Callable[[], Any]) -> None:
    def shares(scale: str) -> Cell:
        p = page()
        p.text(40, 720, "EARNINGS", bold=True).text(40, 706, scale)
        p.right(LEFT, 690, "2018").right(RIGHT, 690, "2017")
        p.row(674, "Net income", (355, "$"), (LEFT, "5,349"), (455, "$"), (RIGHT, "4,858"))
        p.row(660, "Weighted average shares outstanding", (LEFT, "602,000"), (RIGHT, "612,700"))
        return table_of(read(p), "Weighted average shares outstanding").cells[0]

    assert (shares("(in millions, except share data)").multiplier) == "1"
    assert (shares("(in millions, except per share data)").multiplier) == "1000000"
    assert (shares("(dollars in millions)").multiplier) is None


def test_sections_hold_until_their_total(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.right(LEFT, 720, "2018").right(RIGHT, 720, "2017")
    p.text(40, 704, "Current assets:")
    p.row(690, "Cash", (LEFT, "10"), (RIGHT, "11"), x=50)
    p.row(676, "Total current assets", (LEFT, "10"), (RIGHT, "11"))
    p.row(662, "Goodwill", (LEFT, "5"), (RIGHT, "6"))
    document = read(p)
    section = table_of(document, "Cash").section
    assert section is not None and section.text == "Current assets:"
    assert table_of(document, "Goodwill").section is None


def test_a_label_that_wraps_is_one_label(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.right(LEFT, 720, "2018").right(RIGHT, 720, "2017")
    p.row(700, "Cash", (LEFT, "10"), (RIGHT, "11"))
    p.text(40, 682, "Changes in operating assets and liabilities, excluding effect of acquisitions and")
    p.row(671, "currency", (LEFT, "(207)"), (RIGHT, "(265)"))
    p.row(653, "Other", (LEFT, "1"), (RIGHT, "2"))
    document = read(p)
    label = "Changes in operating assets and liabilities, excluding effect of acquisitions and\ncurrency"
    assert [c.value.text for c in table_of(document, label).cells] == ["(207)", "(265)"]


def test_raised_footnote_marks_are_no_part_of_a_value(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.right(LEFT, 720, "2018").right(RIGHT, 720, "2017")
    p.row(700, "Cash", (LEFT, "1,234"), (RIGHT, "11"))
    p.text(LEFT, 704, "(1)", 5)
    p.row(686, "Debt", (LEFT, "5"), (RIGHT, "6"))
    assert [c.value.text for c in table_of(read(p), "Cash").cells] == ["1,234", "11"]


def test_a_total_without_a_label_stays_without(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.right(LEFT, 720, "2018").right(RIGHT, 720, "2017")
    p.row(700, "Cash", (LEFT, "10"), (RIGHT, "11"))
    p.row(686, "Debt", (LEFT, "5"), (RIGHT, "6"))
    p.row(672, "", (LEFT, "15"), (RIGHT, "17"))
    last = rows_of(read(p))[-1]
    assert last.table is not None and last.table.label is None
    assert headers(last.table.cells[1]) == "2017"


def test_years_in_the_label_column_are_labels(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.text(40, 720, "Future payments were as follows (in millions):")
    for n, (year, value) in enumerate([("2019", "1,334"), ("2020", "1,258"), ("2021", "1,000")]):
        p.row(700 - 14 * n, year, (RIGHT, value))
    assert [c.value.text for c in table_of(read(p), "2020").cells] == ["1,258"]


def test_note_columns_are_no_values(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.text(300, 720, "Note").right(LEFT, 720, "2018").right(RIGHT, 720, "2017")
    p.row(700, "Inventories", (318, "7"), (LEFT, "4,366"), (RIGHT, "4,034"))
    p.row(686, "Goodwill", (318, "4"), (LEFT, "10,051"), (RIGHT, "10,513"))
    assert [c.value.text for c in table_of(read(p), "Inventories").cells] == ["4,366", "4,034"]


@pytest.mark.parametrize(
    "text", ["Sales grew 12 percent to 345 million in 2018, from 307 million in 2017, in all 4 areas."]
)
def test_prose_with_figures_is_no_table(read: Read, page: Callable[[], Any], text: str) -> None:
    p = page()
    for n in range(4):
        p.text(40, 720 - 12 * n, text)
    assert rows_of(read(p)) == []


def test_a_border_that_runs_through_does_not_stretch_a_header(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    edges = (260.0, 320.0, 390.0, 450.0)
    p.text(385, 712, "Percent Change").rule(220, 470, 708)
    for x, y, name in ((240, 696, "2022"), (300, 696, "2021"), (368, 696, "Total"), (426, 696, "Operations")):
        p.text(x, y, name)
    p.row(680, "Europe", *zip(edges, ("5,341", "4,727", "13.0", "21.2"), strict=True))
    p.row(666, "Asia", *zip(edges, ("3,644", "3,485", "4.6", "8.3"), strict=True))
    assert [headers(c) for c in table_of(read(p), "Asia").cells] == [
        "2022",
        "2021",
        "Percent Change | Total",
        "Percent Change | Operations",
    ]


def test_weighted_average_shares_are_counts_even_under_earnings_per_share(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.text(40, 734, "(in millions, except per share data)").right(LEFT, 720, "2018").right(RIGHT, 720, "2017")
    p.row(704, "Net income", (LEFT, "3,033"), (RIGHT, "2,371"))
    p.text(40, 690, "Weighted-average shares used in computation of earnings per share:")
    p.row(676, "Diluted", (LEFT, "500"), (RIGHT, "493"), x=50)
    cell = table_of(read(p), "Diluted").cells[0]
    assert (cell.multiplier, cell.unit) == ("1000000", "shares")
