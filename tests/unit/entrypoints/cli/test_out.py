from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from counterfoil.adapters.render.paper import Paper
from counterfoil.core.errors import UsageError, WriteFailed
from counterfoil.entrypoints.cli.out import check_out, write_report

PAPER = Paper(report={"question": "q", "status": "completed", "run_id": "r1", "head": "abc"})


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.json", "A.HTML"])
def test_the_suffix_chooses_the_format(tmp_path: Path, name: str) -> None:
    path = check_out(str(tmp_path / name))
    assert path is not None
    write_report(path, PAPER)
    text = path.read_text("utf-8")
    assert {".md": text[:2] == "# ", ".html": text.startswith("<!doctype html>"), ".json": text[0] == "{"}[
        path.suffix.lower()
    ]


def test_no_out_is_no_file() -> None:
    assert check_out(None) is None


@pytest.mark.parametrize("name", ["a.pdf", "a", "a.html.txt", "missing/a.html"])
def test_what_cannot_be_written_is_refused_before_any_work(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        check_out(str(tmp_path / name))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder.html"
    folder.mkdir()
    with pytest.raises(UsageError, match="folder"):
        check_out(str(folder))


def test_an_old_report_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    write_report(path, PAPER)
    assert json.loads(path.read_text()) == PAPER.report
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def test_a_failed_write_keeps_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(WriteFailed, match="No space left"):
        write_report(path, PAPER)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def test_a_folder_that_may_not_be_looked_into_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", closed)
    with pytest.raises(UsageError) as caught:
        check_out("/closed/x.html")
    assert (caught.value.code, caught.value.exit_code) == ("OUT_NOT_WRITABLE", 2)
