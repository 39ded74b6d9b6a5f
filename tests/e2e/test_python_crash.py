"""A process that dies around a call of a user's function: the debit stands, and only what may be is repeated."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.entrypoints.python.desk import pages

PROGRAM = """
import sys
from pathlib import Path
from counterfoil import SyncHost
from counterfoil.core.exchange import CallDraft
from tests.unit.entrypoints.python.desk import QUESTION, STEPS, Walker

home, effect, run = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
model = Walker(CallDraft("buy", {"what": "a pass"}), *STEPS)
with SyncHost(corpus=[home / "docs"], model=model, store=home / "runs.db") as host:

    @host.tool(effect=effect)
    def buy(what: str) -> str:
        "Buy something."
        with (home / "bought").open("a") as file:
            file.write(what + "\\n")
        return "bought"

    report = host.resume(run[0]) if run else host.ask(QUESTION, lambda event: (home / "run").write_text(event.run_id))
    print(report.status, report.usage["run/tool-calls"]["used"])
"""


@pytest.mark.slow
@pytest.mark.req("LED-02", "LED-03", "LED-05")
@pytest.mark.parametrize("effect", ["once", "repeatable"])
@pytest.mark.parametrize("commit", [2, 3, 4])
def test_killed_before_a_commit_and_resumed(tmp_path: Path, effect: str, commit: int) -> None:
    pages(tmp_path)
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")}
    bought = tmp_path / "bought"

    def play(*run: str, **environ: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", PROGRAM, str(tmp_path), effect, *run]
        environ = {**os.environ, **folders, **environ}
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=300, check=False)

    assert play(COUNTERFOIL_CRASH_AT=str(commit)).returncode == -signal.SIGKILL
    assert bought.exists() == (commit > 2)  # it is called only once its debit is durable
    done = play((tmp_path / "run").read_text())
    assert done.returncode == 0, done.stderr
    times = len(bought.read_text().splitlines())
    status, debits = done.stdout.split()
    assert status == "completed"
    assert times == (2 if commit == 3 and effect == "repeatable" else 1)  # its receipt was in the third commit
    assert int(debits) == 2 + times
