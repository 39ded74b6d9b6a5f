from __future__ import annotations

from typing import Any

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.exchange import AssistantTurn, Message, ProposedCall, ToolResult, View
from counterfoil.researcher.memory import Memory, recall


def remembered(*turns: tuple[str, dict[str, Any], bool, dict[str, Any]]) -> Memory:
    messages: list[Message] = []
    for n, (tool, args, ok, content) in enumerate(turns, 1):
        call = ProposedCall(f"c{n}", tool, args)
        messages += [AssistantTurn("", (call,)), ToolResult(call.id, tool, ok, content)]
    view = View("research", "", Contract("q"), TimeAnchor("2024-01-01"), "research", messages=tuple(messages))
    return recall(view)


def search(row: str = "", field: str = "", *handles: str) -> tuple[str, dict[str, Any], bool, dict[str, Any]]:
    results = [{"handle": handle, "segment": 0, "page": 3, "title": handle} for handle in handles]
    args = {"query": "q", **({"row": row} if row else {}), **({"field": field} if field else {})}
    return "search_public_sources", args, True, {"query": "q", "results": results}


def read(handle: str, ok: bool = True) -> tuple[str, dict[str, Any], bool, dict[str, Any]]:
    cell = {"value": "9", "header": "Price", "multiplier": "1000", "unit": "USD"}
    passages = [
        {"id": "E1", "kind": "text", "text": "A pass."},
        {"id": "E2", "kind": "row", "text": "Pass 9", "table": {"label": "Pass", "cells": [cell]}},
    ]
    content = {"handle": handle, "segment": 0, "segments": 2, "published": "2025-02-01", "passages": passages}
    return "read_public_source", {"handle": handle, "segment": 0}, ok, content if ok else {"error": "no"}


def test_results_of_several_searches_are_taken_in_turn_and_once() -> None:
    known = remembered(search("A", "", "S1", "S2"), search("B", "", "S3", "S1"))
    assert [hit.handle for hit in known.hits()] == ["S1", "S3", "S2"]


def test_a_gap_names_the_searches_of_its_cell_else_all() -> None:
    known = remembered(search("A", "price"), search("A", ""), search("B", "price"))
    assert known.search_calls("A", "price") == ("c1", "c2")
    assert known.search_calls("C", "price") == ("c1", "c2", "c3")
    assert known.search_calls() == ("c1", "c2", "c3")


def test_a_page_is_kept_with_its_rows_and_read_only_once() -> None:
    known = remembered(read("S1"), read("S1"))
    assert len(known.pages) == 1
    assert known.pages[0].published == "2025-02-01"
    assert [p.id for p in known.passages] == ["E1", "E2"]
    assert known.passages[1].cells[0].header == "Price"
    assert known.passages[1].label == "Pass"


def test_a_read_that_failed_is_not_tried_again() -> None:
    known = remembered(read("S9", ok=False))
    assert known.pages == []
    assert known.tried == {("S9", 0)}


def test_rejections_and_refusals_are_kept() -> None:
    known = remembered(
        ("record_facts", {}, True, {"recorded": [{"id": "F1"}], "refused": [{"row": "A", "field": "price"}]}),
        ("publish_answer", {}, False, {"accepted": False, "findings": [{"code": "FIELD_MISSING"}]}),
    )
    assert (known.fact_calls, len(known.refused), known.accepted) == (1, 1, False)
    assert known.rejections == [[{"code": "FIELD_MISSING"}]]
    assert remembered(("publish_answer", {}, True, {"accepted": True})).accepted
