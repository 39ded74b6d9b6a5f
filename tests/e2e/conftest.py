from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.cli import Cli, Done


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cli, Done]]:
    """A question that was asked once, for tests that only look."""
    home = tmp_path_factory.mktemp("home")
    (home / "docs").mkdir()
    (home / "docs" / "pass.md").write_text("# City North\n\nThe City North day pass costs $18. It ends at midnight.\n")
    (home / "docs" / "other.txt").write_text("The harbour was rebuilt in 1987.\n")
    cli = Cli(home)
    yield cli, cli("ask", "How much does the City North day pass cost?", "--corpus", "docs", "--json")
