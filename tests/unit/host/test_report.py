"""The object that every surface prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.builders import make_candidate, make_fact, make_state, row_passage

from counterfoil.core.evidence.facts import CalculationInput, Fact
from counterfoil.core.evidence.passages import Passage
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.policy import effective
from counterfoil.core.record.state import Publication, RunState
from counterfoil.host.report import build_report, contexts_of
from counterfoil.wiring import catalogue

KEYS = {
    "schema", "run_id", "status", "stop_reason", "policy", "delivered", "finished", "review", "head", "error",
    "publication", "evidence_table", "conflicts", "gaps", "needs", "time_anchor", "usage", "cost_usd", "rejections",
    "warnings",
}  # fmt: skip


BUDGET = Budget(effective(catalogue(), {}))


def run_state(question: str = "q", passages: Sequence[str | Passage] = (), **more: Any) -> RunState:
    return replace(make_state(question, passages, **more), budget=BUDGET)


def _published(state: RunState, body: str) -> RunState:
    return replace(state, publications=(Publication(make_candidate(body), "c9", "accepted"),))


def test_the_object_has_every_key_of_the_contract() -> None:
    state = run_state("What?", ["It costs $18."])
    encoded = msgspec.json.decode(msgspec.json.encode(build_report(state, "h")))
    assert set(encoded) >= KEYS
    assert encoded["schema"] == 1


@pytest.mark.req("WEB-10", "TSK-02")
def test_a_citation_of_a_table_row_says_which_column_it_means() -> None:
    row = row_passage(
        "Capex", [("(1,577)", "Years | 2018"), ("(1,373)", "Years | 2017")], multiplier="1000000", title="Cash"
    )
    evidence = ("E1",)
    fact = Fact("F1", "3M", "capex", "stated", "1,577", "USD millions", None, None, row.text, evidence, "Years 2018")
    report = build_report(_published(run_state("q", [row], facts=[fact]), "1,577 [E1]"), "h")
    assert report.publication is not None
    (citation,) = report.publication.citations
    assert citation.table is not None
    assert citation.table["column_header"]["text"] == "Years 2018"
    assert citation.table["row_label"]["text"] == "Capex"
    assert citation.quote == row.text


def test_the_operands_of_a_calculation_are_cited_too() -> None:
    operand = CalculationInput("a", "E2", "$20")
    fact = make_fact("20", evidence=("E1", "E2"))
    fact = replace(fact, kind="calculation", inputs=(operand,))
    report = build_report(_published(run_state("q", ["$18.", "$20."], facts=[fact]), "20 [E1]"), "h")
    assert report.publication is not None
    assert [citation.id for citation in report.publication.citations] == ["E1", "E2"]


@pytest.mark.req("TSK-06")
def test_gaps_name_the_searches_that_were_tried() -> None:
    report = build_report(run_state("q", rows=["North"], fields=["price"]), "h")
    assert report.gaps == ({"row": "North", "field": "price", "state": "unresolved", "why": "", "tried": ["cost"]},)


def test_the_page_around_a_quote_is_at_hand_for_reports() -> None:
    state = run_state("q", ["Before.", "It costs $18.", "After."])
    state = _published(state, "It costs $18 [E2].")
    report = build_report(state, "h")
    assert contexts_of(state, report)["E2"]["quote"] == state.readings[0].segment.text[0:13]
