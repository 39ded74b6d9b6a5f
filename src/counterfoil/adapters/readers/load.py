"""Owns getting bytes and text out of a file safely: size limits, encodings, archives that would burst.

Never: any format's structure. Whatever stands in the way becomes ``DocumentUnreadable`` with a sentence.
"""

from __future__ import annotations

import codecs
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from counterfoil.core.errors import DocumentUnreadable
from counterfoil.ports.reader import ReadLimits

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 256_000  # from which an undeclared encoding is told; the whole text is decoded with it
_BINARY_SHARE = 0.02  # of control characters: text has next to none
_UNPACKED_FACTOR = 12  # an office file may unpack to this many times the size limit of files, and no more
_UNPACKED_MIN = 200_000_000  # what any office file may unpack to, however small the size limit is set
_RATIO_MAX = 500  # per member, once it is large; ordinary XML packs 10 to 50 times
_RATIO_FROM_BYTES = 20_000_000  # below this a burst does no harm
_ERRNO_TEXT: Mapping[type[OSError], tuple[str, str]] = {
    FileNotFoundError: ("the file is gone", "look where it went"),
    PermissionError: ("the file may not be opened: permission denied", "change its permissions"),
    IsADirectoryError: ("it is a folder, not a file", "rename it, or leave it"),
}


def read_bytes(path: str, limits: ReadLimits) -> bytes:
    """Return the file's bytes; raise ``DocumentUnreadable`` when it is empty, too large or closed to us."""
    try:
        size = Path(path).stat().st_size
        if size > limits.file_bytes_max:
            raise too_large(size, limits)
        data = Path(path).read_bytes()
    except OSError as error:
        otherwise = (f"the file cannot be opened: {error.strerror}", "check the disk that it is on")
        message, hint = _ERRNO_TEXT.get(type(error), otherwise)
        raise DocumentUnreadable(message, code="UNREADABLE", hint=hint) from error
    if not data.strip():
        raise empty()
    return data


def too_large(size: int, limits: ReadLimits) -> DocumentUnreadable:
    """Return the error for a file above the size limit."""
    return DocumentUnreadable(
        f"the file holds {size:,} bytes, more than the {limits.file_bytes_max:,} that are read",
        code="TOO_LARGE",
        hint="split the file, or raise the limit",
    )


def empty() -> DocumentUnreadable:
    """Return the error for a file without any text."""
    return DocumentUnreadable("the file holds no text", code="EMPTY", hint="leave it, or write the text into it")


def corrupt(kind: str, why: object) -> DocumentUnreadable:
    """Return the error for a file that is not what its name says, or damaged."""
    reason = " ".join(str(why).split())[:160]
    return DocumentUnreadable(f"it cannot be read as {kind}: {reason}", code="CORRUPT", hint="open and save it again")


def decode(data: bytes, declared: str | None = None) -> str:
    """Return the text of ``data``: byte-order mark, UTF-8, UTF-16 without mark, declared, then detection."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _normal(data.decode(encoding, "replace"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = _decode_other(data, declared)
    else:
        if "\x00" in text:
            text = _decode_other(data, declared)
    if text[:10_000].count("\x00") + _controls(text[:10_000]) > len(text[:10_000]) * _BINARY_SHARE:
        raise corrupt("text", "it holds binary data")
    return _normal(text)


def _decode_other(data: bytes, declared: str | None) -> str:
    wide = _wide_encoding(data)
    if wide:
        return data.decode(wide, "replace")
    if declared:
        try:
            return data.decode(declared)
        except (LookupError, UnicodeDecodeError):
            pass  # the declaration is wrong: detection decides
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE_BYTES]).best()
    encoding = best.encoding if best is not None else "cp1252"
    return data.decode(encoding, "replace")


def _wide_encoding(data: bytes) -> str | None:
    """Tell UTF-16 without a mark by where its zero bytes stand."""
    sample = data[:4_000]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > half * 0.3 and even < half * 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.3 and odd < half * 0.05 else None


def _controls(text: str) -> int:
    return sum(1 for c in text if ord(c) < 32 and c not in "\t\n\r\f\x00\x1b\x0b")


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def check_archive(data: bytes, kind: str, limits: ReadLimits) -> None:
    """Refuse an office archive that is broken, or unpacks to far more than it should."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise corrupt(kind, error) from error
    if any(m.flag_bits & 1 for m in members):
        raise DocumentUnreadable("the file is protected with a password", code="ENCRYPTED", hint="save it without one")
    total = sum(m.file_size for m in members)
    burst = any(m.file_size > _RATIO_FROM_BYTES and m.file_size > _RATIO_MAX * max(1, m.compress_size) for m in members)
    if burst or total > max(_UNPACKED_MIN, _UNPACKED_FACTOR * limits.file_bytes_max):
        raise DocumentUnreadable(
            f"the file unpacks to {total:,} bytes, which no ordinary document does",
            code="ARCHIVE_BOMB",
            hint="open it where it can do no harm, and save what you need of it",
        )
