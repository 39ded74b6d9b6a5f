"""Owns finding the files of a corpus: walks the given paths and names what it finds.

Never: reading contents. Order is deterministic; links that leave their root are not followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from counterfoil.core.errors import RefusedError


class FoundFile(msgspec.Struct, frozen=True):
    """A file of the corpus. ``id`` is printable and unique; ``path`` is raw, as the system names it."""

    id: str
    path: str
    url: str  # where a reader of an answer finds it
    size: int
    mtime_ns: int


class Root(msgspec.Struct, frozen=True):
    """A folder or file of the corpus. In a ``saved_web`` the file ``host/path`` stands at ``https://host/path``."""

    path: Path
    saved_web: bool = False


def find_files(roots: Sequence[Root]) -> tuple[tuple[FoundFile, ...], tuple[str, ...]]:
    """Return every file below ``roots``, in order of root and path, and the folders that may not be listed.

    Refuses a root that does not exist.
    """
    out: dict[str, FoundFile] = {}
    closed: list[str] = []
    taken: set[str] = set()
    for place in roots:
        root = place.path
        if not root.exists():
            raise RefusedError(
                f"the corpus path {printable(str(root))} does not exist",
                code="CORPUS_MISSING",
                hint="check the spelling, or give the folder that holds your documents",
            )
        real_root = root.resolve()
        for path, relative in _walk(root, real_root, closed):
            real = os.path.realpath(path)
            if real in out:
                continue
            stat = os.stat(path)
            url = _web_address(relative) if place.saved_web else Path(real).as_uri()
            name = _unique(printable(relative), root, taken)
            out[real] = FoundFile(name, real, url, stat.st_size, stat.st_mtime_ns)
    return tuple(out.values()), tuple(dict.fromkeys(closed))


def printable(name: str) -> str:
    """Write control characters and undecodable bytes as escapes, so that a name is one honest line."""
    raw = name.encode("utf-8", "surrogateescape") if any("\ud800" <= c <= "\udfff" for c in name) else None
    text = raw.decode("utf-8", "backslashreplace") if raw is not None else name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _web_address(relative: str) -> str:
    host, _, path = relative.partition("/")
    return f"https://{host.lower()}/{quote(os.fsencode(path))}"


def _walk(root: Path, real_root: Path, closed: list[str]) -> Iterable[tuple[str, str]]:
    if root.is_file():
        yield str(root), root.name
        return
    pending = [str(root)]
    base = len(str(root).rstrip(os.sep)) + 1
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    while pending:
        folder = pending.pop()
        real = os.path.realpath(folder)
        if real in seen:
            continue
        seen.add(real)
        for entry in _entries(folder, closed):
            if entry.name.startswith(".") or not _inside(entry, real_root):
                continue
            if entry.is_dir():
                pending.append(entry.path)
            elif entry.is_file():
                found.append((entry.path, entry.path[base:].replace(os.sep, "/")))
    yield from sorted(found, key=lambda pair: os.fsencode(pair[1]))


def _entries(folder: str, closed: list[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda e: os.fsencode(e.name))
    except PermissionError:
        closed.append(printable(folder))
        return []


def _inside(entry: os.DirEntry[str], real_root: Path) -> bool:
    if not entry.is_symlink():
        return True
    real = os.path.realpath(entry.path)
    return os.path.exists(real) and Path(real).is_relative_to(real_root)


def _unique(wanted: str, root: Path, taken: set[str]) -> str:
    name = wanted
    if name in taken:
        name = f"{printable(root.name)}/{wanted}"
    number = 2
    while name in taken:
        name = f"{wanted} ({number})"
        number += 1
    taken.add(name)
    return name
