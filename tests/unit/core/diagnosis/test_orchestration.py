"""A fault planted in the order of work is named first, with the events that show it."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import (
    BOTH,
    FOUND,
    NORTH18,
    PAGES,
    contract,
    gap,
    played,
    publish,
    read,
    search,
    verdict,
)
from tests.unit.host.fakes import call

pytestmark = pytest.mark.req("TRC-02")


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


def test_a_call_made_again_after_its_refusal_is_orchestration_in_whatever_order_its_keys_stand() -> None:
    orders: tuple[dict[str, object], ...] = ({"handle": "S9", "segment": 0}, {"segment": 0.0, "handle": "S9"})
    lost = [call("read_public_source", **args) for args in orders]
    replies = [FOUND, *lost, *lost, publish("No price was found.", gaps=[gap("City North")])]
    found = played(replies)
    assert found.verdict is not None
    assert (found.verdict.stage, found.verdict.code) == ("orchestration", "FAILING_CALL_REPEATED")
    assert len(found.verdict.events) == 4
