"""A line right above a table that says how it is counted is the table's scale, in every format that has tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from docx import Document
from tests.unit.adapters.readers.spans import LIMITS, checked, headings, row, whole

from counterfoil.adapters.readers.docx import DocxReader
from counterfoil.adapters.readers.html import HtmlReader
from counterfoil.adapters.readers.markdown import MarkdownReader
from counterfoil.adapters.readers.phrases import find_phrase, is_scale_line
from counterfoil.adapters.readers.text import TextReader
from counterfoil.ports.reader import ParsedDocument

LINES = [
    ("in Tsd. EUR", "1000", "EUR"),
    ("in Mio. €", "1000000", "EUR"),
    ("Alle Angaben in Mio. €", "1000000", "EUR"),
    ("(in Mrd. CHF)", "1000000000", "CHF"),
    ("単位：百万円", "1000000", "JPY"),
    ("（単位：千円）", "1000", "JPY"),
    ("单位：万元", "10000", "CNY"),
    ("单位：元", "1", "CNY"),
    ("(in thousands)", "1000", None),
    ("All amounts in USD millions", "1000000", "USD"),
]


def markdown(folder: Path, line: str) -> ParsedDocument:
    path = folder / "a.md"
    path.write_text(f"## Results\n\n{line}\n\n| Item | 2023 |\n|---|---|\n| Revenue | 12 |\n", encoding="utf-8")
    return checked(MarkdownReader().read(str(path), LIMITS))


def html(folder: Path, line: str) -> ParsedDocument:
    table = "<table><tr><th>Item</th><th>2023</th></tr><tr><td>Revenue</td><td>12</td></tr></table>"
    path = folder / "a.html"
    path.write_text(f"<body><h2>Results</h2><h4>{line}</h4>{table}</body>", encoding="utf-8")
    return checked(HtmlReader().read(str(path), LIMITS))


def word(folder: Path, line: str) -> ParsedDocument:
    document = Document()
    document.add_heading("Results", 2)
    document.add_paragraph(line)
    table = document.add_table(2, 2)
    for r, cells in enumerate([["Item", "2023"], ["Revenue", "12"]]):
        for c, text in enumerate(cells):
            table.cell(r, c).text = text
    document.save(str(folder / "a.docx"))
    return checked(DocxReader().read(str(folder / "a.docx"), LIMITS))


@pytest.mark.parametrize("make", [markdown, html, word])
@pytest.mark.parametrize(("line", "multiplier", "unit"), LINES)
def test_a_scale_line_above_a_table_scales_its_cells_and_is_no_heading(
    tmp_path: Path, make: Callable[[Path, str], ParsedDocument], line: str, multiplier: str, unit: str | None
) -> None:
    document = make(tmp_path, line)
    passage = row(document, "Revenue")
    assert passage.table is not None
    (cell,) = passage.table.cells
    assert (cell.multiplier, cell.unit) == (multiplier, unit)
    assert cell.scale is not None
    assert cell.scale.text in line
    assert passage.heading == "Results"
    assert headings(document.segments) == ["Results"]
    assert whole(document).count(line) == 1


def test_a_scale_line_without_a_table_stays_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# Results\n\nRevenue by region\n*(in thousands)*\n\nNo table follows this line of prose.\n")
    document = checked(MarkdownReader().read(str(path), LIMITS))
    assert "Revenue by region\n*(in thousands)*\n\nNo table" in whole(document)
    assert not any("thousands" in heading for heading in headings(document.segments))


def test_a_caption_and_the_scale_line_under_it_are_one_title(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("Sales by region")
    document.add_paragraph("in Tsd. EUR")
    table = document.add_table(2, 2)
    for r, cells in enumerate([["Region", "2023"], ["North", "12"]]):
        for c, text in enumerate(cells):
            table.cell(r, c).text = text
    document.save(str(tmp_path / "a.docx"))
    north = row(checked(DocxReader().read(str(tmp_path / "a.docx"), LIMITS)), "North").table
    assert north is not None and north.title is not None
    assert north.title.text == "Sales by region in Tsd. EUR"


def test_in_plain_text_a_scale_line_is_text_and_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Results\n\nin Mio. €\n\nRevenue  12\nCosts  11\n", encoding="utf-8")
    document = checked(TextReader().read(str(path), LIMITS))
    assert headings(document.segments) == ["Results"]
    assert "in Mio. €" in whole(document)


@pytest.mark.parametrize(
    "text",
    [
        "Umsatz in Mio. € gestiegen",
        "Revenue",
        "3,2 Mio. €",
        "We invested $3.2 million",
        "单位：人",
        "in millions of ways",
    ],
)
def test_what_says_more_or_nothing_of_a_scale_is_no_scale_line(text: str) -> None:
    assert not is_scale_line(text)


def test_a_german_phrase_in_a_label_is_found_where_it_stands() -> None:
    phrase = find_phrase("Umsatz in Mio. € (ungeprüft)")
    assert phrase is not None
    assert (phrase.text, phrase.multiplier, phrase.money) == ("in Mio. €", "1000000", "EUR")


TABLE = "| | 2023 |\n|---|---|\n| Revenue | 48,215 |\n| Employees | 412 |\n"


def scaled(folder: Path, body: str) -> list[tuple[str | None, str | None]]:
    path = folder / "b.md"
    path.write_text(body, encoding="utf-8")
    document = checked(MarkdownReader().read(str(path), LIMITS))
    tables = [p.table for s in document.segments for p in s.passages if p.table and p.text.startswith("Revenue")]
    return [(t.cells[0].multiplier, t.cells[0].unit) for t in tables if t]


@pytest.mark.parametrize(
    "line",
    [
        "All amounts in thousands of euros unless stated otherwise.",
        "Consolidated figures (in thousands of euros)",
        "## Key figures (EUR thousand)",
        "## Key figures in EUR '000",
        "**Key figures, € thousands**",
        "Kennzahlen in TEUR",
        "## Comptes (en milliers d'euros)",
        "## Income (€k)",
    ],
)
def test_a_heading_or_caption_that_ends_with_a_scale_scales_the_table_below(tmp_path: Path, line: str) -> None:
    assert scaled(tmp_path, f"# Nord\n\n{line}\n\n{TABLE}") == [("1000", "EUR")]


@pytest.mark.parametrize(
    "above",
    [
        "Amounts in thousands of euros.\n\n## Key figures",
        "All amounts are in thousands of euros.\n\n## Key figures\n\nThe table shows the result.",
        "Nord sells boots. All amounts are stated in thousands of euros.\n\n## Key figures\n\nSee below.",
    ],
)
def test_a_scale_stated_above_the_heading_or_for_the_whole_document_holds(tmp_path: Path, above: str) -> None:
    assert scaled(tmp_path, f"# Nord\n\n{above}\n\n{TABLE}") == [("1000", "EUR")]


@pytest.mark.parametrize(
    "line",
    [
        "## Thousands of visitors came",
        "## Our market (over 20 million users)",
        "## Jobs (thousands of people)",
        "Sales rose by 3 thousand euros",
        "The plant cost millions of euros.",
        "## Figures in EUR thousand\n\nx\n\n## Counts",
    ],
)
def test_words_that_state_no_scale_of_this_table_leave_it_unscaled(tmp_path: Path, line: str) -> None:
    assert [m for m, _ in scaled(tmp_path, f"# Nord\n\n{line}\n\n{TABLE}")] == [None]


def test_a_measure_in_a_header_is_not_scaled_by_the_amounts_of_the_document(tmp_path: Path) -> None:
    table = "| | Depth (mm) | 2023 |\n|---|---|---|\n| Revenue | 21.3 | 12 |\n"
    path = tmp_path / "a.md"
    path.write_text(f"All amounts in thousands of euros.\n\n# Sites\n\n{table}", encoding="utf-8")
    found = row(checked(MarkdownReader().read(str(path), LIMITS)), "Revenue").table
    assert found is not None
    assert [(c.multiplier, c.unit) for c in found.cells] == [(None, "mm"), ("1000", "EUR")]


def test_a_line_that_ends_with_a_unit_is_the_caption_of_the_table_below(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "Table 1. Thallus diameter (mm)\n\n| Site | End |\n|---|---|\n| Aberdour | 26.9 |\n", encoding="utf-8"
    )
    found = row(checked(MarkdownReader().read(str(path), LIMITS)), "Aberdour").table
    assert found is not None
    assert found.title is not None
    assert found.title.text == "Table 1. Thallus diameter (mm)"
