from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from counterfoil.core.answer.contract import Contract, Field, Row, TimeAnchor
from counterfoil.core.exchange import AssistantTurn, Completion, Message, ProposedCall, ToolResult, View
from counterfoil.researcher import OfflineResearcher

from .harness import LIMITS, TOOLS, spec
from .pages import VOCABULARY

Purpose = Literal["entry", "research", "finalize", "self_review", "reviewer"]


def completed(contract: Contract, *messages: Message, purpose: Purpose = "research") -> Completion:
    view = View(purpose, "", contract, TimeAnchor("2024-01-01"), "research", messages=messages)
    tools = tuple(spec(name) for name in TOOLS)
    return asyncio.run(OfflineResearcher(VOCABULARY).complete(view, tools, LIMITS))


def test_it_says_what_it_is() -> None:
    made = OfflineResearcher(VOCABULARY)
    assert made.label == "extractive, no language model"
    assert made.spec == "offline"


def test_an_entry_is_answered_with_words_and_research_with_calls() -> None:
    asked = Contract("What was Tandem's FY2022 capex?")
    assert completed(asked, purpose="entry").calls == ()
    assert completed(asked, purpose="entry").text.startswith("{")
    assert {call.tool for call in completed(asked).calls} == {"search_public_sources"}


def test_several_cells_are_searched_row_by_row() -> None:
    rows, fields = (Row("North"), Row("South")), (Field("price", "money"), Field("opened", "date"))
    calls = completed(Contract("Compare them.", rows=rows, fields=fields)).calls
    assert {call.args.get("row") for call in calls} == {"North", "South"}


def test_after_an_accepted_answer_it_finishes() -> None:
    call = ProposedCall("c1", "publish_answer", {})
    done = completed(
        Contract("q"), AssistantTurn("", (call,)), ToolResult("c1", "publish_answer", True, {"accepted": True})
    )
    assert [(c.tool, c.args["outcome"]) for c in done.calls] == [("finish_research", "answered")]


@pytest.mark.parametrize("purpose", ["self_review", "reviewer"])
def test_it_reviews_nothing(purpose: Purpose) -> None:
    assert completed(Contract("q"), purpose=purpose).calls == ()
