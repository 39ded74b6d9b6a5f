"""Names that are no text, not there, or given twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.e2e.cli import Cli

QUESTION = "How much does the City North day pass cost?"
BROKEN = os.fsdecode(b"bad\xff")


def _folder(home: Path, name: str = "docs", file: str = "pass.md") -> None:
    (home / name).mkdir()
    (home / name / file).write_text("# City North\n\nThe City North day pass costs $18.\n")


@pytest.mark.parametrize(
    "args",
    [
        [BROKEN, "--corpus", "docs"],
        [QUESTION, "--corpus", "docs", "--row", BROKEN],
        [QUESTION, "--corpus", "docs", "--field", BROKEN],
        [QUESTION, "--corpus", "docs", "--model", BROKEN],
        [QUESTION, "--corpus", ""],
        [QUESTION, "--corpus", "docs", "--row", "A", "--row", "A"],
        [QUESTION, "--corpus", "docs", "--field", "a", "--field", "a:money"],
    ],
)
def test_arguments_that_cannot_be_understood(cli: Cli, args: list[str]) -> None:
    _folder(cli.home)
    done = cli("ask", *args)
    assert (done.code, done.err.count("counterfoil: ")) == (2, 1)
    assert "Traceback" not in done.err
    assert cli("runs", "--json").json == []


def test_half_a_character_in_a_task_file_is_refused(cli: Cli) -> None:
    _folder(cli.home)
    (cli.home / "t.yaml").write_text('question: "what \\ud800"\ncorpus: [docs]\n')
    done = cli("run", "t.yaml")
    assert done.code == 2
    assert "t.yaml, line 1" in done.err


def test_a_folder_and_a_file_whose_names_are_no_text_work_and_resume(cli: Cli) -> None:
    _folder(cli.home, BROKEN, f"{BROKEN}.md")
    asked = cli("ask", QUESTION, "--corpus", BROKEN, COUNTERFOIL_CRASH_AT="6")
    assert asked.code == -9
    resumed = cli("resume", "last")
    assert (resumed.code, "$18" in resumed.out) == (0, True)
    assert cli("ask", QUESTION, "--corpus", BROKEN, "--json").json["status"] == "completed"


def test_a_row_bound_to_a_document_that_is_not_there_is_refused(cli: Cli) -> None:
    _folder(cli.home)
    (cli.home / "t.yaml").write_text("question: price\ncorpus: [docs]\nrows: {North: {docs: [pass.md, nope.md]}}\n")
    done = cli("run", "t.yaml")
    assert done.code == 3
    assert "nope.md" in done.err and "DOCS_UNKNOWN" in done.err


def test_what_was_skipped_or_warned_of_stands_in_the_report(cli: Cli) -> None:
    _folder(cli.home)
    (cli.home / "docs" / "link.md").symlink_to("/etc/hostname")
    (cli.home / "docs" / "deep.html").write_text(f"<p>Harbour.</p>{'<div>' * 600}<p>Deep.</p>{'</div>' * 600}")
    warned = cli("ask", QUESTION, "--corpus", "docs", "--json").json["warnings"]
    assert {w["code"] for w in warned} == {"LINK_OUTSIDE", "READER_WARNING"}
