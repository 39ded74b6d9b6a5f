"""Bad input: a clear error or a named skip, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.cli import Cli, Done

from counterfoil.entrypoints.cli.main import run

pytestmark = pytest.mark.req("UX-06")


Here = Callable[..., Done]


@pytest.fixture(name="here")
def here_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Here:
    """The command line in this process: the same function that the console script calls."""
    monkeypatch.chdir(tmp_path)
    for key, value in Cli(tmp_path).environ.items():
        monkeypatch.setenv(key, value)

    def call(*args: str) -> Done:
        capsysbinary.readouterr()
        code = run(args)
        out, err = capsysbinary.readouterr()
        return Done(code, out.decode("utf-8"), err.decode("utf-8"))

    return call


def corpus(home: Path) -> None:
    (home / "docs").mkdir()
    (home / "docs" / "pass.md").write_text("The City North day pass costs $18.\n")


def refused(done: Done, code: int) -> str:
    """The message of a refusal that was told in JSON."""
    assert done.code == code, done.out + done.err
    error = done.json["error"]
    assert list(error) == ["code", "policy", "message", "hint"]
    assert error["hint"]
    return str(error["message"])


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["ask", "q", "--corpus", "missing"], 3, "missing"),
        (["ask", "q"], 3, "nothing to search"),
        (["ask", "q", "--corpus", "docs", "--frobnicate"], 2, "--frobnicate"),
        (["ask", "q", "--corpus", "docs", "--set", "run/nonsense=5"], 2, "run/nonsense"),
        (["ask", "q", "--corpus", "docs", "--set", "web/searches"], 2, "web/searches"),
        (["ask", "q", "--corpus", "docs", "--set", "run/model-requests=5"], 3, "run/model-requests"),
        (["ask", "q", "--corpus", "docs", "--set", "web/searches=100000"], 3, "hard maximum"),
        (["ask", "q", "--corpus", "docs", "--model", "gpt-99"], 2, "gpt-99"),
        (["ask", "q", "--corpus", "docs", "--out", "a.pdf"], 2, ".pdf"),
        (["ask", "q", "--corpus", "docs", "--out", "docs"], 2, "folder"),
        (["ask", "q", "--corpus", "docs", "--as-of", "yesterday"], 2, "yesterday"),
        (["ask", "q", "--corpus", "docs", "--tz", "Mars"], 2, "Mars"),
        (["ask", "q", "--corpus", "docs", "--field", "p:cash"], 2, "cash"),
        (["ask", "q", "--corpus", "docs", "--kind", "chat"], 2, "chat"),
        (["ask", "", "--corpus", "docs"], 2, "empty"),
        (["ask"], 2, "QUESTION"),
        (["aks", "q"], 2, "ask"),
        (["run", "missing.yaml"], 2, "missing.yaml"),
        (["show", "nothing"], 1, "no Runs"),
        (["verify", "nothing"], 1, "no Runs"),
        (["trace", "nothing"], 1, "no Runs"),
    ],
)
def test_bad_arguments(here: Here, args: list[str], code: int, said: str) -> None:
    corpus(Path.cwd())
    assert said in refused(here(*args, "--json"), code)
    told = here(*args)
    assert told.code == code
    assert told.out == ""
    assert told.err.count("\n  why:") == 1
    assert "\n  next: " in told.err
    assert "Traceback" not in told.err


def test_the_reserve_that_does_not_fit_is_named_with_what_would(cli: Cli) -> None:
    corpus(cli.home)
    error = cli("ask", "q", "--corpus", "docs", "--set", "run/model-requests=5", "--json").json["error"]
    assert error["policy"] == "run/model-requests"
    assert "run/finalization-request-reserve" in error["message"]
    assert "at least" in error["hint"]


def test_bad_yaml_is_told_with_line_and_column(cli: Cli) -> None:
    (cli.home / "task.yaml").write_text("question: q\nrows: [A\nfields: x\n")
    message = refused(cli("run", "task.yaml", "--json"), 2)
    assert "task.yaml, line 3, column 7" in message


def test_a_task_that_widens_is_refused(cli: Cli) -> None:
    corpus(cli.home)
    (cli.home / "task.yaml").write_text("question: q\ncorpus: docs\nbudget: {web/searches: 100}\n")
    assert "web/searches" in refused(cli("run", "task.yaml", "--json"), 3)


def test_an_empty_folder_is_refused(cli: Cli) -> None:
    (cli.home / "docs").mkdir()
    refused(cli("ask", "q", "--corpus", "docs", "--json"), 3)


def test_files_that_cannot_be_read_are_named_and_skipped(cli: Cli) -> None:
    corpus(cli.home)
    docs = cli.home / "docs"
    (docs / "empty.pdf").write_bytes(b"")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of use")
    (docs / "new\nline\x1b[2J.pdf").write_bytes(b"")
    (docs / "emoji 🚲.md").write_text("The City South day pass costs $15.\n")
    if os.geteuid() != 0:  # root reads everything
        (docs / "secret.md").write_text("hidden")
        (docs / "secret.md").chmod(0)
    done = cli("ask", "How much does the City South day pass cost?", "--corpus", "docs", "--json")
    assert done.code == 0, done.err
    assert "$15" in done.json["publication"]["body"]
    noted = json.dumps(done.json["warnings"])
    assert "empty.pdf" in noted
    assert "broken.pdf" in noted
    assert "\x1b" not in done.err
    assert "empty.pdf" in done.err
    assert [c["url"] for c in done.json["publication"]["citations"] if "emoji" in c["url"]]


@pytest.mark.parametrize("store", ["store.db", "docs", "store.db/runs.db"])
def test_a_store_that_is_no_database_is_named_and_nothing_is_begun(cli: Cli, store: str) -> None:
    corpus(cli.home)
    (cli.home / "store.db").write_text("this is not a database" * 100)
    for command in (["runs"], ["ask", "How much is the day pass?", "--corpus", "docs"]):
        done = cli(*command, "--store", store, "--json")
        assert done.code == 3
        assert store in done.json["error"]["message"]
        assert done.json["error"]["hint"]


@pytest.mark.req("LED-01")
def test_a_flipped_byte_is_found(cli: Cli) -> None:
    corpus(cli.home)
    run = cli("ask", "How much is the day pass?", "--corpus", "docs", "--store", "s.db", "--json").json["run_id"]
    with sqlite3.connect(cli.home / "s.db") as store:
        (payload,) = store.execute("SELECT payload FROM events WHERE seq = 3").fetchone()
        store.execute("DROP TRIGGER IF EXISTS events_no_update")
        changed = bytes([payload[0] ^ 1]) + payload[1:]
        store.execute("UPDATE events SET payload = ? WHERE seq = 3", (changed,))
    store.close()
    done = cli("verify", run, "--store", "s.db", "--json")
    assert done.code == 1
    assert done.json["first_bad"] == 3
    assert "3" in cli("verify", run, "--store", "s.db").err
