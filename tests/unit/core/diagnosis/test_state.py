"""A fault planted between reading and recording is named first, with the events that show it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.diagnosis.runs import (
    BOTH,
    FOUND,
    GOOD,
    NORTH18,
    OLD,
    account,
    contract,
    fact,
    gap,
    publish,
    read,
    search,
    verdict,
)
from tests.unit.host.fakes import call

from counterfoil.core.diagnosis.diagnose import diagnose

pytestmark = pytest.mark.req("TRC-02")


def test_a_value_that_was_read_and_not_kept_is_state() -> None:
    replies = [FOUND, read(), publish("No price was found.", gaps=[gap("City North")])]
    assert verdict(replies, expected="$18", gold="north.md") == ("state", "READ_NOT_RECORDED")


def test_a_value_of_another_row_is_state() -> None:
    replies = [
        search("day pass City South"), read(), fact("City North", "15", "costs $15", "E2"),
        fact("City South", "15", "costs $15", "E2"), publish("City North costs $15 and City South costs $15 [E2]."),
    ]  # fmt: skip
    assert verdict(replies, contract(*BOTH)) == ("state", "WRONG_ROW")


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


def test_a_gap_for_what_a_read_passage_says_is_state() -> None:
    replies = [search("pass price"), read(), publish("No price was found.", gaps=[gap("City North")])]
    pages = [("north.md", "# City North\n\nThe price of a pass in City North is $18.")]
    assert verdict(replies, pages=pages) == ("state", "GAP_THOUGH_READ")
    said_nothing = [("north.md", "# City North\n\nThe price of a pass in City North is on the board.")]
    assert verdict(replies, pages=said_nothing)[1] != "GAP_THOUGH_READ"


def test_facts_that_were_refused_whole_and_never_recorded_are_state() -> None:
    replies = [FOUND, read(), call("record_facts", facts=[{"cell": "A1"}]), publish("None.", gaps=[gap("City North")])]
    assert verdict(replies) == ("state", "FACTS_CALL_REFUSED")
