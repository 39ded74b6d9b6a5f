"""Marks name requirements that exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.architecture import requirements_report
from tests.architecture.requirements_report import listed, proven


def test_every_mark_names_a_listed_requirement() -> None:
    assert len(listed()) > 80
    assert len(proven()) > 20
    assert sorted(proven().keys() - listed().keys()) == []


def test_a_mark_without_a_requirement_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements_report, "ROOT", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("@pytest.mark." + 'req("XYZ-99", "LED-01")\ndef test_a(): ...\n')
    assert proven() == {"XYZ-99": {"test_a.py"}, "LED-01": {"test_a.py"}}
    assert "XYZ-99" in requirements_report.report()
