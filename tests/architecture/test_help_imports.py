"""``counterfoil --help`` answers at once: it loads neither HTTP, SQL, web code, readers nor rich."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"httpx2", "sqlalchemy", "alembic", "trafilatura", "lxml", "rich", "pypdfium2", "docx", "asyncio", "sqlite3"}
PROGRAM = """
import json, sys
from counterfoil.entrypoints.cli.main import run
code = run(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


@pytest.mark.parametrize("args", [["--help"], [], ["--version"], ["frobnicate"]])
def test_help_loads_nothing_heavy(args: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *args], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == (2 if args == ["frobnicate"] else 0)
    assert HEAVY & set(modules) == set()
