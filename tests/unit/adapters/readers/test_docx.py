from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document
from tests.unit.adapters.readers.spans import LIMITS, checked, headings, row, whole

from counterfoil.adapters.readers.docx import DocxReader
from counterfoil.core.errors import DocumentUnreadable


def test_headings_prose_items_and_tables_in_order(tmp_path: Path) -> None:
    document = Document()
    document.add_heading("Quarterly report", 1)
    document.add_paragraph("Sales rose because demand grew.")
    document.add_paragraph("a point", style="List Bullet")
    document.add_paragraph("Sales by region (in thousands)")
    table = document.add_table(2, 3)
    for r, cells in enumerate([["", "2023", "2022"], ["North", "1,500", "900"]]):
        for c, text in enumerate(cells):
            table.cell(r, c).text = text
    document.save(str(tmp_path / "a.docx"))
    parsed = checked(DocxReader().read(str(tmp_path / "a.docx"), LIMITS))
    assert parsed.title == "Quarterly report"
    assert headings(parsed.segments) == ["Quarterly report"]
    assert [p.kind for p in parsed.segments[0].passages][:3] == ["heading", "text", "item"]
    north = row(parsed, "North").table
    assert north is not None and north.title is not None
    assert north.title.text == "Sales by region (in thousands)"
    assert (north.cells[0].value.text, north.cells[0].header[0].text, north.cells[0].multiplier) == (
        "1,500",
        "2023",
        "1000",
    )
    assert whole(parsed).count("Sales by region") == 1


@pytest.mark.parametrize(
    ("content", "code"), [(b"PK\x03\x04", "CORRUPT"), (b"\xd0\xcf\x11\xe0 old", "ENCRYPTED"), (b"plain", "CORRUPT")]
)
def test_files_that_are_no_word_document_say_why(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(content)
    with pytest.raises(DocumentUnreadable) as caught:
        DocxReader().read(str(path), LIMITS)
    assert caught.value.code == code


def test_a_document_without_text_is_empty(tmp_path: Path) -> None:
    Document().save(str(tmp_path / "a.docx"))
    with pytest.raises(DocumentUnreadable) as caught:
        DocxReader().read(str(tmp_path / "a.docx"), LIMITS)
    assert caught.value.code == "EMPTY"
