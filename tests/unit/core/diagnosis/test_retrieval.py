"""A fault planted in looking for sources is named first, with the events that show it."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import gap, publish, search, verdict

pytestmark = pytest.mark.req("TRC-02")


def test_a_source_that_no_search_found_is_retrieval() -> None:
    replies = [search("zebra"), publish("No price was found.", gaps=[gap("City North")])]
    assert verdict(replies, gold="north.md") == ("retrieval", "NOTHING_FOUND")
    replies = [search("terms of long rides", limit=1), publish("No price was found.", gaps=[gap("City North")])]
    assert verdict(replies, gold="north.md") == ("retrieval", "GOLD_NOT_FOUND")
