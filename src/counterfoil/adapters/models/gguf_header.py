"""Owns the first page of a GGUF model file: what the model is called and how many tokens it can take in.

The layout is ggml's docs/gguf.md, versions 2 and 3. Never: loading the model.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

import msgspec

from counterfoil.core.errors import UsageError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
TEXT_BYTES_MAX = 1 << 24  # a longer text, or more entries than this, is a broken length
_TEXT, _ARRAY = 8, 9
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


class Header(msgspec.Struct, frozen=True):
    """``window_tokens``: prompt and reply together, as the model was trained."""

    name: str
    window_tokens: int


def read_header(path: Path) -> Header:
    """What the file says of its model.

    Raises:
        UsageError: there is no such file, or it is not a model that can be loaded.
    """
    try:
        with path.open("rb") as file:
            return _header(file, path.stem)
    except OSError as wrong:
        why = f"the model file {path} cannot be read: {wrong.strerror or wrong}"
        raise UsageError(why, code="MODEL_FILE_MISSING", hint="name a .gguf file: --model gguf:PATH") from wrong
    except (ValueError, struct.error) as wrong:
        why = f"{path} is no model file that can be used: {wrong}"
        raise UsageError(why, code="MODEL_FILE_INVALID", hint="name a complete GGUF file") from wrong


def _header(file: BinaryIO, stem: str) -> Header:
    magic, version, _tensors, entries = struct.unpack("<4sIQQ", file.read(24))
    if magic != MAGIC or version not in VERSIONS:
        raise ValueError("it does not begin as a GGUF file of version 2 or 3 does")
    found: dict[str, object] = {}
    for _ in range(min(entries, TEXT_BYTES_MAX)):
        key = _text(file)
        found[key] = _value(file, *struct.unpack("<I", file.read(4)))
        window = found.get(f"{found.get('general.architecture')}.context_length")
        if isinstance(window, int) and window > 0 and ("general.name" in found or not key.startswith("general.")):
            return Header(str(found.get("general.name") or stem), window)
    raise ValueError("it names no context length, so it is not a language model")


def _text(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > TEXT_BYTES_MAX:
        raise ValueError(f"a text of {length} bytes in its header")
    return file.read(length).decode("utf-8", "replace")


def _value(file: BinaryIO, kind: int) -> object:
    """A value; what stands in arrays is passed over."""
    if kind == _TEXT:
        return _text(file)
    if kind != _ARRAY:
        return _number(file, kind)
    item, count = struct.unpack("<IQ", file.read(12))
    if count > TEXT_BYTES_MAX or item == _ARRAY:
        raise ValueError(f"an array of {count} entries of kind {item} in its header")
    for _ in range(count):
        _value(file, item)
    return None


def _number(file: BinaryIO, kind: int) -> object:
    if kind not in _NUMBERS:
        raise ValueError(f"a value of unknown kind {kind} in its header")
    form = f"<{_NUMBERS[kind]}"
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]
