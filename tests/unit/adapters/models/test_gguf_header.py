from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.adapters.models.gguf_files import entry, model_file, text

from counterfoil.adapters.models.gguf_header import Header, read_header
from counterfoil.core.errors import UsageError


def test_name_and_window_are_read_from_the_file(tmp_path: Path) -> None:
    assert read_header(model_file(tmp_path)) == Header("Tiny", 4096)


def test_a_model_without_a_name_has_its_files(tmp_path: Path) -> None:
    path = model_file(tmp_path, 0, entry("general.architecture", "qwen2"), entry("qwen2.context_length", 9))
    assert read_header(path) == Header("tiny", 9)


@pytest.mark.parametrize("place", ["none.gguf", "."])
def test_a_missing_file_is_named(tmp_path: Path, place: str) -> None:
    with pytest.raises(UsageError, match="cannot be read") as refused:
        read_header(tmp_path / place)
    assert refused.value.code == "MODEL_FILE_MISSING"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "requires a buffer"),
        (b"%PDF-1.7" + b" " * 40, "does not begin as a GGUF"),
        (struct.pack("<4sIQQ", b"GGUF", 99, 0, 0), "version 2 or 3"),
        (struct.pack("<4sIQQ", b"GGUF", 3, 0, 0), "no context length"),
        (struct.pack("<4sIQQQ", b"GGUF", 3, 0, 1, 1 << 60), "a text of"),
        (struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + text("k") + struct.pack("<I", 77), "unknown kind 77"),
        (struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + text("k") + struct.pack("<IIQ", 9, 9, 1), "an array of 1"),
        (struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + text("k") + struct.pack("<IIQ", 9, 4, 1 << 40), "an array of"),
    ],
)
def test_a_broken_file_says_what_is_wrong(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=why) as refused:
        read_header(path)
    assert refused.value.code == "MODEL_FILE_INVALID"


@given(cut=st.integers(0, 150), flip=st.integers(0, 149), byte=st.integers(0, 255))
def test_no_damage_does_worse_than_a_usage_error(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flip: int, byte: int
) -> None:
    path = model_file(tmp_path_factory.mktemp("models"))
    content = bytearray(path.read_bytes())
    content[flip % len(content)] = byte
    path.write_bytes(bytes(content[:cut]))
    try:
        read_header(path)
    except UsageError as refused:
        assert refused.hint
