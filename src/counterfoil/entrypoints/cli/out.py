"""Owns writing a report to a file: the format by suffix, checked before any work, written all or not at all.

Never: overwriting a folder or leaving half a file behind.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from counterfoil.adapters.render.paper import Paper
from counterfoil.core.errors import UsageError, WriteFailed

SUFFIXES = (".md", ".html", ".json")
Renderer = Callable[[Paper], str]


def check_out(out: str | None, suffixes: tuple[str, ...] = SUFFIXES) -> Path | None:
    """The file to write, in one of the formats of ``suffixes``, checked before anything is spent on it.

    Raises:
        UsageError: an unknown suffix, a folder, or a folder that does not exist.
    """
    if out is None:
        return None
    path = Path(out)
    try:
        return _checked(path, out, suffixes)
    except OSError as wrong:  # a folder above it may not be looked into
        raise UsageError(
            f"--out {out}: {wrong.strerror}", code="OUT_NOT_WRITABLE", hint="choose another folder"
        ) from wrong


def _checked(path: Path, out: str, suffixes: tuple[str, ...]) -> Path:
    if path.is_dir():
        raise UsageError(
            f"--out {out} is a folder", code="OUT_IS_FOLDER", hint=f"name a file in it: {path / 'answer.html'}"
        )
    if path.suffix.lower() not in suffixes:
        raise UsageError(
            f"--out {out}: no report has the suffix {path.suffix!r}",
            code="OUT_SUFFIX_UNKNOWN",
            hint=f"use one of {', '.join(suffixes)}",
        )
    if not path.parent.is_dir():
        raise UsageError(
            f"--out {out}: the folder does not exist", code="OUT_FOLDER_MISSING", hint=f"make {path.parent}"
        )
    if not os.access(path.parent, os.W_OK):
        raise UsageError(
            f"--out {out}: the folder is not writable", code="OUT_NOT_WRITABLE", hint="choose another folder"
        )
    return path


def renderer_of(path: Path) -> Renderer:
    """The renderer for a file's suffix; loaded here because most commands render nothing."""
    suffix = path.suffix.lower()
    if suffix == ".html":
        from counterfoil.adapters.render.html import render_html

        return render_html
    if suffix == ".md":
        from counterfoil.adapters.render.markdown import render_markdown

        return render_markdown
    from counterfoil.adapters.render.json_ import render_json

    return render_json


def write_report(path: Path, paper: Paper) -> None:
    """Write ``paper`` to ``path``, in the format of its suffix."""
    write_text(path, renderer_of(path)(paper), hint="the Run is kept: `counterfoil show last`")


def write_text(path: Path, text: str, *, hint: str) -> None:
    """Write a file in one step; its old content stands until the new one is complete.

    Raises:
        WriteFailed: with ``hint``.
    """
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="replace", dir=path.parent, prefix=".counterfoil-", delete=False
        ) as file:
            temporary = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as wrong:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise WriteFailed(
            f"{path} cannot be written: {wrong.strerror}",
            code="OUT_FAILED",
            hint=hint,
        ) from wrong


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
