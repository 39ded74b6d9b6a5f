"""Owns the reader of Word documents as the port sees it: which files, which version.

Never: loading the Word library before there is a file to read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from counterfoil.ports.reader import ParsedDocument, ReadLimits


class DocxReader:
    """Reads ``.docx`` files."""

    suffixes: ClassVar[tuple[str, ...]] = (".docx", ".docm")
    version = 3

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file; see ``ports.reader.Reader``."""
        from counterfoil.adapters.readers.docx_document import read_docx

        return read_docx(path, limits)
