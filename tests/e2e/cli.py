"""Runs the command line as a person does: in a process of its own, over a small corpus, with a store of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

PROGRAM = "from counterfoil.entrypoints.cli.main import main; main()"
DEMO = Path(__file__).parents[2] / "src" / "counterfoil" / "data" / "demo"


class Done(msgspec.Struct, frozen=True):
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What ``--json`` printed: exactly one value."""
        return json.loads(self.out)


class Cli:
    """The command line with a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environ = {
            **{key: value for key, value in os.environ.items() if not key.startswith("COUNTERFOIL_")},
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_CONFIG_HOME": str(home / "config"),
        }

    def __call__(self, *args: str, **environ: str) -> Done:
        """Run one command in ``home``."""
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *args],
            cwd=self.home,
            env={**self.environ, **environ},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
