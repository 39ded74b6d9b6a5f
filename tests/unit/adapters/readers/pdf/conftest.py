"""Builds tiny PDFs byte by byte, so that tests show exactly what stands on a page.

Never: files from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from counterfoil.adapters.readers.pdf import PdfReader
from counterfoil.ports.reader import ParsedDocument, ReadLimits

LIMITS = ReadLimits(file_bytes_max=1_000_000, segment_chars_max=20_000, passage_chars_max=400)
# Widths of Helvetica in thousandths of the size, for setting numbers flush right.
WIDTHS = {**dict.fromkeys("0123456789$", 556), **dict.fromkeys(",. ", 278), "(": 333, ")": 333, "%": 889, "—": 1000}


class Page:
    """Collects what is drawn on one page."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def text(self, x: float, y: float, text: str, size: float = 9, *, bold: bool = False) -> Page:
        raw = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        font = b"F2" if bold else b"F1"
        self.parts.append(b"BT /%s %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET" % (font, size, x, y, raw))
        return self

    def right(self, x: float, y: float, text: str, size: float = 9) -> Page:
        width = sum(WIDTHS[c] for c in text) * size / 1000
        if text.endswith(")"):
            width -= WIDTHS[")"] * size / 1000  # closing brackets hang over the edge
        return self.text(x - width, y, text, size)

    def row(self, y: float, label: str, *cells: tuple[float, str], x: float = 40) -> Page:
        if label:
            self.text(x, y, label)
        for edge, value in cells:
            self.right(edge, y, value)
        return self

    def rule(self, x0: float, x1: float, y: float) -> Page:
        self.parts.append(b"%g %g %g 0.7 re f" % (x0, y, x1 - x0))
        return self


def build(pages: list[Page], title: str = "", trailer: bytes = b"") -> bytes:
    """Return the bytes of a PDF with these pages."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        b"<< /Title (%s) >>" % title.encode("cp1252"),
    ]
    kids = []
    for page in pages:
        stream = b"\n".join(page.parts)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        resources = b"<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources %s >>"
            % (len(objects), resources)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % o for o in offsets)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + b"trailer << /Size %d /Root 1 0 R /Info 5 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        trailer,
        start,
    )


@pytest.fixture
def page() -> Callable[[], Page]:
    return Page


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    return build


@pytest.fixture
def limits() -> ReadLimits:
    return LIMITS


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ParsedDocument]:
    def _read(*pages: Page, limits: ReadLimits = LIMITS, title: str = "") -> ParsedDocument:
        path = tmp_path / "filing.pdf"
        path.write_bytes(build(list(pages), title))
        return PdfReader().read(str(path), limits)

    return _read
