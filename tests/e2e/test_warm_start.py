"""A question over documents that are indexed already loads no file format's library."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.e2e.cli import DEMO, Cli

FORMATS = {"trafilatura", "lxml", "docx", "python_calamine", "pypdfium2", "charset_normalizer", "markdown_it"}
PROGRAM = """
import json, sys
from counterfoil.entrypoints.cli.main import run
code = run(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def loaded(cli: Cli, *args: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *args],
        cwd=cli.home,
        env=cli.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code in (0, 10), done.stderr
    return FORMATS & set(modules)


def test_a_warm_question_loads_no_reader_library(cli: Cli) -> None:
    question = ("ask", "How much does the City North day pass cost?", "--json", "--corpus")
    cli(*question, str(DEMO / "documents"))
    assert loaded(cli, *question, str(DEMO / "documents")) == set()
    (cli.home / "page.html").write_text("<body><p>The City North day pass costs $18.</p></body>")
    assert {"lxml", "trafilatura"} <= loaded(cli, *question, "page.html")
