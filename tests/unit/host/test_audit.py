from __future__ import annotations

import asyncio
from typing import Any

import pytest

from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.core.answer.contract import Contract
from counterfoil.core.text.vocabulary import Vocabulary
from counterfoil.host.audit import Audited, Auditor

PAGES = [
    ("city-north.md", "City North passes\n\nA three-day pass costs $18 and is not refundable.\fHelmets cost $4 a day."),
    ("city-south.md", "City South passes\n\nA day pass costs $15 for each visitor."),
]

pytestmark = pytest.mark.req("TSK-15")


def audited(body: str, question: str = "") -> Audited:
    corpus = MemoryCorpus(PAGES)
    documents = [asyncio.run(corpus.document(name)) for name, _ in PAGES]
    return asyncio.run(Auditor(corpus, documents, Vocabulary("none")).audit(body, Contract(question)))


def figures(body: str, question: str = "") -> dict[str, Any]:
    return {figure["text"]: figure for figure in audited(body, question).report.figures}


def codes(body: str) -> list[str]:
    return [finding.code for finding in audited(body).report.findings]


def test_a_figure_without_a_citation_that_binds_is_no_finding() -> None:
    found = figures("The three-day pass of City North costs $18.")["$18"]
    citation = found["binding"]["citation"]
    assert found["state"] == "bound" and found["nearest"] is None
    assert (citation["document"], citation["page"], citation["id"]) == ("city-north.md", 1, "E1")
    assert set(citation) >= {"handle", "url", "title", "quote", "segment", "start", "end", "table"}


def test_a_wrong_figure_is_flagged_with_the_nearest_quote_and_its_place() -> None:
    body = "# Passes\n\nThe three-day pass of City North costs $19."
    found = figures(body)["$19"]
    assert (found["state"], found["code"], found["line"]) == ("flagged", "FIGURE_UNSOURCED", 3)
    assert body[found["start"] : found["end"]] == "$19"
    assert "$18" in found["nearest"]["citation"]["quote"]


def test_a_figure_binds_only_where_its_citation_points() -> None:
    assert figures("A pass costs $18 (city-north.md, p. 1).")["$18"]["state"] == "bound"
    assert figures("A pass costs $18 (city-north.md, p. 2).")["$18"]["code"] == "FIGURE_MISMATCH"
    assert figures("A pass costs $18 (city-south.md).")["$18"]["state"] == "flagged"


def test_a_name_that_two_documents_go_by_is_said_to() -> None:
    pages = [("north/terms.md", "Terms\n\nA pass costs $18."), ("south/terms.md", "Terms\n\nA pass costs $15.")]
    corpus = MemoryCorpus(pages)
    documents = [asyncio.run(corpus.document(name)) for name, _ in pages]
    auditor = Auditor(corpus, documents, Vocabulary("none"))
    report = asyncio.run(auditor.audit("A pass costs $18 (terms.md).", Contract(""))).report
    assert [(w["code"], "south/terms.md" in w["excerpt"]) for w in report.warnings] == [("CITATION_AMBIGUOUS", True)]
    report = asyncio.run(auditor.audit("A pass costs $18 (north/terms.md).", Contract(""))).report
    assert report.warnings == ()


def test_citations_that_lead_nowhere_are_findings_of_their_own() -> None:
    assert codes("It is free (Other Corp 2019, p. 3).") == ["CITATION_UNKNOWN"]
    assert codes("It is free (city-north.md, p. 7).") == ["CITATION_UNKNOWN"]
    assert codes("It is free [4].") == ["CITATION_UNKNOWN"]
    report = audited("It is free [1].\n\n## Sources\n1. city-north.md").report
    assert [c["state"] for c in report.citations] == ["bound"] and report.findings == ()


def test_quotations_stand_in_a_document_or_are_flagged_with_the_nearest_words() -> None:
    (good,) = audited(
        'It says "a three-day pass costs $18 and is not refundable".'.replace("a three", "A three")
    ).report.quotes
    assert good["state"] == "bound" and good["citation"]["document"] == "city-north.md"
    (bad,) = audited('It says "A three-day pass costs $18 and is refundable".').report.quotes
    assert bad["code"] == "QUOTE_NOT_FOUND" and "not refundable" in bad["needed"]


def test_the_question_lends_its_figures_and_words() -> None:
    assert (
        figures("For 3 days it is $18.", "What is the three-day pass of City North for 3 days?")["$18"]["state"]
        == "bound"
    )
    assert figures("It was so in 1999.", "What was so in 1999?")["1999"]["state"] == "free"


def test_contexts_show_the_page_around_each_quote() -> None:
    done = audited("The three-day pass of City North costs $18.")
    assert "$18" in done.contexts["E1"]["quote"] and "City North" in done.contexts["E1"]["before"]


def test_text_is_checked_as_a_publication_is() -> None:
    assert codes("TODO: write. See [x](javascript:alert(1)).\n\n```json\n{x}\n```") == [
        "PLACEHOLDER_TEXT",
        "LINK_BAD",
        "FORMAT_BAD",
    ]
    report = audited("Too short.", "Write at least 50 words on passes.").report
    assert [(f.code, f.line) for f in report.findings] == [("COUNT_NOT_MET", 1)]


def test_code_is_left_out_and_said_so() -> None:
    report = audited("```\nx = 17\n```\n\nText.").report
    assert report.figures == () and report.warnings[0]["code"] == "CODE_NOT_CHECKED"
