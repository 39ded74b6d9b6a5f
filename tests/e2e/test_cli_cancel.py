"""Ctrl-C ends a Run honestly: exit 130, settled as cancelled, kept in the ledger."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.cli import DEMO, PROGRAM, Cli


@pytest.mark.req("LED-09")
def test_interrupting_settles_the_run_as_cancelled(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    question = ["ask", "How much is the three-day pass?", "--corpus", str(DEMO / "documents"), "--json"]
    command = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *question],
        cwd=tmp_path,
        env=cli.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stderr is not None
    for line in command.stderr:
        if line.startswith("admitted"):
            command.send_signal(signal.SIGINT)
            break
    out, _ = command.communicate(timeout=120)
    assert command.returncode == 130
    report = json.loads(out)
    assert (report["status"], report["stop_reason"]) == ("cancelled", "cancelled")
    assert cli("runs", "--json").json[0]["status"] == "cancelled"
    assert cli("verify", "last").code == 0
