"""The house rules hold, and the documents match the code."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


rules = _load(ROOT / "tests" / "architecture" / "house_rules.py")
diagrams = _load(ROOT / "docs" / "make_diagrams.py")
reference = _load(ROOT / "docs" / "make_reference.py")


def test_files_stay_short() -> None:
    assert list(rules.long_files([*rules.sources(), *sorted((ROOT / "tests").rglob("*.py"))])) == []


@pytest.mark.parametrize("rule", ["long_functions", "docstring_faults", "late_imports", "file_access"])
def test_every_module_keeps_the_rule(rule: str) -> None:
    assert [finding for path in rules.sources() for finding in getattr(rules, rule)(path)] == []


def test_unit_tests_mirror_the_source() -> None:
    assert list(rules.missing_mirrors(rules.sources())) == []


def test_lists_of_exceptions_name_modules_that_exist() -> None:
    named = [*rules.LATE_IMPORTS, *rules.LONG_DOCSTRINGS, *rules.MIRRORED_ELSEWHERE]
    assert [name for name in named if not (rules.SRC / name).exists()] == []


def test_the_rules_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SRC", tmp_path)
    bad = tmp_path / "core" / "bad.py"
    bad.parent.mkdir()
    bad.write_text("def f():\n    import os\n    return open('x')\n" + "    x = 1\n" * 70)
    assert len(list(rules.long_functions(bad))) == 1
    assert len(list(rules.docstring_faults(bad))) == 1
    assert len(list(rules.late_imports(bad))) == 1
    assert len(list(rules.file_access(bad))) == 1
    assert len(list(rules.missing_mirrors([bad]))) == 1


def test_architecture_page_names_every_package() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    packages = {path.parent.relative_to(rules.SRC).as_posix() for path in rules.SRC.rglob("__init__.py")} - {"."}
    assert sorted(package for package in packages if f"`{package}/`" not in page) == []


def test_phase_diagram_is_drawn_from_the_moves() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    assert diagrams.with_diagram(page) == page, "run `make docs`"


def test_lock_files_name_no_host_and_no_path() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.lock")):
        assert [line for line in lock.read_text().splitlines() if "://" in line or line.startswith(("-", "/"))] == []


def test_lock_files_hold_every_dependency() -> None:

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {spec.split(">")[0].split("=")[0].strip().lower() for spec in project["dependencies"]}
    for name in ("base.lock", "dev.lock"):
        locked = {
            line.split("==")[0] for line in (ROOT / "requirements" / name).read_text().splitlines() if "==" in line
        }
        assert sorted(names - locked) == [], f"{name}: run `make lock`"


@pytest.mark.req("GOV-01")
def test_the_reference_is_what_the_code_says() -> None:
    stale = [page.name for page, text in reference.pages() if not page.exists() or page.read_text("utf-8") != text]
    assert stale == [], "run `make docs`"
