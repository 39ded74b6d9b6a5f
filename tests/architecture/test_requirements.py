"""Marks name requirements that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_mark_names_a_listed_requirement() -> None:
    known = {
        line.split()[0] for line in (ROOT / "docs" / "requirements.txt").read_text().splitlines() if line[:1].isupper()
    }
    marks = re.compile(r"mark\.req\(([^)]*)\)")
    named = {
        identifier
        for path in (ROOT / "tests").rglob("test_*.py")
        for mark in marks.findall(path.read_text("utf-8"))
        for identifier in re.findall(r"[A-Z]+-\d{2}", mark)
    }
    assert len(known) > 80
    assert sorted(named - known) == []
