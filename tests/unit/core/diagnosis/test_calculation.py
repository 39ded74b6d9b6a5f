"""A fault planted in computing is named first, with the events that show it."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import contract, gap, played, publish, read, search
from tests.unit.host.fakes import call

pytestmark = pytest.mark.req("TRC-02")


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
