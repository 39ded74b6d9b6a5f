"""A fault planted between finding and reading is named first, with the events that show it."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import (
    BOTH,
    NORTH18,
    PAGES,
    account,
    contract,
    gap,
    played,
    publish,
    read,
    search,
    verdict,
)

from counterfoil.core.diagnosis.diagnose import diagnose
from counterfoil.core.record import events as e

pytestmark = pytest.mark.req("TRC-02")


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


def test_a_read_that_a_limit_refused_is_no_fault_of_reading() -> None:
    replies = [
        search("pass City"), read("S1"), read("S2"), NORTH18,
        publish("City North costs $18 [E2].", gaps=[gap("City South")]),
    ]  # fmt: skip
    found = played(replies, contract(*BOTH), pages=PAGES[:2], operator={"reader/reads": 1})
    assert found.verdict is not None and found.verdict.stage == "budget"
    assert "READ_FAILED" not in {cause.code for cause in found.causes}
