"""Closed, full and interrupted: what a shell can do to a command's streams costs no Run and shows no traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.cli import PROGRAM, Cli, Done

QUESTION = "How much does the City North day pass cost?"
FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full and a POSIX shell")


def _shell(cli: Cli, args: list[str], redirection: str) -> Done:
    command = shlex.join([sys.executable, "-c", PROGRAM, *args])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} {redirection}"],
        cwd=cli.home,
        env=cli.environ,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def folder(cli: Cli) -> Cli:
    (cli.home / "docs").mkdir()
    (cli.home / "docs" / "pass.md").write_text("# City North\n\nThe City North day pass costs $18.\n")
    return cli


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_the_answer_needs_no_stderr(folder: Cli, redirection: str) -> None:
    done = _shell(folder, ["ask", QUESTION, "--corpus", "docs"], redirection)
    assert done.code == 0
    assert "$18" in done.out
    assert "Traceback" not in done.err
    assert folder("verify", "last").code == 0


@pytest.mark.parametrize(("redirection", "as_json"), [(">&-", []), (">/dev/full", []), (">/dev/full", ["--json"])])
def test_an_answer_that_cannot_be_printed_is_kept(folder: Cli, redirection: str, as_json: list[str]) -> None:
    done = _shell(folder, ["ask", QUESTION, "--corpus", "docs", *as_json], redirection)
    assert done.code == 1
    assert done.err.count("counterfoil: ") == 1
    assert "counterfoil show last" in done.err
    assert "Traceback" not in done.err and "Exception ignored" not in done.err
    assert "$18" in folder("show", "last").out


@pytest.mark.parametrize("args", [["--help"], ["runs"], ["ask", "", "--json"], ["doctor", "--json"]])
@pytest.mark.parametrize("redirection", [">&- 2>&-", ">/dev/full", ">/dev/full 2>/dev/full"])
def test_no_command_shows_a_traceback(cli: Cli, args: list[str], redirection: str) -> None:
    done = _shell(cli, args, redirection)
    assert done.code in (1, 2)
    assert "Traceback" not in done.err and "Exception ignored" not in done.err
