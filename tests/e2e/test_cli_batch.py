"""A batch from a user's seat: a table, a kill half way, the same command again."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.e2e.cli import Cli

pytestmark = pytest.mark.req("TSK-16")

QUESTIONS = (
    "question,rows,fields\n"
    "What does the pass of City North cost?,City North,price:money\n"
    "What does a day in City South cost?,City South,price:money\n"
    "What do helmets cost in City North?,City North,helmet price:money\n"
)


@pytest.fixture(name="at")
def at_fixture(tmp_path: Path) -> Cli:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "north.md").write_text("# City North\n\nA three-day pass costs $18.\n\nHelmets cost $4 a day.\n", "utf-8")
    (docs / "south.md").write_text("# City South\n\nA day in City South costs $15 for each visitor.\n", "utf-8")
    (tmp_path / "q.csv").write_text(QUESTIONS, "utf-8")
    return Cli(tmp_path)


def test_a_file_of_questions_becomes_a_table_with_a_citation_per_cell(at: Cli) -> None:
    done = at("batch", "q.csv", "--corpus", "docs", "--out", "table.csv")
    assert done.code == 0, done.err
    rows = list(csv.DictReader(io.StringIO((at.home / "table.csv").read_text("utf-8"), newline="")))
    assert [row["place"] for row in rows] == ["1", "2", "3"]
    found = [row for row in rows if row["state"] == "found"]
    assert found and all(row["quote"] and row["url"] for row in found)
    assert "3 of 3 questions" in done.out


def test_killed_half_way_it_goes_on_and_pays_nothing_twice(at: Cli) -> None:
    whole = at("batch", "q.csv", "--corpus", "docs", "--store", "whole.db", "--json").json
    killed = at("batch", "q.csv", "--corpus", "docs", "--store", "half.db", COUNTERFOIL_CRASH_AT="14")
    assert killed.code == -9
    again = at("batch", "q.csv", "--corpus", "docs", "--store", "half.db", "--json")
    assert again.code == 0, again.err
    assert [run["status"] for run in again.json["runs"]] == [run["status"] for run in whole["runs"]]
    assert [line["value"] for line in again.json["table"]] == [line["value"] for line in whole["table"]]
    requests = again.json["usage"]["run/model-requests"]["used"]
    assert whole["usage"]["run/model-requests"]["used"] <= requests <= whole["usage"]["run/model-requests"]["used"] + 1
    assert "answered before" in again.err


def test_what_the_shared_budget_does_not_pay_is_named(at: Cli) -> None:
    done = at("batch", "q.csv", "--corpus", "docs", "--budget", "web/searches=1", "--json")
    assert done.code == 10
    refused = [run for run in done.json["runs"] if run["status"] == "refused"]
    assert refused and refused[0]["error"]["policy"] == "web/searches"
    assert done.json["usage"]["web/searches"] == {"used": 1, "limit": 1}


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("none.csv",), 2, "cannot be read"),
        (("q.csv", "--budget", "run/active-seconds=5"), 2, "not counted over Runs"),
        (("q.csv", "--budget", "web/searches=0"), 3, "answers nothing"),
        (("q.csv", "--out", "table.md"), 2, "no report has the suffix"),
        (("q.csv", "--set", "web/searches=9999999"), 3, "hard maximum"),
    ],
)
def test_bad_input_is_refused_before_anything_is_asked(at: Cli, args: tuple[str, ...], code: int, told: str) -> None:
    done = at("batch", *args, "--corpus", "docs", "--json", "--store", "s.db")
    assert done.code == code
    assert told in json.dumps(done.json["error"])
    assert not (at.home / "s.db").exists()


def test_a_batch_is_another_one_when_a_vocabulary_says_something_else(at: Cli) -> None:
    words = at.home / "words.toml"

    def name(said: str, path: Path = words) -> str:
        path.write_text(f'name = "towns"\nsynonyms = [["pass", "{said}"]]\n', "utf-8")
        done = at("batch", "q.csv", "--corpus", "docs", "--json", COUNTERFOIL_VOCABULARIES=str(path))
        assert done.code in (0, 10), done.err
        return str(done.json["batch"])

    first = name("ticket")
    assert name("fare") != first
    assert name("ticket", at.home / "moved.toml") == first
