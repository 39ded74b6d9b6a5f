from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.entrypoints.python.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A place of its own for settings, index and documents."""
    for kind in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    for name in ("MODEL", "STORE", "SET", "INDEX", "VOCABULARIES"):
        monkeypatch.delenv(f"COUNTERFOIL_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)
