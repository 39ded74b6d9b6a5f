"""A planted fault each: the diagnosis names its stage first, and the events that show it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.unit.core.diagnosis.runs import (
    HOSTILE,
    PAGES,
    account,
    contract,
    fact,
    gap,
    played,
    publish,
    read,
    search,
)
from tests.unit.host.fakes import Reply, call

from counterfoil.core.diagnosis.diagnose import diagnose
from counterfoil.core.errors import ModelError
from counterfoil.core.record import events as e

pytestmark = pytest.mark.req("TRC-02")

FOUND = search("three-day pass City North")
NORTH18 = fact("City North", "18", "costs $18", "E2")
GOOD = publish("A three-day pass of City North costs $18 [E2].")
REFUSED = ModelError("the key was refused", code="KEY_REFUSED", category="auth_refused", hint="set the key")
LOCAL = ModelError("our budget", code="PROVIDER_CALL_BUDGET_EXCEEDED", category="local_budget_exhausted")
BOTH = ("City North", "City South")
MARS = [("mars.md", "# Mars passes\n\nA pass costs $900.")]
OLD = [("north.md", PAGES[0][1]), ("archive.md", "# City North passes, archive\n\nA three-day pass costs $12.")]


def verdict(replies: Sequence[Reply], *args: object, **more: object) -> tuple[str, str]:
    found = played(replies, *args, **more)  # type: ignore[arg-type]  # a test names any option
    assert found.verdict is not None
    assert found.verdict.events, "a cause names the events that show it"
    return found.verdict.stage, found.verdict.code


def test_a_good_run_has_no_cause() -> None:
    assert played([FOUND, read(), NORTH18, GOOD]).causes == ()
    assert played([FOUND, read(), NORTH18, GOOD], expected="$18", gold="north.md").causes == ()


def test_a_source_that_no_search_found_is_retrieval() -> None:
    replies = [search("zebra"), publish("No price was found.", gaps=[gap("City North")])]
    assert verdict(replies, gold="north.md") == ("retrieval", "NOTHING_FOUND")
    replies = [search("terms of long rides", limit=1), publish("No price was found.", gaps=[gap("City North")])]
    assert verdict(replies, gold="north.md") == ("retrieval", "GOLD_NOT_FOUND")


def test_a_gold_source_left_closed_is_reading() -> None:
    replies = [search("pass price City"), read("S2"), publish("No price was found.", gaps=[gap("City North")])]
    run = account(replies, gold="north.md")
    found = diagnose(run)
    assert found.verdict is not None
    assert (found.verdict.stage, found.verdict.code) == ("reading", "GOLD_UNREAD")
    seq = found.verdict.events[0]
    event = dict(run.events)[seq]
    assert isinstance(event, e.SourceRegistered) and event.document.id.endswith("north.md")


def test_a_row_whose_own_source_stays_closed_is_reading() -> None:
    replies = [search("pass price City South day"), publish("Nothing was found.", gaps=[gap("City South")])]
    assert verdict(replies, contract("City South")) == ("reading", "SOURCE_UNREAD")


def test_a_value_that_was_read_and_not_kept_is_state() -> None:
    replies = [FOUND, read(), publish("No price was found.", gaps=[gap("City North")])]
    assert verdict(replies, expected="$18", gold="north.md") == ("state", "READ_NOT_RECORDED")


def test_a_value_of_another_row_is_state() -> None:
    replies = [
        search("day pass City South"), read(), fact("City North", "15", "costs $15", "E2"),
        fact("City South", "15", "costs $15", "E2"), publish("City North costs $15 and City South costs $15 [E2]."),
    ]  # fmt: skip
    assert verdict(replies, contract(*BOTH)) == ("state", "WRONG_ROW")


def test_a_source_opened_again_and_again_is_orchestration() -> None:
    replies = [FOUND, read(), read(), read(), publish("Nothing else.", gaps=[gap("City South"), gap("City North")])]
    found = played(replies, contract(*BOTH), operator={"reader/reads": 40})
    codes = {(cause.stage, cause.code) for cause in found.causes}
    assert ("orchestration", "SOURCE_REOPENED") in codes
    reopened = next(cause for cause in found.causes if cause.code == "SOURCE_REOPENED")
    assert len(reopened.events) == 2 and "3 times" in reopened.why


def test_a_row_that_nobody_looked_for_is_orchestration() -> None:
    replies = [
        search("three-day pass City North", row="City North"), read(), NORTH18,
        publish("City North costs $18 [E2].", gaps=[gap("City South")]),
    ]  # fmt: skip
    found = played(replies, contract(*BOTH), pages=PAGES[:1])
    assert {cause.code for cause in found.causes} >= {"ROW_NOT_LOOKED_FOR"}
    assert found.verdict is not None and found.verdict.stage == "orchestration"


def test_a_model_that_only_talks_is_orchestration() -> None:
    assert verdict([]) == ("orchestration", "MODEL_STOPPED")


def test_a_calculation_that_does_not_follow_is_calculation() -> None:
    wrong = call(
        "record_facts",
        facts=[{"row": "City South", "field": "price", "kind": "calculation", "value": "46", "formula": "day * 3",
                "inputs": [{"name": "day", "evidence_id": "E2", "value": "15"}]}],
    )  # fmt: skip
    replies = [search("day pass City South"), read(), wrong, publish("Nothing.", gaps=[gap("City South")])]
    found = played(replies, contract("City South"))
    assert found.verdict is not None
    assert (found.verdict.stage, found.verdict.code) == ("calculation", "CALCULATION_UNBOUND")


def test_unlike_things_ranked_to_the_end_is_synthesis() -> None:
    body = "City South is cheaper: $15 a day [E4] against $18 for three days [E2]."
    replies = [
        search("pass price City"), read("S1"), read("S2"), NORTH18,
        fact("City South", "15", "costs $15", "E4", period="1 day"), *[publish(body)] * 12,
    ]  # fmt: skip
    found = played(replies, contract(*BOTH), pages=PAGES[:2])
    assert found.verdict is not None and found.verdict.stage == "synthesis"
    assert "UNLIKE_RANKED" in {cause.code for cause in found.causes}


def test_a_wrong_figure_never_corrected_is_synthesis() -> None:
    replies = [FOUND, read(), NORTH18, *[publish("It costs $99 [E2].")] * 12]
    assert verdict(replies) == ("synthesis", "FIGURE_MISMATCH")


def test_a_conflict_hidden_to_the_end_is_synthesis() -> None:
    replies = [
        search("City North rides 30 minutes"), search("archive"), read("S1"), read("S2"), NORTH18,
        fact("City North", "12", "costs $12", "E4"), *[publish("City North costs $18 [E2].")] * 12,
    ]  # fmt: skip
    assert verdict(replies, pages=OLD) == ("synthesis", "CONFLICT_HIDDEN")


def test_an_answer_from_an_older_page_than_one_left_closed_is_state() -> None:
    run = account([search("rides 30 minutes"), search("archive"), read("S1"), NORTH18, GOOD], pages=OLD)
    dates = {"S1": "2020-01-01", "S2": "2025-01-01"}
    sources = run.state.sources
    for handle, day in dates.items():
        dated = replace(sources[handle].document, published=day)
        sources = sources.with_(handle, replace(sources[handle], document=dated))
    found = diagnose(replace(run, state=replace(run.state, sources=sources)))
    assert found.verdict is not None
    assert (found.verdict.stage, found.verdict.code) == ("state", "STALE_OBSERVATION")


def test_a_recorded_value_that_the_answer_leaves_out_is_synthesis() -> None:
    replies = [FOUND, read(), NORTH18, publish("Rides of up to 30 minutes are included [E2].")]
    found = played(replies, expected="$18")
    assert "FACT_NOT_USED" in {cause.code for cause in found.causes}


def test_a_refused_key_is_the_provider() -> None:
    assert verdict([FOUND, REFUSED]) == ("provider", "KEY_REFUSED")


def test_a_local_refusal_is_the_budget_and_no_provider_fault() -> None:
    found = played([FOUND, LOCAL])
    assert found.verdict is not None
    assert (found.verdict.stage, found.verdict.code) == ("budget", "LOCAL_REFUSAL")
    assert "provider" not in {cause.stage for cause in found.causes}


def test_searches_spent_with_cells_open_is_the_budget() -> None:
    replies = [search("zebra"), search("lion"), publish("Nothing.", gaps=[gap("City North")])]
    found = played(replies, operator={"web/searches": 1, "reader/reads": 1}, pages=MARS)
    assert "budget" in {cause.stage for cause in found.causes}


def test_what_a_page_tells_an_assistant_and_a_call_that_does_it_is_security() -> None:
    replies = [
        search("City North news bell"), read(), search("QUICKLOAN offers"),
        publish("Nothing.", gaps=[gap("City North")]),
    ]  # fmt: skip
    found = played(replies, pages=[("news.md", HOSTILE)])
    assert found.verdict is not None
    assert (found.verdict.stage, found.verdict.code) == ("security", "HOSTILE_TEXT_FOLLOWED")
    assert len(found.verdict.events) == 2


def test_a_flag_that_nobody_followed_is_no_cause() -> None:
    replies = [search("City North news bell"), read(), publish("Nothing.", gaps=[gap("City North")])]
    found = played(replies, pages=[("news.md", HOSTILE)])
    assert "security" not in {cause.stage for cause in found.causes}
