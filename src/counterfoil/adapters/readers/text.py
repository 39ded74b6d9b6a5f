"""Owns reading plain text files.

Never: markup. Prose stays as it is, but for line ends; columns of figures are tables; a form feed parts pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ClassVar

from counterfoil.adapters.readers.layout import Layout
from counterfoil.adapters.readers.load import decode, empty, read_bytes
from counterfoil.adapters.readers.spaced import blocks
from counterfoil.ports.reader import ParsedDocument, ReadLimits

_TITLE_CHARS_MAX = 120


class TextReader:
    """Reads ``.txt`` and kin."""

    suffixes: ClassVar[tuple[str, ...]] = (".txt", ".text", ".log", ".rst", ".org", ".tex", ".srt", ".vtt")
    version = 3

    def read(self, path: str, limits: ReadLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
        """Read the file; see ``ports.reader.Reader``."""
        text = decode(read_bytes(path, limits))
        if not text.strip():
            raise empty()
        layout = Layout(limits)
        for page in text.split("\f"):
            for block in blocks(page):
                if isinstance(block, str):
                    layout.prose(block)
                else:
                    layout.table(block)
            if "\f" in text:
                layout.flush()
        segments = layout.segments()
        return ParsedDocument(title_from(text, path), "text/plain", segments, warnings=layout.warnings)


def title_from(text: str, path: str) -> str:
    """Return the first line when it is short enough to be a title, else the file's name."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if 0 < len(first) <= _TITLE_CHARS_MAX and not first.endswith((".", "。", ";", ",")):
        return first
    return os.path.basename(path)
