from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.adapters.readers.spans import LIMITS, checked, whole

from counterfoil.adapters.readers.text import TextReader
from counterfoil.core.errors import DocumentUnreadable

GERMAN = "Größe und Übermaß: 1.234,56 Euro im Straßenverkehr, täglich geprüft.\n" * 6
CHINESE = "东京都的人口约为一千四百万人。这是第二句话。\n" * 6


@pytest.mark.req("WEB-05")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_german_text_survives_every_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(GERMAN.encode(encoding))
    assert "Größe und Übermaß: 1.234,56 Euro im Straßenverkehr" in whole(checked(TextReader().read(str(path), LIMITS)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030"])
def test_chinese_text_survives(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(CHINESE.encode(encoding))
    assert "东京都的人口约为一千四百万人。" in whole(checked(TextReader().read(str(path), LIMITS)))


def test_a_form_feed_parts_segments_and_long_text_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("First page here.\fSecond page. " + "A sentence of some length stands here. " * 200)
    document = checked(TextReader().read(str(path), LIMITS))
    assert document.segments[0].text == "First page here."
    assert len(document.segments) > 5


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "EMPTY"), (b" \n\t ", "EMPTY"), (bytes(range(256)) * 40, "CORRUPT"), (b"x" * 5_000_001, "TOO_LARGE")],
)
def test_files_without_usable_text_say_why(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(DocumentUnreadable) as caught:
        TextReader().read(str(path), LIMITS)
    assert caught.value.code == code
    assert len(caught.value.message) > 10


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(DocumentUnreadable) as caught:
        TextReader().read(str(tmp_path / "gone.txt"), LIMITS)
    assert caught.value.code == "UNREADABLE"
