"""Owns reading one PDF file: opening it, page after page, and saying why it cannot be used.

A page whose tables cannot be read keeps its text. Never: raises anything but ``DocumentUnreadable``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from counterfoil.adapters.readers.pdf.page import ReadPage, read_page
from counterfoil.adapters.readers.pdf.pieces import segments_of
from counterfoil.core.errors import DocumentUnreadable
from counterfoil.ports.reader import ParsedDocument, ParsedSegment, ReadLimits

_MEDIA_TYPE = "application/pdf"
_PROGRESS_PAGES = 8
_TITLE_CHARS_MAX = 160
_NO_TITLE = re.compile(
    r"^(?:untitled|document\d*|microsoft word.*|.*\.(?:docx?|xlsx?|pptx?|pdf|html?|indd|qxd)|[\d_.\-\s]+|title)$",
    re.IGNORECASE,
)
# The largest text of an official form names who receives it; the file's name says more.
_AUTHORITY = re.compile(r"\bcommission\b|^form\s|\bdepartment of\b|\bministry of\b", re.IGNORECASE)
_HIDDEN = ("Subject", "Keywords", "Author")  # read by machines only


def read_pdf(path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None) -> ParsedDocument:
    """Read the file at ``path``; raise ``DocumentUnreadable`` saying why when it cannot be used."""
    _check_size(path, limits.file_bytes_max)
    document = _open(path)
    try:
        return _read(document, path, limits, progress)
    except pdfium.PdfiumError as error:
        raise _corrupt(path, str(error)) from error
    finally:
        document.close()


def _name(path: str) -> str:
    return os.path.basename(path)


def _corrupt(path: str, detail: str) -> DocumentUnreadable:
    return DocumentUnreadable(
        f"{_name(path)} is not a readable PDF: {detail}",
        code="CORRUPT",
        hint="Open it in a PDF viewer and save it again, or fetch the file anew.",
    )


def _check_size(path: str, bytes_max: int) -> None:
    try:
        size = os.path.getsize(path)
    except OSError as error:
        raise DocumentUnreadable(
            f"{_name(path)} cannot be opened: {error.strerror}", code="UNREADABLE", hint="Check that the file is there."
        ) from error
    if size == 0:
        raise DocumentUnreadable(f"{_name(path)} holds no bytes.", code="EMPTY", hint="Fetch the file anew.")
    if size > bytes_max:
        raise DocumentUnreadable(
            f"{_name(path)} has {size:,} bytes; the limit is {bytes_max:,}.",
            code="TOO_LARGE",
            hint="Split the file, or raise the limit for file sizes.",
        )


def _open(path: str) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if pdfium_c.FPDF_GetLastError() in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY):
            raise DocumentUnreadable(
                f"{_name(path)} is encrypted and needs a password.",
                code="ENCRYPTED",
                hint="Save a copy without a password.",
            ) from error
        raise _corrupt(path, str(error)) from error
    except OSError as error:
        raise DocumentUnreadable(
            f"{_name(path)} cannot be opened: {error.strerror}", code="UNREADABLE", hint="Check the file's permissions."
        ) from error


def _read(
    document: pdfium.PdfDocument, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None
) -> ParsedDocument:
    count = len(document)
    segments: list[ParsedSegment] = []
    blank: list[int] = []
    troubled: list[int] = []
    lost: list[int] = []
    largest = ""
    heading: str | None = None
    for index in range(count):
        page = read_page(document, index, limits.passage_chars_max)
        if index == 0:
            largest = page.largest
        _sort_out(page, index + 1, blank, troubled, lost)
        parts, heading = segments_of(page, index + 1, heading, limits)
        segments.extend(parts)
        if progress is not None and ((index + 1) % _PROGRESS_PAGES == 0 or index + 1 == count):
            progress(index + 1, count)
    if len(blank) + len(lost) == count:
        raise _scanned(path, count)
    return ParsedDocument(
        title=_title(document, largest, path),
        media_type=_MEDIA_TYPE,
        segments=tuple(segments),
        warnings=_warnings(count, blank, troubled, lost),
        dropped="\n".join(filter(None, (_stated(document, key) for key in _HIDDEN))),
    )


def _sort_out(page: ReadPage, number: int, blank: list[int], troubled: list[int], lost: list[int]) -> None:
    if page.trouble == "page":
        lost.append(number)
    elif not page.text:
        blank.append(number)
    if page.trouble == "tables":
        troubled.append(number)


def _scanned(path: str, count: int) -> DocumentUnreadable:
    pages = "its one page holds no text" if count == 1 else f"none of its {count} pages holds any text"
    return DocumentUnreadable(
        f"{_name(path)} has no text: {pages}; it is probably scanned.",
        code="SCANNED",
        hint="Run text recognition (OCR) over it first and save it with a text layer.",
    )


def _warnings(count: int, blank: list[int], troubled: list[int], lost: list[int]) -> tuple[str, ...]:
    out = []
    if blank:
        out.append(f"{len(blank)} of {count} pages hold no text ({_listed(blank)}); they may be scanned.")
    if troubled:
        pages = _listed(troubled)
        out.append(f"Tables on {len(troubled)} of {count} pages could not be read, their text is kept ({pages}).")
    if lost:
        out.append(f"{len(lost)} of {count} pages could not be opened ({_listed(lost)}).")
    return tuple(out)


def _listed(pages: list[int]) -> str:
    shown = ", ".join(str(n) for n in pages[:10])
    return ("page " if len(pages) == 1 else "pages ") + shown + (" and more" if len(pages) > 10 else "")


def _title(document: pdfium.PdfDocument, largest: str, path: str) -> str:
    """The title of the metadata when it names the document, else the largest text, else the file's name."""
    stem = os.path.splitext(_name(path))[0]
    stated = _stated(document, "Title")
    if len(stated) > 3 and not _NO_TITLE.match(stated) and any(c.isalpha() for c in stated):
        return stated[:_TITLE_CHARS_MAX]
    shown = " ".join(largest.split())[:_TITLE_CHARS_MAX]
    return stem if not shown or _AUTHORITY.search(shown) else shown


def _stated(document: pdfium.PdfDocument, key: str) -> str:
    """What the file's own properties say, empty when nothing or nothing legible."""
    try:
        return " ".join(str(document.get_metadata_value(key)).split())
    except (pdfium.PdfiumError, UnicodeError):
        return ""
