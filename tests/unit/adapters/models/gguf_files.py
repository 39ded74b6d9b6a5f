"""The first page of model files, for tests."""

from __future__ import annotations

import struct
from pathlib import Path


def text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def entry(key: str, value: str | int | list[str]) -> bytes:
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    if isinstance(value, int):
        return text(key) + struct.pack("<II", 4, value)
    return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))


def model_file(folder: Path, window: int = 4096, *entries: bytes) -> Path:
    """A file that begins as a model does, and holds none."""
    written = entries or (
        entry("general.architecture", "llama"),
        entry("tokenizer.ggml.tokens", ["a", "b"]),
        entry("general.name", "Tiny"),
        entry("llama.context_length", window),
    )
    path = folder / "tiny.gguf"
    path.write_bytes(struct.pack("<4sIQQ", b"GGUF", 3, 0, len(written)) + b"".join(written))
    return path
