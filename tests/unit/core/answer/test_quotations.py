from __future__ import annotations

import pytest

from counterfoil.core.answer.quotations import closest, find_quotations, stands


def test_quotations_know_where_they_stand_and_what_covers_them() -> None:
    body = 'He says "a pass costs eighteen dollars today" [E1].\n\n> Rides are free. [E2]\n\nA "short one" is none.'
    found = find_quotations(body)
    assert [(q.text, q.cited) for q in found] == [
        ("Rides are free.", ("E2",)),
        ("a pass costs eighteen dollars today", ("E1",)),
    ]
    assert all(body[q.start : q.end].startswith(("Rides", '"a pass')) for q in found)


@pytest.mark.parametrize(
    ("quote", "holds"),
    [
        ("costs $18 and", True),
        ("A pass … refundable", True),
        ("refundable … A pass", False),
        ("costs $19", False),
        ("**costs** $18", True),
    ],
)
def test_words_stand_in_order_or_not(quote: str, holds: bool) -> None:
    assert stands(quote, "A pass  costs $18 and is\nnot refundable.") is holds


def test_the_closest_passage_shares_most_words() -> None:
    assert closest("a pass costs 19", ["helmets are free", "a pass costs 18"]) == 1
