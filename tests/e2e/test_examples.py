"""Every example of the Python API runs as it stands, offline, and prints what its first lines promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "python"
PROMISED = {
    "ask.py": ["completed (extractive, no language model)", "48,610", "Annual Report 2024, page 3"],
    "compare_events.py": ["of 8 searches", "of 10 searches", "City South | included ride | 45 minutes | found"],
    "own_model.py": ["completed quotes the first hit, no language model", "costs $18"],
    "own_tool.py": [
        "c1 debited {'run/tool-calls': 1}",
        "c1 failed, STATION_UNKNOWN (not_found)",
        "c2 returned {'station': 'Central Station', 'free': 14}",
        "completed {'used': 4",
    ],
    "own_validator.py": ["rejected: {'code': 'SOURCE_UNWANTED'", "finished: True"],
    "resume.py": ["paused {'entry': 1, 'research': 2}", "completed {'entry': 1, 'research': 3}", "$18"],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that the examples share, so that the documents are indexed once."""
    return tmp_path_factory.mktemp("home")


def play(example: Path, home: Path) -> str:
    """What ``example`` prints, run as a person does but in a home of its own, where every warning is an error."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COUNTERFOIL_")}
    own = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")}
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-W", "error::RuntimeWarning", str(example)],
        cwd=home,
        env={**kept, **own, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.req("UX-02")
@pytest.mark.parametrize("name", sorted(PROMISED))
def test_an_example_does_what_it_says(home: Path, name: str) -> None:
    printed = play(FOLDER / name, home)
    assert [promise for promise in PROMISED[name] if promise not in printed] == []


def test_no_example_is_left_out() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.py")) == sorted(PROMISED)
