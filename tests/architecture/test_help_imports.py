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


def test_importing_the_package_loads_nothing_heavy_and_its_names_are_there() -> None:
    program = (
        "import sys, json, counterfoil; before = sorted(sys.modules); missing = "
        "[name for name in counterfoil.__all__ if getattr(counterfoil, name, None) is None]; "
        "print(json.dumps([before, missing, sorted(set(counterfoil.__all__) - set(dir(counterfoil)))]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules, missing, unlisted = json.loads(done.stdout)
    assert HEAVY & set(modules) == set()
    assert (missing, unlisted) == ([], [])
