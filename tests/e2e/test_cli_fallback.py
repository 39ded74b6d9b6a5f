"""A chain of models on the command line: who is asked next, what the reader is told, and how a killed Run goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.e2e.cli import Cli, Done

LIMITED = {"error": {"status": 429, "headers": {"retry-after": "0"}, "body": "slow down"}}
CALLS: list[dict[str, Any]] = [
    {"tool": "search_public_sources", "args": {"query": "day pass"}},
    {"tool": "read_public_source", "args": {"handle": "{{handle:pass.md}}"}},
    {"tool": "publish_answer", "args": {"body": "It costs $18 [{{evidence:costs $18}}].", "finish": True}},
]


def asked(cli: Cli, first: list[Any], second: list[Any], *more: str, **environ: str) -> Done:
    (cli.home / "docs").mkdir()
    (cli.home / "docs" / "pass.md").write_text("# City North\n\nThe City North day pass costs $18.\n")
    for name, lines in (("one", first), ("two", second)):
        (cli.home / f"{name}.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    chain = ("--model", f"script:{cli.home}/one.jsonl", "--fallback", f"script:{cli.home}/two.jsonl")
    return cli("ask", "How much is the day pass?", "--corpus", "docs", "--json", *chain, *more, **environ)


def lines(*calls: dict[str, Any]) -> list[Any]:
    return [{"calls": [call]} for call in calls]


@pytest.mark.req("MOD-01", "TRC-01", "UX-06")
def test_a_run_answered_by_a_fallback_says_so_everywhere(cli: Cli) -> None:
    done = asked(cli, [*lines(CALLS[0]), LIMITED, LIMITED, LIMITED], lines(*CALLS[1:]))
    report = done.json
    assert "$18" in report["publication"]["body"] and report["model"].endswith("two.jsonl")
    requests = report["usage"]["run/model-requests"]
    assert (requests["used"], requests["limit"], requests["by_purpose"]) == (6, 60, {"research": 6})
    assert [model["requests"] for model in requests["by_model"].values()] == [4, 2]
    (told,) = [warning for warning in report["warnings"] if warning["code"] == "FALLBACK_ASKED"]
    assert "two.jsonl" in told["excerpt"] and "slow down" in told["excerpt"]
    assert "two.jsonl" in cli("show", "last").out
    trace = cli("trace", "last").out.splitlines()
    assert ["one.jsonl" in line for line in trace if "ModelCallReserved" in line] == [True] * 4 + [False] * 2


@pytest.mark.req("MOD-01", "LED-03", "LED-05")
@pytest.mark.parametrize("at", [5, 7, 8, 9])
def test_a_killed_run_goes_on_with_the_chain_of_its_snapshot_where_each_script_was(cli: Cli, at: int) -> None:
    one, two = [*lines(CALLS[0]), LIMITED, LIMITED, LIMITED], lines(*CALLS[1:])
    assert asked(cli, one, two, COUNTERFOIL_CRASH_AT=str(at)).code == -9
    resumed = cli("resume", "last", "--json")
    assert resumed.code == 0, resumed.err
    assert "$18" in resumed.json["publication"]["body"]
    assert resumed.json["usage"]["run/model-requests"]["used"] in (6, 7)  # an attempt that was lost is a debit more


@pytest.mark.req("GOV-03")
def test_check_counts_the_attempts_at_the_fallbacks(cli: Cli) -> None:
    (cli.home / "one.jsonl").write_text("")
    chain = ("--model", "offline", "--fallback", f"script:{cli.home}/one.jsonl")
    proof = cli("check", "--json", *chain).json
    assert next(step for step in proof["steps"] if step["step"] == "retry")["needs"] == 5
    narrow = cli("check", "--json", *chain, "--set", "run/finalization-request-reserve=6")
    assert narrow.code == 3 and "fewer fallbacks" in narrow.json["contradictions"][0]["repair"]


@pytest.mark.req("UX-06")
def test_a_model_that_stands_twice_is_one_clear_line(cli: Cli) -> None:
    done = cli("ask", "What?", "--corpus", ".", "--fallback", "offline", "--json")
    assert done.code == 2 and "'offline' stands twice" in done.json["error"]["message"]
