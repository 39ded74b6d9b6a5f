"""The search tool: rows bind, results register, failures are counted."""

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import researching

from counterfoil.adapters.corpus.memory import MemoryCorpus
from counterfoil.core.answer.contract import Contract, Row
from counterfoil.core.evidence.passages import Document
from counterfoil.core.exchange import ProposedCall
from counterfoil.core.record.events import SourceRegistered, SourceRegistrationFailed
from counterfoil.core.record.state import RunState
from counterfoil.ports.corpus import Hit, SearchOutcome
from counterfoil.ports.tool import Effect, Refused, Settled
from counterfoil.tools.search_public_sources import SearchPublicSources

TOOL = SearchPublicSources(MemoryCorpus([]))


def asked(state: RunState | None = None, **args: object) -> Effect | Refused:
    return TOOL.prepare(ProposedCall("c1", "search_public_sources", dict(args)), state or researching(), 0)


def hits(*names: str) -> SearchOutcome:
    made = (Hit(Document(name, f"file:///{name}", name, "text/plain", 3, "0"), 1, 2, None, "…", 1.0) for name in names)
    return SearchOutcome(tuple(made), considered=9)


def test_a_search_debits_one_search_and_one_tool_call() -> None:
    effect = asked(query="pass")
    assert isinstance(effect, Effect)
    assert effect.debits == {"web/searches": 1, "run/tool-calls": 1}
    assert effect.request["limit"] == 10


def test_a_row_brings_its_documents_and_domains() -> None:
    rows = (Row("North", ("north.gov",)), Row("South", ("south.gov",), ("south.pdf",)))
    state = replace(researching(), contract=Contract("q", rows=rows))
    north, south = asked(state, query="pass", row="north"), asked(state, query="pass", row="South")
    assert isinstance(north, Effect)
    assert isinstance(south, Effect)
    assert (north.request["documents"], north.request["domains"]) == ((), ("north.gov",))
    assert (south.request["documents"], south.request["domains"]) == (("south.pdf",), ())


@pytest.mark.req("WEB-04")
def test_a_call_cannot_leave_the_domains_of_the_contract() -> None:
    state = replace(researching(), contract=Contract("q", domains=("north.gov",)))
    for outside in ("evil.example", "north.gov.example"):
        refused = asked(state, query="pass", domains=["north.gov", outside])
        assert isinstance(refused, Refused)
        assert (refused.code, outside in refused.why) == ("OFF_DOMAIN", True)
    narrower = asked(state, query="pass", domains=["passes.north.gov"])
    assert isinstance(narrower, Effect)
    assert narrower.request["domains"] == ("passes.north.gov",)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"query": " "}, "ARGUMENTS_INVALID"),
        ({}, "ARGUMENTS_INVALID"),
        ({"query": "x", "limit": 11}, "RESULTS_LIMITED"),
        ({"query": "x", "limit": 0}, "RESULTS_LIMITED"),
        ({"query": "x", "row": "West"}, "ROW_UNKNOWN"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_code(args: dict[str, object], code: str) -> None:
    refused = asked(None, **args)
    assert isinstance(refused, Refused)
    assert refused.code == code


@pytest.mark.req("WEB-02")
def test_a_document_has_one_handle_also_when_found_again() -> None:
    call = ProposedCall("c1", "search_public_sources", {"query": "pass"})
    settled = TOOL.settle(call, hits("a", "b", "a"), researching())
    assert isinstance(settled, Settled)
    assert [event.handle for event in settled.events if isinstance(event, SourceRegistered)] == ["S1", "S2"]
    assert [result["handle"] for result in settled.content["results"]] == ["S1", "S2", "S1"]


@pytest.mark.req("WEB-02")
def test_a_result_without_a_handle_is_not_shown_and_coverage_says_so() -> None:
    state = researching({"web/searches": 1, "web/results-per-search": 1})
    call = ProposedCall("c1", "search_public_sources", {"query": "pass"})
    settled = TOOL.settle(call, hits("a", "b"), state)
    assert isinstance(settled, Settled)
    assert settled.content["coverage"] == {"found": 2, "registered": 1, "failed": 1}
    assert [result["title"] for result in settled.content["results"]] == ["a"]
    assert sum(isinstance(event, SourceRegistrationFailed) for event in settled.events) == 1


@pytest.mark.req("GOV-05", "WEB-04")
def test_results_beyond_what_was_asked_for_or_allowed_get_no_handle() -> None:
    state = replace(researching({"web/results-per-search": 2}), contract=Contract("q", domains=("north.gov",)))
    documents = [
        Document(f"d{n}", f"https://{host}/{n}", "t", "text/html", 1, "0")
        for n, host in enumerate(("north.gov", "evil.invalid", "passes.north.gov"))
    ]
    found = SearchOutcome(tuple(Hit(document, 0, None, None, "…", 1.0) for document in documents))
    done = TOOL.settle(ProposedCall("c1", "search_public_sources", {"query": "pass"}), found, state)
    assert isinstance(done, Settled)
    registered = [event.document.id for event in done.events if isinstance(event, SourceRegistered)]
    reasons = [event.why for event in done.events if isinstance(event, SourceRegistrationFailed)]
    assert registered == ["d0"]
    assert reasons == ["the task does not allow it", "the search may return 2 results"]
    assert done.content["coverage"] == {"found": 3, "registered": 1, "failed": 2}
