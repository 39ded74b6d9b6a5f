"""A fault planted in writing is named first, with the events that show it."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import (
    BOTH,
    FOUND,
    NORTH18,
    OLD,
    PAGES,
    contract,
    fact,
    played,
    publish,
    read,
    search,
    verdict,
)

pytestmark = pytest.mark.req("TRC-02")


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


def test_a_recorded_value_that_the_answer_leaves_out_is_synthesis() -> None:
    replies = [FOUND, read(), NORTH18, publish("Rides of up to 30 minutes are included [E2].")]
    found = played(replies, expected="$18")
    assert "FACT_NOT_USED" in {cause.code for cause in found.causes}


@pytest.mark.parametrize(("period", "told"), [("2022", True), ("2023", False)])
def test_values_of_unlike_periods_side_by_side_are_synthesis(period: str, told: bool) -> None:
    pages = [
        ("north.md", "# City North\n\nA pass costs $18 in 2023."),
        ("south.md", f"# City South\n\nA pass costs $15 in {period}."),
    ]
    replies = [
        search("pass costs"), read("S1"), read("S2"),
        fact("City North", "18", "costs $18 in 2023", "E2", period="2023"),
        fact("City South", "15", f"costs $15 in {period}", "E4", period=period),
        publish(f"City North: $18 in 2023 [E2]. City South: $15 in {period} [E4]."),
    ]  # fmt: skip
    codes = {cause.code for cause in played(replies, contract(*BOTH), pages=pages).causes}
    assert ("UNLIKE_COMPARED" in codes) is told
