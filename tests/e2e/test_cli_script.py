"""A scripted model over a saved web: the worked example of two bike-share systems, and how Runs end."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.e2e.cli import Cli, Done

EXAMPLE = Path(__file__).parents[2] / "examples" / "bike-share"


def play(cli: Cli, script: list[dict[str, object]] | Path, *args: str) -> Done:
    path = cli.home / "script.jsonl"
    if isinstance(script, Path):
        shutil.copy(script, path)
    else:
        path.write_text("\n".join(json.dumps(line) for line in script))
    web = str(EXAMPLE / "web")
    return cli("run", str(EXAMPLE / "task.yaml"), "--snapshot", web, "--model", f"script:{path}", "--json", *args)


def call(tool: str, **args: object) -> dict[str, object]:
    return {"calls": [{"tool": tool, "args": args}]}


SEARCH = call("search_public_sources", query="visitor pass price", row="City North")
READ = call("read_public_source", handle="{{handle:citynorth.gov/passes}}")


@pytest.mark.req("TSK-06")
def test_the_worked_example_ends_with_what_it_found_and_a_named_gap(cli: Cli) -> None:
    done = play(cli, EXAMPLE / "script.jsonl")
    report = done.json
    assert done.code == 10
    assert (report["status"], report["policy"]) == ("budget_exhausted_partial", "run/tool-calls")
    assert report["usage"]["run/tool-calls"]["used"] == 6
    assert report["gaps"] == [
        {
            "row": "City South",
            "field": "price",
            "state": "not_found",
            "why": "no official three-day product",
            "tried": ["3-day visitor pass"],
        }
    ]
    hosts = {citation["url"].split("/")[2] for citation in report["publication"]["citations"]}
    assert hosts == {"citynorth.gov", "citysouth.example"}
    assert report["warnings"][0]["code"] == "INSTRUCTION_IN_PAGE"
    assert report["usage"]["web/searches"]["limit"] == 12


@pytest.mark.req("TSK-11", "TSK-13")
def test_a_script_whose_every_publication_is_rejected_ends_with_the_hosts_report(cli: Cli) -> None:
    wrong = call("publish_answer", body="It costs $99 [{{evidence:price of $18}}].", finish=True)
    done = play(cli, [SEARCH, READ, {**wrong, "repeat": 20}])
    report = done.json
    assert done.code == 10
    assert (report["stop_reason"], report["publication"]["assembled_by"]) == ("corrections_exhausted", "host")
    assert "99" not in report["publication"]["body"]
    assert all(rejection["findings"] for rejection in report["rejections"])
    assert len(report["rejections"]) == 9


@pytest.mark.req("MOD-06", "TSK-13")
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ([SEARCH, READ], "model_stopped"),
        ([{"text": "I think it costs eighteen dollars."}], "model_stopped"),
        ([{**call("run_python", code="1"), "repeat": 100}], "finalization_requests_exhausted"),
        (
            [{"calls": [{"tool": "search_public_sources", "raw": "{query:"}], "repeat": 100}],
            "finalization_requests_exhausted",
        ),
    ],
)
def test_a_script_that_never_publishes_ends_for_the_right_reason(
    cli: Cli, script: list[dict[str, object]], reason: str
) -> None:
    done = play(cli, script)
    assert done.json["stop_reason"] == reason
    assert done.json["publication"]["assembled_by"] == "host"
    assert "Traceback" not in done.err
    assert done.json["usage"]["run/model-requests"]["used"] <= 60


@pytest.mark.req("UX-06")
def test_a_template_without_a_match_is_a_script_error(cli: Cli) -> None:
    done = play(cli, [call("read_public_source", handle="{{handle:nowhere}}")])
    assert done.code == 2
    assert "{{handle:nowhere}}" in done.json["error"]["message"]


@pytest.mark.req("GOV-04", "GOV-03")
def test_check_shows_the_path_or_what_contradicts(cli: Cli) -> None:
    good, bad = cli("check", "--json"), cli("check", "--set", "web/registry-capacity=50", "--json")
    assert (good.code, good.json["holds"]) == (0, True)
    assert (bad.code, bad.json["holds"]) == (3, False)
    (contradiction,) = bad.json["contradictions"]
    assert contradiction["policies"] == ["web/registry-capacity", "web/searches"]
    assert (contradiction["needs"], contradiction["holds"]) == (120, 50)


@pytest.mark.req("GOV-05")
def test_a_task_file_that_widens_a_limit_is_refused(cli: Cli) -> None:
    (cli.home / "task.yaml").write_text("question: What?\nbudget: {web/searches: 500}\n")
    done = cli("check", "task.yaml", "--json")
    assert done.code == 3
    assert done.json["error"]["policy"] == "web/searches"
