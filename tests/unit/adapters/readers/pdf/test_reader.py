from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from counterfoil.adapters.readers.pdf import PdfReader
from counterfoil.adapters.readers.pdf import page as page_module
from counterfoil.core.errors import DocumentUnreadable
from counterfoil.ports.reader import ParsedDocument, ReadLimits

Read = Callable[..., ParsedDocument]
# An encryption dictionary that no password opens: the library asks for one.
ENCRYPT = (
    b"/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] "
    b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (b"11" * 32, b"22" * 32)
)


def refused(path: Path, limits: ReadLimits) -> DocumentUnreadable:
    with pytest.raises(DocumentUnreadable) as caught:
        PdfReader().read(str(path), limits)
    return caught.value


def test_no_bytes(tmp_path: Path, limits: ReadLimits) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"")
    assert refused(path, limits).code == "EMPTY"


@pytest.mark.parametrize("raw", [b"not a pdf at all", b"%PDF-1.4\nbroken", b"\x00" * 4000])
def test_corrupt(tmp_path: Path, limits: ReadLimits, raw: bytes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(raw)
    error = refused(path, limits)
    assert error.code == "CORRUPT"
    assert "a.pdf" in error.message and error.hint


def test_encrypted(tmp_path: Path, limits: ReadLimits, make_pdf: Callable[..., bytes], page: Callable[[], Any]) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(make_pdf([page().text(40, 700, "secret")], trailer=ENCRYPT))
    assert refused(path, limits).code == "ENCRYPTED"


def test_too_large(tmp_path: Path, limits: ReadLimits, make_pdf: Callable[..., bytes], page: Callable[[], Any]) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(make_pdf([page().text(40, 700, "text")]))
    error = refused(path, msgspec.structs.replace(limits, file_bytes_max=100))
    assert error.code == "TOO_LARGE"
    assert "100" in error.message


def test_missing_file(tmp_path: Path, limits: ReadLimits) -> None:
    assert refused(tmp_path / "gone.pdf", limits).code == "UNREADABLE"


def test_scanned_says_how_many_pages(
    tmp_path: Path, limits: ReadLimits, make_pdf: Callable[..., bytes], page: Callable[[], Any]
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(make_pdf([page(), page(), page()]))
    error = refused(path, limits)
    assert error.code == "SCANNED"
    assert "3 pages" in error.message


def test_pages_without_text_are_a_warning(read: Read, page: Callable[[], Any]) -> None:
    document = read(page().text(40, 700, "First page."), page(), page().text(40, 700, "Third page."))
    assert [s.page for s in document.segments] == [1, 2, 3]
    assert document.warnings == ("1 of 3 pages hold no text (page 2); they may be scanned.",)


def test_title_from_metadata_else_largest_text_else_name(read: Read, page: Callable[[], Any]) -> None:
    body = page().text(40, 700, "Annual Report 2018", 24).text(40, 660, "A small line of text.")
    assert read(body, title="Acme 10-K").title == "Acme 10-K"
    assert read(body, title="Microsoft Word - draft7.doc").title == "Annual Report 2018"
    assert read(page().text(40, 700, "1234"), title="0001065280-18-000069").title == "filing"


def test_progress_counts_pages(
    tmp_path: Path, limits: ReadLimits, make_pdf: Callable[..., bytes], page: Callable[[], Any]
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(make_pdf([page().text(40, 700, "text") for _ in range(17)]))
    seen: list[tuple[int, int]] = []
    PdfReader().read(str(path), limits, lambda done, total: seen.append((done, total)))
    assert seen == [(8, 17), (16, 17), (17, 17)]


def test_a_long_page_becomes_several_segments_of_one_page(
    read: Read, page: Callable[[], Any], limits: ReadLimits
) -> None:
    p = page()
    for n in range(30):
        p.text(40, 750 - 20 * n, f"Sentence number {n} says something about the year.")
    document = read(p, limits=msgspec.structs.replace(limits, segment_chars_max=500))
    assert len(document.segments) > 2
    assert {s.page for s in document.segments} == {1}
    for segment in document.segments:
        assert len(segment.text) <= 500
        assert all(segment.text[q.start : q.end] == q.text for q in segment.passages)
    joined = " ".join(q.text for s in document.segments for q in s.passages)
    assert all(f"number {n} " in joined for n in range(30))


def test_a_page_whose_tables_fail_keeps_its_text(
    read: Read, page: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> list[object]:
        raise ValueError("odd layout")

    monkeypatch.setattr(page_module, "read_tables", broken)
    p = page().right(400, 720, "2018").row(700, "Cash", (400, "1,234"), (500, "5")).row(680, "Debt", (400, "5"))
    document = read(p)
    assert "Cash 1,234 5" in document.segments[0].text
    assert any("Cash 1,234" in q.text for q in document.segments[0].passages)
    assert "Tables on 1 of 1 pages" in document.warnings[0]


def test_a_page_that_defeats_its_reading_gives_plain_text(
    read: Read, page: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> list[object]:
        raise ValueError("odd glyphs")

    monkeypatch.setattr(page_module, "lines", broken)
    document = read(page().text(40, 700, "Words are kept."))
    assert [q.text for q in document.segments[0].passages] == ["Words are kept."]
    assert document.warnings != ()


def test_headings_and_paragraphs(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    p.text(40, 720, "Item 7A. Market Risk", bold=True)
    p.text(40, 700, "We are exposed to risk. Rates may rise and they may").text(
        40, 689, "fall again in every year that comes."
    )
    p.text(40, 660, "A second paragraph stands apart.")
    passages = read(p).segments[0].passages
    assert [(q.kind, q.text) for q in passages] == [
        ("heading", "Item 7A. Market Risk"),
        ("text", "We are exposed to risk. Rates may rise and they may\nfall again in every year that comes."),
        ("text", "A second paragraph stands apart."),
    ]
    assert passages[1].heading == "Item 7A. Market Risk"


def test_passages_keep_the_limit(read: Read, page: Callable[[], Any], limits: ReadLimits) -> None:
    p = page()
    for n in range(12):
        p.text(40, 700 - 11 * n, "This line belongs to one very long sentence without any stop, which goes on")
    document = read(p, limits=msgspec.structs.replace(limits, passage_chars_max=120))
    assert all(len(q.text) <= 120 for q in document.segments[0].passages)


def test_two_columns_of_prose_are_not_mixed(read: Read, page: Callable[[], Any]) -> None:
    p = page()
    for n in range(8):
        p.text(40, 700 - 12 * n, f"left words stand here in row {n} alone")
    for n in range(8):
        p.text(320, 700 - 12 * n, f"right words stand there in row {n} alone")
    text = read(p).segments[0].text
    assert text.index("left words stand here in row 7") < text.index("right words stand there in row 0")
