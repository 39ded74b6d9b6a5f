from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from tests.unit.adapters.readers.spans import LIMITS, checked, row, rows, whole

from counterfoil.adapters.readers.sheet import SheetReader
from counterfoil.core.errors import DocumentUnreadable

CELL = '<c r="{ref}" t="inlineStr"><is><t>{text}</t></is></c>'
PERCENT = '<c r="{ref}" s="2"><v>{number}</v></c>'
NUMBER = '<c r="{ref}"><v>{text}</v></c>'


def workbook(path: Path, table: list[list[str]]) -> None:
    """Write the smallest workbook that a spreadsheet program would open."""
    lines = []
    for r, cells in enumerate(table, start=1):
        body = ""
        for c, text in enumerate(cells):
            form = NUMBER if text.replace(".", "").isdigit() else PERCENT if text.startswith("%") else CELL
            if text:
                body += form.format(ref=f"{chr(65 + c)}{r}", text=text, number=text.removeprefix("%"))
        lines.append(f'<row r="{r}">{body}</row>')
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
            '"application/xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{rel}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets><sheet name="Zahlen" sheetId="1" r:id="r1"/></sheets>'
            "</workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{rel}/worksheet" '
            'Target="worksheets/sheet1.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/styles.xml",
            f'<styleSheet xmlns="{main}"><numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts>'
            '<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs></styleSheet>',
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{"".join(lines)}</sheetData></worksheet>'
        )


@pytest.mark.req("WEB-05")
def test_csv_rows_carry_header_and_scale_and_keep_german_figures(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Ergebnis (in € Mio.);;\n;2023;2022\nUmsatz;1.234,56;1.100,00\nVerlust;(12);(11)\n")
    document = checked(SheetReader().read(str(path), LIMITS))
    table = row(document, "Umsatz").table
    assert table is not None
    assert [c.value.text for c in table.cells] == ["1.234,56", "1.100,00"]
    assert [c.header[0].text for c in table.cells] == ["2023", "2022"]
    assert (table.cells[0].multiplier, table.cells[0].unit) == ("1000000", "EUR")


def test_quoted_fields_with_line_breaks_stay_one_row(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('name,price\n"day\npass",18\nmonth,30\n')
    document = checked(SheetReader().read(str(path), LIMITS))
    assert [p.text for p in rows(document)] == ["day pass | 18", "month | 30"]


def test_a_long_table_repeats_its_headers_in_every_segment(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("item\tprice in USD\n" + "".join(f"thing number {i}\t{i}.50\n" for i in range(300)))
    document = checked(SheetReader().read(str(path), LIMITS))
    assert len(document.segments) > 3
    assert all("item | price in USD" in s.text for s in document.segments)
    assert len(rows(document)) == 300
    assert all(p.table and p.table.cells[0].header[0].text == "price in USD" for p in rows(document))


def test_a_row_wider_than_a_passage_comes_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        "k," + ",".join(f"column {i}" for i in range(60)) + "\nlabel," + ",".join(f"{i}000" for i in range(60)) + "\n"
    )
    document = checked(SheetReader().read(str(path), LIMITS))
    values = [c.value.text for p in rows(document) if p.table for c in p.table.cells]
    assert values == [f"{i}000" for i in range(60)]


def test_a_workbook_is_read_sheet_by_sheet(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    workbook(path, [["", "2023"], ["Revenue (in thousands)", "1500"]])
    document = checked(SheetReader().read(str(path), LIMITS))
    assert document.segments[0].heading == "Zahlen"
    table = row(document, "Revenue (in thousands)").table
    assert table is not None
    assert (table.cells[0].value.text, table.cells[0].multiplier) == ("1500", "1000")


@pytest.mark.parametrize("content", [b"PK\x03\x04 broken", b"no archive at all"])
def test_a_broken_workbook_is_corrupt(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(content)
    with pytest.raises(DocumentUnreadable) as caught:
        SheetReader().read(str(path), LIMITS)
    assert caught.value.code == "CORRUPT"


def test_an_archive_that_bursts_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 60_000_000)
    with pytest.raises(DocumentUnreadable) as caught:
        SheetReader().read(str(path), LIMITS)
    assert caught.value.code == "ARCHIVE_BOMB"


def test_an_empty_csv_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(",,\n,,\n")
    with pytest.raises(DocumentUnreadable) as caught:
        SheetReader().read(str(path), LIMITS)
    assert caught.value.code == "EMPTY"


def test_semicolons_win_over_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Jahr;Preis\n2022;1,5\n2023;2,5\n")
    assert "2023 | 2,5" in whole(checked(SheetReader().read(str(path), LIMITS)))


def test_a_cell_shown_as_per_cent_is_one_and_takes_no_money_scale(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    years = ["USD in millions", "FY2023", "FY2022"]
    workbook(path, [years, ["Revenue", "1500", "1400"], ["Margin", "%0.1255", "%0.07"]])
    table = row(checked(SheetReader().read(str(path), LIMITS)), "Margin").table
    assert table is not None
    shown = [(cell.value.text, cell.unit, cell.multiplier) for cell in table.cells]
    assert shown == [("12.55%", "percent", "1"), ("7%", "percent", "1")]


@pytest.mark.parametrize(("label", "value"), [("Gross margin", "0.125"), ("Tax rate", "-0.21"), ("Marge", "0.07")])
def test_a_share_in_a_row_that_is_named_so_takes_no_money_scale(tmp_path: Path, label: str, value: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"USD in millions,FY2023\nRevenue,1500\n{label},{value}\n")
    document = checked(SheetReader().read(str(path), LIMITS))
    share, revenue = row(document, label).table, row(document, "Revenue").table
    assert share is not None and revenue is not None
    assert (share.cells[0].unit, share.cells[0].multiplier) == (None, None)
    assert revenue.cells[0].multiplier == "1000000"
