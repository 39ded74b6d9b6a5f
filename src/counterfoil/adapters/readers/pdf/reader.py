"""Owns the PDF reader as the port sees it: which files, which version.

Never: loading the PDF library before there is a file to read.
"""

from __future__ import annotations

from collections.abc import Callable

from counterfoil.ports.reader import ParsedDocument, ReadLimits


class PdfReader:
    """Reads PDF files with a text layer. Holds nothing between calls."""

    suffixes: tuple[str, ...] = (".pdf",)
    version = 4

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file at ``path``; raise ``DocumentUnreadable`` saying why when it cannot be used."""
        from counterfoil.adapters.readers.pdf.document import read_pdf

        return read_pdf(path, limits, progress)
