"""Owns finding the files of a corpus: walks the given paths and names what it finds.

Never: reading contents, or waiting for a pipe. Order is deterministic; links that leave their root are not followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Literal, NamedTuple
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
    ctime_ns: int


class Skip(NamedTuple):
    """Something of the corpus that was not taken: its printable name, a code, a sentence."""

    name: str
    code: str
    message: str


class Root(msgspec.Struct, frozen=True):
    """A folder or file of the corpus. In a ``saved_web`` the file ``host/path`` stands at ``https://host/path``."""

    path: Path
    saved_web: bool = False


def find_files(roots: Sequence[Root]) -> tuple[tuple[FoundFile, ...], tuple[Skip, ...]]:
    """Return every file below ``roots``, in order of root and path, and what could not be taken, with the reason.

    Refuses a root that does not exist, or that may not be looked into.
    """
    out: dict[str, FoundFile] = {}
    skips: list[Skip] = []
    taken: set[str] = set()
    for place in roots:
        root = place.path
        _require(root)
        real_root = root.resolve()
        for path, relative in _walk(root, real_root, skips):
            real = os.path.realpath(path)
            if real in out:
                continue
            try:
                stat = os.stat(path)
            except OSError as error:
                skips.append(_unreadable(relative, error))
                continue
            url = _web_address(relative) if place.saved_web else Path(real).as_uri()
            name = _unique(printable(relative), root, taken)
            out[real] = FoundFile(name, real, url, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return tuple(out.values()), tuple(dict.fromkeys(skips))


def _require(root: Path) -> None:
    """Refuse a root that cannot be searched, saying why."""
    name = printable(str(root))
    try:
        mode = os.stat(root).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise RefusedError(
            f"the corpus path {name} does not exist",
            code="CORPUS_MISSING",
            hint="check the spelling, or give the folder that holds your documents",
        ) from error
    except PermissionError as error:
        raise _closed(name) from error
    except OSError as error:
        raise RefusedError(
            f"the corpus path {name} cannot be read: {error.strerror}",
            code="CORPUS_UNREADABLE",
            hint="check the path and the disk that it is on",
        ) from error
    if S_ISDIR(mode) and not os.access(root, os.R_OK | os.X_OK):
        raise _closed(name)
    if not S_ISDIR(mode) and not S_ISREG(mode):
        raise RefusedError(
            f"the corpus path {name} is neither a file nor a folder",
            code="CORPUS_NOT_A_FILE",
            hint="give the folder that holds your documents",
        )


def _closed(name: str) -> RefusedError:
    return RefusedError(
        f"the corpus path {name} may not be read: permission denied",
        code="CORPUS_CLOSED",
        hint="change its permissions or those of the folders above it, or ask as a user who may read it",
    )


def _unreadable(name: str, error: OSError) -> Skip:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return Skip(printable(name), "UNREADABLE", "it went away while the folder was searched")
    if isinstance(error, PermissionError):
        return Skip(printable(name), "UNREADABLE", "it may not be opened: permission denied")
    return Skip(printable(name), "UNREADABLE", f"it cannot be opened: {error.strerror or error}")


def printable(name: str) -> str:
    """Write control characters and undecodable bytes as escapes, so that a name is one honest line."""
    raw = name.encode("utf-8", "surrogateescape") if any("\ud800" <= c <= "\udfff" for c in name) else None
    text = raw.decode("utf-8", "backslashreplace") if raw is not None else name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _web_address(relative: str) -> str:
    host, _, path = relative.partition("/")
    return f"https://{host.lower()}/{quote(os.fsencode(path))}"


def _walk(root: Path, real_root: Path, skips: list[Skip]) -> Iterable[tuple[str, str]]:
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
        for entry in _entries(folder, folder[base:] or str(root), skips):
            name = entry.path[base:].replace(os.sep, "/")
            try:
                kind = _kind(entry, real_root)
            except OSError as error:
                skips.append(_unreadable(name, error))
                continue
            if kind == "folder":
                pending.append(entry.path)
            elif kind == "file":
                found.append((entry.path, name))
            else:
                skips.append(Skip(printable(name), *kind))
    yield from sorted(found, key=lambda pair: os.fsencode(pair[1]))


def _entries(folder: str, name: str, skips: list[Skip]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted((e for e in entries if not e.name.startswith(".")), key=lambda e: os.fsencode(e.name))
    except PermissionError:
        skips.append(Skip(printable(name), "UNREADABLE", "the folder may not be listed: permission denied"))
    except OSError as error:
        skips.append(_unreadable(name, error))
    return []


def _kind(entry: os.DirEntry[str], real_root: Path) -> Literal["folder", "file"] | tuple[str, str]:
    """What stands there: a folder, a file, or why it is neither."""
    if entry.is_symlink():
        real = os.path.realpath(entry.path)
        if not os.path.lexists(real) or os.path.islink(real):  # a loop of links resolves to one of them
            return "NOT_A_FILE", "the link leads nowhere"
        if not Path(real).is_relative_to(real_root):
            return "LINK_OUTSIDE", "the link leads out of the folder, and is not followed"
    if entry.is_dir():
        return "folder"
    return "file" if entry.is_file() else ("NOT_A_FILE", "it is no file: a pipe, a socket or a device")


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
