"""The table of a batch: a line a cell, citations beside it, and no formula in a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from counterfoil.adapters.render.batch_html import BatchPaper, render_batch_html
from counterfoil.adapters.render.batch_table import Cited, TableLine, lines_of, render_batch_csv

pytestmark = pytest.mark.req("TSK-16")

CITED = {"id": "E1", "quote": "costs $18", "title": "Passes", "page": 3, "url": "file:///p.pdf#page=3"}
CELL = {
    "row": "North", "field": "price", "state": "found", "value": "18", "unit": "USD", "period": None, "kind": "stated",
    "evidence": ["E1", "E9"],
}  # fmt: skip


def report(**changed: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "run_id": "r1", "question": "What?", "status": "completed", "gaps": [], "evidence_table": [CELL],
        "publication": {"body": "It costs $18 [E1].", "citations": [CITED]},
    }  # fmt: skip
    return {**base, **changed}


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_cell_is_a_line_with_its_quotes() -> None:
    (line,) = lines_of(4, report())
    assert (line.place, line.row, line.value, line.period) == (4, "North", "18", "")
    assert line.citations == (Cited("costs $18", "Passes", 3, "file:///p.pdf#page=3"),)
    (row,) = read(render_batch_csv((line,)))
    assert (row["value"], row["quote"], row["page"]) == ("18", "costs $18", "3")


def test_an_answer_in_prose_is_a_line_with_its_first_sentence_and_every_quote() -> None:
    (line,) = lines_of(1, report(evidence_table=[]))
    assert (line.state, line.value, len(line.citations)) == ("found", "It costs $18 [E1].", 1)


def test_a_gap_says_why() -> None:
    gap = {"row": "North", "field": "price", "why": "no page names it"}
    cell = {**CELL, "state": "not_found", "value": None, "evidence": []}
    (line,) = lines_of(1, report(evidence_table=[cell], gaps=[gap]))
    assert (line.state, line.value, line.why) == ("not_found", "", "no page names it")


def test_a_run_that_delivered_nothing_is_a_line() -> None:
    (line,) = lines_of(1, report(evidence_table=[], publication=None, status="failed"))
    assert (line.status, line.state, line.value) == ("failed", "unresolved", "")


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+cmd|x", "@SUM(A1)", "-2+cmd|x", "=1"])
@pytest.mark.req("SEC-04")
def test_no_cell_is_a_formula(text: str) -> None:
    (row,) = read(render_batch_csv((TableLine(1, text, "completed", "r1", value=text),)))
    assert row["question"] == f"'{text}" and row["value"] == f"'{text}"


@pytest.mark.parametrize("text", ["-18.5", "+3 %", "(3)"])
def test_a_signed_number_stays_one(text: str) -> None:
    (row,) = read(render_batch_csv((TableLine(1, "q", "completed", "r1", value=text),)))
    assert row["value"] == text


def test_the_page_shows_quotes_and_runs_no_markup_of_a_document() -> None:
    line = TableLine(
        1, "<script>q</script>", "completed", "r1", value="18", state="found",
        citations=(Cited("<b>costs</b>", "P", 3, "javascript:alert(1)"),),
    )  # fmt: skip
    shown = render_batch_html(BatchPaper("b1", 1, (line,), {"web/searches": 3}, {"web/searches": 9}))
    assert "&lt;b&gt;costs&lt;/b&gt;" in shown and "<script>" not in shown and 'href="javascript' not in shown
    assert "3 of 9" in shown
