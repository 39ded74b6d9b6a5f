"""A window of 32 KB over far more tables and prose: everything fits by default, or is refused before it costs."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.cli import Cli

PASSES = " ".join(f"The pass number {n} of City North costs ${n + 5} and holds for a day." for n in range(40))


HEAD = "| Station | Rides in 2023 | Rides in 2024 | Share |\n|---|---|---|---|\n"


def section(number: int) -> str:
    rows = "".join(f"| Station {number}-{n} | {n + 1},100 | {n + 2},100 | 7% |\n" for n in range(25))
    return f"\n## Section {number}\n\n{HEAD}{rows}\n{PASSES}\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes" / "notes.md"
    path.parent.mkdir()
    path.write_text("# City North passes\n" + "".join(map(section, range(60))))
    assert path.stat().st_size > 5 * 32_768
    return path.parent


def played(cli: Cli, notes: Path, window: int) -> tuple[int, dict[str, Any]]:
    reads = [
        {"calls": [{"tool": "read_public_source", "args": {"handle": "S1", "segment": n}}]} for n in (0, 1, 10, 20, 30)
    ]
    search = {"calls": [{"tool": "search_public_sources", "args": {"query": "pass of City North"}}]}
    script = cli.home / "script.jsonl"
    script.write_text("\n".join(map(json.dumps, [search, *reads])))
    asked = ("ask", "What does the pass of City North cost?", "--corpus", str(notes), "--json")
    done = cli(*asked, "--model", f"script:{script}", "--set", f"context/input-bytes={window}")
    return done.code, done.json


@pytest.mark.req("MOD-04", "GOV-03")
def test_a_window_of_32_kilobytes_alone_is_admitted_and_shows_each_read_whole(cli: Cli, notes: Path) -> None:
    _, report = played(cli, notes, 32_768)
    events = _events(cli)
    reserved = [event for event in events if event["type"] == "ModelCallReserved"]
    read = [event for event in events if event["type"] == "EvidenceRead"]
    assert len(read) == 5 and report["usage"]["reader/reads"]["used"] == 5
    assert not [event for event in events if event["type"] == "InputRefused"]
    assert any(event["dropped"] for event in reserved)  # the window was too small for all of them together
    for event in read:
        after = next(later for later in events[events.index(event) :] if later["type"] == "ModelCallReserved")
        assert event["call_id"] not in after["dropped"]


@pytest.mark.req("MOD-04", "GOV-03")
def test_a_window_that_holds_no_segment_is_refused_before_there_is_a_run(cli: Cli, notes: Path) -> None:
    code, report = played(cli, notes, 12_000)
    error = report["error"]
    assert code == 3 and isinstance(error, dict)
    assert error["policy"] == "context/input-bytes" and "tools, pinned part and one segment" in error["message"]
    assert error["hint"].startswith("set context/input-bytes to at least ")
    assert not _events(cli)


def _events(cli: Cli) -> list[dict[str, Any]]:
    path = cli.home / "data" / "counterfoil" / "counterfoil.db"
    if not path.exists():
        return []
    with sqlite3.connect(path) as database:
        rows = database.execute("select payload from events order by seq").fetchall()
    return [json.loads(row[0]) for row in rows]
