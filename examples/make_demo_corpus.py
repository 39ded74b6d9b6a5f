"""Writes the binary documents of the bundled demo: two PDFs, a DOCX and an XLSX, the same bytes every time.

python examples/make_demo_corpus.py [FOLDER]
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

DOCUMENTS = Path(__file__).parents[1] / "src" / "counterfoil" / "data" / "demo" / "documents"
_STAMP = (2025, 1, 1, 0, 0, 0)  # every file inside an archive carries this time
_NARROW, _WIDE = "fijlt.,:;'|!()[] ", "mwMW%"


class Page:
    """Lines of text on a Letter page; ``row`` sets columns to the right edge that tables need."""

    def __init__(self) -> None:
        self._commands: list[str] = []
        self._y = 730.0

    def line(self, text: str, *, size: float = 10, bold: bool = False, x: float = 72, gap: float = 4) -> None:
        """A line of text, then ``gap`` points of space."""
        self._put(text, x, size, bold)
        self._y -= size + gap

    def row(
        self, label: str, values: Iterable[str], *, bold: bool = False, edges: tuple[float, ...] = (420, 500)
    ) -> None:
        """A table row: a label and right-aligned values."""
        self._put(label, 72, 10, bold)
        for value, edge in zip(values, edges, strict=False):
            self._put(value, edge - width(value) * 10, 10, bold)
        self._y -= 16

    def space(self, points: float) -> None:
        """Empty space."""
        self._y -= points

    def _put(self, text: str, x: float, size: float, bold: bool) -> None:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "F2" if bold else "F1"
        self._commands.append(f"BT /{font} {size:g} Tf {x:.2f} {self._y:.2f} Td ({escaped}) Tj ET")

    def content(self) -> bytes:
        """The page's content stream."""
        return "\n".join(self._commands).encode("cp1252")


def width(text: str) -> float:
    """About how wide Helvetica sets a text, in units of its size."""
    return sum(0.278 if c in _NARROW else 0.84 if c in _WIDE else 0.556 for c in text)


def pdf(pages: list[Page], title: str) -> bytes:
    """A PDF of those pages, nothing compressed."""
    count = len(pages)
    kids = " ".join(f"{6 + 2 * i} 0 R" for i in range(count))
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
        f"<< /Title ({title}) >>".encode("cp1252"),
    ]
    for i, page in enumerate(pages):
        content = page.content()
        resources = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        page_box = "/Parent 2 0 R /MediaBox [0 0 612 792]"
        objects.append(f"<< /Type /Page {page_box} /Resources {resources} /Contents {7 + 2 * i} 0 R >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def fare_schedule() -> bytes:
    """City North's official fares, which disagree with its own visitor page on one price."""
    page = Page()
    page.line("City North Bikes", size=16, bold=True, gap=6)
    page.line("Fare schedule", size=13, bold=True, gap=10)
    page.line("Adopted by the City North Department of Transport. In force from April 1, 2025.", gap=16)
    page.line("Fares for casual riders", size=11, bold=True)
    page.line("(in US dollars, tax included)", gap=10)
    page.row("Fare", ("Price",), bold=True, edges=(420,))
    for label, price in (
        ("Single ride", "$3.50"),
        ("Day pass", "$9.00"),
        ("Three-day pass", "$20.00"),
        ("Seven-day pass", "$34.00"),
    ):
        page.row(label, (price,), edges=(420,))
    page.space(14)
    page.line("Every pass includes rides of up to 30 minutes. Each additional 30 minutes costs $4.00.")
    page.line("Passes are valid from the first ride.", gap=16)
    page.line("Fares for members", size=11, bold=True)
    page.line("(in US dollars, tax included)", gap=10)
    page.row("Fare", ("Price",), bold=True, edges=(420,))
    page.row("Monthly membership", ("$22.00",), edges=(420,))
    page.row("Annual membership", ("$119.00",), edges=(420,))
    return pdf([page], "City North Bikes: fare schedule")


def annual_report() -> bytes:
    """The annual report of a company that does not exist."""
    cover = Page()
    cover.space(120)
    cover.line("Tandem Mobility, Inc.", size=24, bold=True, gap=14)
    cover.line("Annual Report", size=18, gap=10)
    cover.line("Fiscal year ended December 31, 2024", size=13, gap=40)
    cover.line("Tandem Mobility runs public bike-share systems in City North, City South and City East.")
    return pdf([cover, _overview(), _income(), _cash_flows()], "Tandem Mobility, Inc.: Annual Report 2024")


def _overview() -> Page:
    page = Page()
    page.line("Management's discussion", size=14, bold=True, gap=10)
    for text in (
        "Revenue grew because riders in City North made more trips and because the number of",
        "stations in City East rose from 118 to 141. Pass prices in City South did not change.",
        "",
        "Operating expenses rose more slowly than revenue. Maintenance of electric bikes was the",
        "largest single increase. The company had no long-term debt at the end of the year.",
    ):
        page.line(text)
    page.space(16)
    page.line("Trips by system", size=11, bold=True)
    page.line("(in thousands)", gap=10)
    page.row("", ("2024", "2023"), bold=True)
    for label, now, before in (
        ("City North", "5,210", "4,388"),
        ("City South", "2,164", "2,097"),
        ("City East", "2,026", "1,615"),
        ("Total trips", "9,400", "8,100"),
    ):
        page.row(label, (now, before))
    return page


def _income() -> Page:
    page = Page()
    page.line("Tandem Mobility, Inc.", size=12, bold=True)
    page.line("Consolidated Statements of Income", size=12, bold=True)
    page.line("(In thousands of US dollars, except per share data)", gap=10)
    page.row("Year ended December 31,", ("2024", "2023"), bold=True)
    for label, now, before in (
        ("Pass revenue", "$31,842", "$28,115"),
        ("Single-ride revenue", "9,377", "8,904"),
        ("Sponsorship revenue", "7,391", "6,402"),
        ("Total revenue", "48,610", "43,421"),
        ("Operations and maintenance", "29,806", "27,230"),
        ("Depreciation", "6,118", "5,540"),
        ("General and administrative", "5,902", "5,711"),
        ("Total operating expenses", "41,826", "38,481"),
        ("Operating income", "6,784", "4,940"),
        ("Income tax expense", "1,425", "1,037"),
        ("Net income", "$5,359", "$3,903"),
        ("Diluted earnings per share", "$0.67", "$0.49"),
    ):
        page.row(label, (now, before))
    return page


def _cash_flows() -> Page:
    page = Page()
    page.line("Tandem Mobility, Inc.", size=12, bold=True)
    page.line("Consolidated Statements of Cash Flows", size=12, bold=True)
    page.line("(In thousands of US dollars)", gap=10)
    page.row("Year ended December 31,", ("2024", "2023"), bold=True)
    for label, now, before in (
        ("Net income", "$5,359", "$3,903"),
        ("Depreciation", "6,118", "5,540"),
        ("Changes in working capital", "(842)", "317"),
        ("Net cash provided by operating activities", "10,635", "9,760"),
        ("Purchases of property and equipment", "(9,274)", "(7,655)"),
        ("Net cash used in investing activities", "(9,274)", "(7,655)"),
        ("Net increase in cash", "1,361", "2,105"),
        ("Cash at end of year", "$8,902", "$7,541"),
    ):
        page.row(label, (now, before))
    return page


_MAIN_TYPES = "application/vnd.openxmlformats-officedocument"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def terms() -> bytes:
    """City South's terms of use as a Word document written by hand."""
    body = [
        _paragraph("City South Cycles: terms of use", "Heading1"),
        _paragraph("In force from 11 February 2025. These terms apply to every rider of City South Cycles."),
        _paragraph("Included rides and longer rides", "Heading2"),
        _paragraph(
            "The overage charge is $3 for each additional 15 minutes of a ride beyond 45 minutes. "
            "It is taken when the bike is docked."
        ),
        _paragraph("When a ticket ends", "Heading2"),
        _paragraph(
            "Rover tickets expire at midnight on the day they are bought, not 24 hours after activation. "
            "A rider may buy one ticket a day."
        ),
        _paragraph("Deposits and damage", "Heading2"),
        _word_table(("Case", "Charge"), ("Lost bike", "$850"), ("Damaged lock", "$60"), ("Bike left outside", "$25")),
        _paragraph("Questions: terms@citysouthcycles.example"),
    ]
    names = ("Heading1", "heading 1"), ("Heading2", "heading 2")
    styles = "".join(f'<w:style w:type="paragraph" w:styleId="{i}"><w:name w:val="{n}"/></w:style>' for i, n in names)
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    parts = {
        "word/document.xml": (
            f"<w:document {space}><w:body>{''.join(body)}</w:body></w:document>",
            "wordprocessingml.document.main",
        ),
        "word/styles.xml": (f"<w:styles {space}>{styles}</w:styles>", "wordprocessingml.styles"),
    }
    return _office(parts, {"word/_rels/document.xml.rels": (("styles", "styles.xml"),)}, "word/document.xml")


def _paragraph(text: str, style: str | None = None) -> str:
    kind = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{kind}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def _word_table(*rows: tuple[str, str]) -> str:
    cells = ("".join(f"<w:tc><w:tcPr/>{_paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    grid = "<w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>"
    return f"<w:tbl>{grid}{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def ridership() -> bytes:
    """Trips by month and city as a spreadsheet written by hand."""
    months = ("January", "February", "March", "April", "May", "June")
    north, south, east = (301, 288, 377, 431, 502, 540), (121, 118, 160, 188, 214, 226), (110, 104, 139, 170, 201, 219)
    rows: list[tuple[int | str, ...]] = [
        ("Month", "City North", "City South", "City East"),
        *zip(months, north, south, east, strict=True),
    ]
    lines = (
        f'<row r="{r}">{"".join(_sheet_cell(c, r, value) for c, value in zip("ABCD", row, strict=True))}</row>'
        for r, row in enumerate(rows, 1)
    )
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    parts = {
        "xl/workbook.xml": (
            f'<workbook {space} xmlns:r="{_OFFICE}"><sheets>'
            '<sheet name="Trips 2024 (thousands)" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "spreadsheetml.sheet.main",
        ),
        "xl/worksheets/sheet1.xml": (
            f"<worksheet {space}><sheetData>{''.join(lines)}</sheetData></worksheet>",
            "spreadsheetml.worksheet",
        ),
    }
    relations = {"xl/_rels/workbook.xml.rels": (("worksheet", "worksheets/sheet1.xml"),)}
    return _office(parts, relations, "xl/workbook.xml")


def _sheet_cell(column: str, row: int, value: int | str) -> str:
    if isinstance(value, int):
        return f'<c r="{column}{row}"><v>{value}</v></c>'
    return f'<c r="{column}{row}" t="inlineStr"><is><t>{value}</t></is></c>'


def _office(
    parts: Mapping[str, tuple[str, str]], relations: Mapping[str, Sequence[tuple[str, str]]], main_part: str
) -> bytes:
    """An Office archive: parts with their kinds, relations between them, and which part is the document."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    kinds = "".join(
        f'<Override PartName="/{name}" ContentType="{_MAIN_TYPES}.{kind}+xml"/>' for name, (_, kind) in parts.items()
    )
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">{rels}{kinds}</Types>',
        "_rels/.rels": _relations((("officeDocument", main_part),)),
        **{name: _relations(targets) for name, targets in relations.items()},
        **{name: text for name, (text, _) in parts.items()},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, _STAMP), (head + text).encode())
    return out.getvalue()


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    one = '<Relationship Id="rId{}" Type="{}/{}" Target="{}"/>'
    inner = "".join(one.format(i, _OFFICE, kind, target) for i, (kind, target) in enumerate(targets, 1))
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'


def documents() -> dict[str, bytes]:
    """Every generated document: path → bytes."""
    return {
        "city-north/fare-schedule.pdf": fare_schedule(),
        "city-south/terms.docx": terms(),
        "tandem/annual-report-2024.pdf": annual_report(),
        "tandem/ridership.xlsx": ridership(),
    }


def main(folder: Path = DOCUMENTS) -> None:
    """Write all documents below ``folder``."""
    for name, data in documents().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main(*(Path(given) for given in sys.argv[1:2]))
