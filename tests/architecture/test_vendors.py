"""A provider's library is named in one file, and none is loaded by a command that asks no provider."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.architecture.house_rules import name_of, parsed, sources

HOME = {
    "pydantic_ai": "adapters/models/direct.py",
    "openai": "adapters/models/openai.py",
    "anthropic": "adapters/models/anthropic.py",
    "google": "adapters/models/google.py",
    "genai_prices": "adapters/models/prices.py",
    "keyring": "adapters/models/keys.py",
}
PROGRAM = """
import json, sys
from counterfoil.entrypoints.cli.main import run
code = run(sys.argv[1:])
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


def libraries(module: ast.Module) -> set[str]:
    """The top-level packages that a module imports, wherever it does."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize(("library", "home"), HOME.items())
def test_a_library_of_a_provider_is_named_in_one_file(library: str, home: str) -> None:
    assert [name_of(path) for path in sources() if library in libraries(parsed(path))] == [home]


@pytest.mark.parametrize("spec", ["offline", "openai:gpt-5-mini", "openai-compatible:x@http://localhost:9"])
def test_a_check_loads_no_library_of_a_provider_and_prices_only_where_there_are_any(spec: str, tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path), "COUNTERFOIL_MODEL": spec, "OPENAI_API_KEY": "sk-not-a-real-key"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "check"], capture_output=True, text=True, check=True, cwd=tmp_path, env=environ
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stdout
    light = HOME.keys() - {"google"}  # a name that others share
    assert light & set(modules) == (set() if spec == "offline" else {"genai_prices"})
