"""The commands that look at the installation, and the demo."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.cli import DEMO, Cli

from counterfoil.entrypoints.cli.commands import COMMANDS
from counterfoil.entrypoints.cli.exits import MEANING
from counterfoil.entrypoints.cli.taskfile import load_task

ROOT = Path(__file__).parents[2]


@pytest.mark.req("GOV-01")
def test_policies_lists_every_limit_with_its_identity(cli: Cli) -> None:
    listed = cli("policies", "--json").json
    wanted = {"id", "owner", "version", "unit", "scope", "default", "hard_maximum", "settable_by", "refusal_code"}
    assert [policy["id"] for policy in listed if not wanted | {"counts", "stops", "value"} <= policy.keys()] == []
    named = ("id", "owner", "unit", "scope", "refusal_code", "counts", "stops")
    assert [policy["id"] for policy in listed if not all(policy[key] for key in named)] == []
    identities = [policy["id"] for policy in listed]
    assert len(identities) == len(set(identities)) > 20


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_policies_fit_the_terminal_and_say_what_each_stops(cli: Cli, columns: int) -> None:
    shown = cli("policies", COLUMNS=str(columns)).out
    assert max(len(line) for line in shown.splitlines()) <= columns
    told = " ".join(shown.split())
    for policy in cli("policies", "--json").json:
        assert policy["id"] in told
        assert f"stops {policy['stops']}" in told


def test_policies_show_what_was_set_and_where(cli: Cli) -> None:
    listed = {p["id"]: p for p in cli("policies", "--json", "--set", "web/searches=5").json}
    assert (listed["web/searches"]["value"], listed["web/searches"]["origin"]) == (5, "flag")
    assert listed["web/registry-capacity"]["value"] == 50
    from_environment = {p["id"]: p for p in cli("policies", "--json", COUNTERFOIL_SET="web/searches=7").json}
    assert from_environment["web/searches"]["origin"] == "environment"


def test_doctor_finds_this_machine_fit(cli: Cli) -> None:
    done = cli("doctor", "--json")
    assert done.code == 0, done.out
    assert done.json["ok"] is True
    states = {check["name"]: check["state"] for check in done.json["checks"]}
    assert states["SQLite full text"] == "ok"
    assert all(states[f"extra {name}"] in ("ok", "missing") for name in ("rerank", "models", "gguf"))


def test_doctor_names_what_must_be_mended(cli: Cli) -> None:
    done = cli("doctor", "--json", "--store", "/proc/nowhere/store.db")
    assert done.code == 1
    store = next(check for check in done.json["checks"] if check["name"] == "store")
    assert store["state"] == "failed"
    assert store["next"]


@pytest.mark.req("UX-01")
@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help_and_knows_store_and_json(cli: Cli, command: str) -> None:
    done = cli(command, "--help")
    assert done.code == 0
    assert "--store" in done.out or command == "simulate"  # whose worlds have stores of their own
    assert "--json" in done.out


@pytest.mark.req("UX-01")
def test_exit_codes_in_the_documents_and_the_help_are_those_of_the_code(cli: Cli) -> None:
    page = (ROOT / "README.md").read_text("utf-8").split("### Exit codes")[1].split("###")[0]
    assert sorted(int(line.split("|")[1]) for line in page.splitlines() if line[2:3].isdigit()) == sorted(MEANING)
    told = " ".join(cli("--help").out.split())
    assert [code for code, meaning in MEANING.items() if f"{code} {meaning}" not in told] == []


def test_the_json_of_the_readme_has_the_keys_of_a_report(cli: Cli) -> None:
    sample = json.loads((ROOT / "README.md").read_text("utf-8").split("```json")[1].split("```")[0])
    report = cli("demo", "--json").json
    assert sample.keys() == report.keys()
    assert sample["publication"].keys() == report["publication"].keys()
    for part in ("evidence_table", "conflicts", "gaps", "warnings", "sources"):
        assert sample[part][0].keys() == report[part][0].keys(), part
    assert sample["publication"]["citations"][0].keys() == report["publication"]["citations"][0].keys()
    assert set(sample["usage"]["run/model-requests"]) == set(report["usage"]["run/model-requests"])


@pytest.mark.req("TSK-05", "TSK-06", "WEB-07")
def test_demo_shows_a_conflict_a_gap_and_a_warning(cli: Cli) -> None:
    done = cli("demo", "--json")
    assert done.json["rejections"] == []
    assert done.code == 0, done.err
    report = done.json
    assert [(c["row"], c["field"]) for c in report["conflicts"]] == [("City North", "three-day pass")]
    assert ("City South", "three-day pass") in {(gap["row"], gap["field"]) for gap in report["gaps"]}
    assert "INSTRUCTION_IN_PAGE" in {warning["code"] for warning in report["warnings"]}
    assert "$12" not in report["publication"]["body"]  # the travel blog is not official
    html = (cli.home / "counterfoil-demo.html").read_text("utf-8")
    assert "Where sources disagree" in html


def test_demo_corpus_is_what_its_script_writes() -> None:
    spec = importlib.util.spec_from_file_location("make_demo_corpus", ROOT / "examples" / "make_demo_corpus.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for name, data in script.documents().items():
        assert (DEMO / "documents" / name).read_bytes() == data, f"{name}: run examples/make_demo_corpus.py"


def test_demo_task_binds_rows_to_documents_that_exist() -> None:
    task = load_task(str(DEMO / "task.yaml"))
    names = {path.name for path in (DEMO / "documents").rglob("*.*")}
    assert {doc for row in task.contract.rows for doc in row.docs} <= names
    assert 10 <= len(names) <= 12


def test_the_package_runs_as_a_module(cli: Cli) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "counterfoil", "--version"],
        env=cli.environ,
        cwd=cli.home,
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == cli("--version").out


def test_an_empty_model_is_an_error_and_not_the_offline_one(cli: Cli) -> None:
    done = cli("ask", "What does it cost?", "--corpus", str(DEMO), "--model", "")
    assert done.code == 2 and "model (flag) is ''" in done.err
