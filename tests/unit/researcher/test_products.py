from __future__ import annotations

import pytest

from counterfoil.researcher.products import audiences, charges, for_others, is_old_page, is_past, spans, without_spans


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("A day pass costs $9", {"24h"}),
        ("The three-day visitor pass costs $18", {"72h"}),
        ("72-hour ticket", {"72h"}),
        ("It ends 72 hours later", set()),  # a duration, but of no offer
        ("Open 24 hours", set()),
        ("$9 per day", {"24h"}),
        ("Annual membership", {"8760h"}),
        ("a 12-month subscription", {"8760h"}),
        ("Single ride", {"ride"}),
        ("Tageskarte", {"24h"}),
        ("Drei-Tages-Karte", {"72h"}),
        ("3日券", {"72h"}),
    ],
)
def test_how_long_an_offer_lasts(text: str, hours: set[str]) -> None:
    assert spans(text) == hours


def test_a_name_may_leave_the_offer_out() -> None:
    assert spans("3 days", named=True) == {"72h"}
    assert spans("Monthly", named=True) == {"720h"}
    assert spans("Monthly") == set()


def test_words_of_the_span_are_taken_out_of_a_field() -> None:
    assert without_spans("three-day pass price").split() == ["pass", "price"]
    assert without_spans("day pass price").split() == ["pass", "price"]


def test_whom_an_offer_is_for() -> None:
    assert audiences("Students pay $9") == {"student"}
    assert for_others(frozenset(), frozenset({"student"}))
    assert for_others(frozenset({"student"}), frozenset({"adult"}))
    assert not for_others(frozenset({"visitor"}), frozenset({"adult", "visitor"}))
    assert not for_others(frozenset(), frozenset({"adult"}))
    assert not for_others(frozenset({"student"}), frozenset())


def test_a_charge_of_another_kind_is_told_from_the_price() -> None:
    assert charges("$4 for each additional 30 minutes") == {"overage"}
    assert charges("a refundable deposit of $50") == {"deposit", "refund"} or charges("a deposit of $50") == {"deposit"}
    assert charges("The pass costs $18") == set()


def test_what_no_longer_holds() -> None:
    assert is_past(", up from $18")
    assert is_past("it used to cost $12")
    assert not is_past("it costs $12")
    assert is_old_page("Archived page: passes")
    assert not is_old_page("Passes for visitors")
