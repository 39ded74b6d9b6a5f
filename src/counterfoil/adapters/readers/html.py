"""Owns the reader of HTML pages as the port sees it: which files, which version.

Never: loading the HTML libraries before there is a file to read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ClassVar

from counterfoil.adapters.readers.html_meta import declared_encoding
from counterfoil.adapters.readers.load import decode, read_bytes
from counterfoil.ports.reader import ParsedDocument, ReadLimits


class HtmlReader:
    """Reads ``.html`` files."""

    suffixes: ClassVar[tuple[str, ...]] = (".html", ".htm", ".xhtml")
    version = 3

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file; see ``ports.reader.Reader``."""
        from counterfoil.adapters.readers.html_document import parse_html

        data = read_bytes(path, limits)
        return parse_html(decode(data, declared_encoding(data)), os.path.basename(path), limits)
