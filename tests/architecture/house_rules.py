"""The house rules that a linter cannot see, as functions from a source tree to findings.

python tests/architecture/house_rules.py     prints what is over
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "counterfoil"
UNIT = ROOT / "tests" / "unit"

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
DOCSTRING_LINES_MAX = 6
MIRRORED = ("core", "host", "tools", "validators", "researcher", "sim")
PURE = ("core", "ports", "validators")
READS_FILES = frozenset({"open", "read_text", "read_bytes", "write_text", "write_bytes"})

LATE_READER = "a file format's library is loaded when a file of that kind is read: a warm question reads none"
SDK = "a provider's library is optional and takes a second to load: only the first request needs it"
LATE_WIRING = "light commands stay light: heavy adapters are loaded by the command that needs them"
# Modules with imports inside functions, each with its reason. Anything else imports at its top.
LATE_IMPORTS = {
    "__init__.py": "a public name is loaded when it is used: `import counterfoil` and --help stay light",
    "wiring/checks.py": LATE_WIRING,
    "wiring/documents.py": LATE_WIRING,
    "wiring/hosts.py": LATE_WIRING,
    "wiring/limits.py": LATE_WIRING,
    "wiring/metering.py": LATE_WIRING,
    "wiring/models.py": LATE_WIRING,
    "wiring/simulation.py": LATE_WIRING,
    "wiring/stores.py": LATE_WIRING,
    "adapters/models/gguf.py": "an optional extra of a hundred megabytes: only when a local model is asked",
    "adapters/readers/docx.py": LATE_READER,
    "adapters/readers/html.py": LATE_READER,
    "adapters/readers/load.py": LATE_READER,
    "adapters/readers/markdown.py": LATE_READER,
    "adapters/readers/pdf/reader.py": LATE_READER,
    "adapters/readers/sheet.py": LATE_READER,
    "adapters/models/anthropic.py": SDK,
    "adapters/models/connection.py": SDK,
    "adapters/models/direct.py": SDK,
    "adapters/models/google.py": SDK,
    "adapters/models/keys.py": "the keyring is optional, and asked only when neither environment nor file has a key",
    "adapters/models/openai.py": SDK,
    "adapters/models/prices.py": SDK,
    "adapters/corpus/rerank.py": "an optional extra, and half a second to load: only when a search wants it",
    "adapters/stores/migrate.py": "migrations are loaded only by a store that is new or old",
    "researcher/offline.py": "a check asks only for its name and price: its grammar is loaded by its first turn",
    "entrypoints/cli/audit.py": "a renderer is loaded for the form that is asked for: HTML brings a Markdown parser",
    "entrypoints/cli/check.py": "a check without a task file parses no YAML, and answers in a fifth of a second",
    "entrypoints/cli/commands.py": "--help loads no command",
    "entrypoints/cli/out.py": "a renderer is loaded by the command that writes its format",
    "entrypoints/cli/proxy.py": "the web server is an optional extra",
    "entrypoints/cli/progress.py": "rich is loaded only when there is a terminal to draw on",
}
# Modules whose docstring may be longer, each with its reason.
LONG_DOCSTRINGS = {
    "core/errors.py": "opens with the tree of its classes",
}
# Modules tested through another one, each with the test that does it.
MIRRORED_ELSEWHERE: dict[str, str] = {
    "researcher/turns.py": "tests/unit/researcher/test_offline.py asks for turns through the model port",
}


def sources() -> list[Path]:
    """Every module of the package."""
    return sorted(SRC.rglob("*.py"))


def name_of(path: Path) -> str:
    """A module's path inside the package."""
    return path.relative_to(SRC).as_posix()


def parsed(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def long_files(paths: list[Path]) -> Iterator[str]:
    """Files over ``FILE_LINES_MAX`` lines."""
    for path in paths:
        lines = len(path.read_text("utf-8").splitlines())
        if lines > FILE_LINES_MAX:
            yield f"{path.name}: {lines} lines, at most {FILE_LINES_MAX}"


def long_functions(path: Path) -> Iterator[str]:
    """Functions over ``FUNCTION_LINES_MAX`` lines."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                yield f"{name_of(path)}:{node.lineno}: {node.name}() has {lines} lines, at most {FUNCTION_LINES_MAX}"


def docstring_faults(path: Path) -> Iterator[str]:
    """Modules without a docstring, or with one that is too long to be read."""
    docstring = ast.get_docstring(parsed(path))
    name = name_of(path)
    if not docstring:
        yield f"{name}: no module docstring; say what it owns and what it must never do"
    elif len(docstring.splitlines()) > DOCSTRING_LINES_MAX and name not in LONG_DOCSTRINGS:
        yield f"{name}: its docstring has {len(docstring.splitlines())} lines, at most {DOCSTRING_LINES_MAX}"


def late_imports(path: Path) -> Iterator[str]:
    """Imports inside functions, unless the module is listed with a reason."""
    if name_of(path) in LATE_IMPORTS:
        return
    for function in ast.walk(parsed(path)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield f"{name_of(path)}:{node.lineno}: import inside {function.name}()"


def file_access(path: Path) -> Iterator[str]:
    """Files opened where there must be no I/O."""
    if name_of(path).split("/")[0] not in PURE:
        return
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if called in READS_FILES:
                yield f"{name_of(path)}:{node.lineno}: {called}() in a pure layer"


def missing_mirrors(paths: list[Path]) -> Iterator[str]:
    """Modules of the mirrored layers that have behaviour and no unit test of the same name."""
    for path in paths:
        name = name_of(path)
        if name.split("/")[0] not in MIRRORED or name in MIRRORED_ELSEWHERE or not has_behaviour(path):
            continue
        mirror = UNIT / Path(name).parent / f"test_{path.stem.rstrip('_')}.py"
        if not mirror.exists():
            yield f"{name}: no {mirror.relative_to(ROOT)}"


def has_behaviour(path: Path) -> bool:
    """Whether a module has a function; constants and plain structs are covered by those who use them."""
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(parsed(path)))


def findings() -> Iterator[str]:
    """Everything that is over."""
    yield from long_files([*sources(), *sorted((ROOT / "tests").rglob("*.py"))])
    for path in sources():
        for rule in (long_functions, docstring_faults, late_imports, file_access):
            yield from rule(path)
    yield from missing_mirrors(sources())


if __name__ == "__main__":
    found = list(findings())
    print("\n".join([*found, f"{len(found)} findings"]))
