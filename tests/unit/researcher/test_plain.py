from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from counterfoil.core.answer.contract import Contract
from counterfoil.core.evidence.calculations import evaluate
from counterfoil.core.evidence.passages import Document, Passage
from counterfoil.core.text.quantities import parse_cell
from counterfoil.researcher import OfflineResearcher

from .harness import TOOLS, MiniHost
from .pages import CASH, INCOME, VOCABULARY, YEARS, Pages, filing, row, tandem

Pair = tuple[Document, tuple[tuple[str, tuple[Passage, ...]], ...]]


def host(question: str, *documents: Pair, tools: tuple[str, ...] = TOOLS) -> MiniHost:
    corpus = Pages(*(documents or (tandem(),)))
    return MiniHost(corpus, OfflineResearcher(VOCABULARY), Contract(question), tools)


def answered(question: str, *documents: Pair) -> tuple[str, dict[str, Any], MiniHost]:
    run = host(question, *documents)
    run.entry()
    published = run.run()
    assert published is not None
    return str(published["body"]).split("\n")[0], published, run


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was FY2022 capital expenditure for Tandem Cycles, in USD millions?", "**87 USD millions**"),
        ("What was Tandem's capex in FY2021? Answer in USD millions.", "**70 USD millions**"),
        ("How much net sales did Tandem Cycles have in FY2022 in USD billions?", "**2 USD billions**"),
        ("What is the year end FY2021 inventory of Tandem Cycles (in USD millions)?", "**300 USD millions**"),
        ("What is Tandem's FY2020 cost of sales in USD thousands?", "**800,000 USD thousands**"),
    ],
)
def test_a_lookup_gives_the_cell_of_the_right_row_column_and_scale(question: str, value: str) -> None:
    head, published, run = answered(question)
    assert head.startswith(value)
    cited = head.rsplit("[", 1)[1].rstrip("]")
    assert run.evidence[cited].table is not None
    assert published["finish"] is True
    assert run.facts[0]["kind"] == "stated"
    assert run.facts[0]["evidence_id"] == cited


def test_a_balance_is_not_taken_from_the_cash_flow_statement() -> None:
    head, _, _ = answered("What is Tandem's inventory at the end of FY2022 in USD millions?")
    assert head.startswith("**500 ")  # the cash flow statement has a row of the same label with (200)


@pytest.mark.parametrize(
    ("question", "value", "exact"),
    [
        ("What is Tandem's FY2022 gross margin in percent?", "40.0 %", 40.0),
        ("What is the year-over-year growth of net sales from FY2021 to FY2022 for Tandem in percent?", "25.0 %", 25.0),
        (
            "What is Tandem's FY2022 inventory turnover? Inventory turnover is defined as: (FY2022 COGS) / "
            "(average inventory between FY2021 and FY2022). Round to two decimal places.",
            "3.00",
            3.0,
        ),
        (
            "What is the FY2020 - FY2022 3 year average of capex as a % of revenue for Tandem Cycles?",
            "4.6 %",
            (64 / 1250 + 70 / 1600 + 87 / 2000) / 3 * 100,
        ),
        (
            "What is Tandem's FY2022 days payable outstanding (DPO)? DPO is defined as: 365 * (average accounts "
            "payable between FY2021 and FY2022) / (FY2022 COGS + change in inventory between FY2021 and FY2022). "
            "Round to two decimal places.",
            "26.07",
            365 * 100 / 1400,
        ),
    ],
)
def test_a_calculation_is_bound_and_evaluates_to_what_is_written(question: str, value: str, exact: float) -> None:
    head, published, run = answered(question)
    assert head.startswith(f"**{value}")
    (made,) = published["calculations"]
    inputs = {item["name"]: (parse_cell(item["value"]) or 0) * Decimal(item["multiplier"]) for item in made["inputs"]}
    assert all(number is not None for number in inputs.values())
    result = evaluate(made["formula"], {name: number for name, number in inputs.items() if number is not None})
    assert float(result) == pytest.approx(exact)
    for item in made["inputs"]:
        assert item["value"].lstrip("-") in run.evidence[item["evidence_id"]].text


def test_a_falling_margin_is_said_to_fall() -> None:
    head, published, _ = answered("Does Tandem Cycles have an improving operating margin as of FY2022?")
    assert head.startswith("**No: operating margin fell from 20.0 % (FY2021) to 15.0 % (FY2022)**")
    assert len(published["calculations"]) == 2


def test_cause_is_answered_in_the_documents_own_words() -> None:
    head, _, run = answered("What drove the increase in Tandem's inventories in FY2022?")
    assert head.startswith("“Inventories increased by $200 million, primarily due to the opening of 47 new workshops.”")
    assert "47 new workshops" in run.evidence[head.rsplit("[", 1)[1].rstrip("]")].text


def test_the_five_best_pages_are_read_first_and_no_more_than_a_dozen_calls_are_made() -> None:
    _, _, run = answered("What was FY2022 capital expenditure for Tandem Cycles, in USD millions?")
    assert len(run.reads) <= 5
    assert ("tandem.pdf", 2, 3) in run.reads
    assert len(run.calls) <= 12


def two_reports(second: str) -> Pair:
    pages = ((CASH, (row("Purchases of property and equipment", second, headers=YEARS[:1], title=CASH),)),)
    return filing(name="tandem-again"), pages


def test_rows_that_differ_are_not_chosen_between() -> None:
    head, published, run = answered(
        "What was FY2022 capital expenditure for Tandem Cycles?", tandem(), two_reports("(99)")
    )
    assert head.startswith("The documents disagree")
    assert [(f["value"], f["unit"]) for f in run.facts] == [("87", "USD millions"), ("99", "USD millions")]
    assert all(f"[{f['evidence_id']}]" in head for f in run.facts)
    assert "(87)" in published["body"]
    assert "(99)" in published["body"]


def test_what_was_found_and_could_not_be_stated_is_quoted_and_not_denied() -> None:
    run = host("What was FY2022 capital expenditure for Tandem Cycles, in USD millions?")
    run.entry()
    finding = {"code": "FIGURE_MISMATCH", "where": "87 USD millions in: **87 USD millions** — Tandem Cycles"}
    run.rejections = [[finding], [finding]]
    run.run()
    second, third = run.publications[1], run.publications[2]
    assert "no passage" not in f"{second} {third}"
    assert "could not be stated with unit and scale" in second["body"]
    assert "> Purchases of property and equipment (87)" in second["body"]
    assert second["gaps"][0]["why"].endswith("87 USD millions")
    assert "could not be stated" in third["body"]


def test_rows_that_agree_count_as_one() -> None:
    head, _, _ = answered("What was FY2022 capital expenditure for Tandem Cycles?", tandem(), two_reports("(87)"))
    assert head.startswith("**87 ")


def test_a_figure_without_a_scale_is_a_gap_when_a_scale_is_asked() -> None:
    bare = ((INCOME, (row("Net sales", "2,000", headers=YEARS[:1], title=INCOME, multiplier=None),)),)
    head, published, _ = answered("What was Tandem's FY2022 net sales in USD millions?", (filing(), bare))
    assert head.startswith("Not answered")
    assert published["gaps"]


@pytest.mark.parametrize(
    "question",
    [
        "What was Adidas's FY2022 net sales in USD millions?",  # another company
        "What was Tandem's FY2030 net sales in USD millions?",  # a year that no column holds
        "What is Tandem's FY2022 net sales in Greenland in USD millions?",  # a part that no row names
        "Who won the 1998 World Cup?",
    ],
)
def test_what_is_not_there_is_a_gap_that_names_its_searches(question: str) -> None:
    head, published, run = answered(question)
    assert not head.startswith("**")
    assert "“" not in head
    assert published["gaps"][0]["search_calls"][0] == "c1"
    assert run.finished


def test_a_rejected_block_is_dropped_and_the_rest_published() -> None:
    run = host("What was FY2022 capital expenditure for Tandem Cycles, in USD millions?")
    run.entry()
    quoted = "Purchases of property and equipment (87) (70) (64)"
    run.rejections = [[{"code": "QUOTE_NOT_FOUND", "where": quoted, "needed": ""}]]
    published = run.run()
    assert published is not None
    assert len(run.publications) == 2
    assert published["body"].startswith("**87 USD millions**")
    assert quoted not in published["body"]


def test_two_rejections_leave_only_the_gap() -> None:
    run = host("What was FY2022 capital expenditure for Tandem Cycles, in USD millions?")
    run.entry()
    first = [
        {
            "code": "FIGURE_MISMATCH",
            "where": "87 in: 87 USD millions — Tandem Cycles, capital expenditure, FY2022",
            "needed": "",
        }
    ]
    run.rejections = [first, [{"code": "EMPTY_ANSWER", "where": "", "needed": ""}]]
    published = run.run()
    assert published is not None
    assert "87" not in published["body"]
    assert published["gaps"]


def test_without_search_tools_it_publishes_from_what_exists() -> None:
    run = host("What was FY2022 capital expenditure for Tandem Cycles?", tools=("publish_answer", "finish_research"))
    published = run.run()
    assert published is not None
    assert [call.tool for call in run.calls] == ["publish_answer"]


def test_the_same_view_gives_the_same_calls() -> None:
    first = answered("What is Tandem's FY2022 gross margin in percent?")[2]
    second = answered("What is Tandem's FY2022 gross margin in percent?")[2]
    assert first.calls == second.calls
