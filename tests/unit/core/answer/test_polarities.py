from __future__ import annotations

import pytest

from counterfoil.core.answer.polarities import doubtful


@pytest.mark.parametrize(
    ("said", "passage", "doubt"),
    [
        ("The pass is refundable.", "The pass is not refundable.", True),
        ("The pass is refundable.", "The pass is non-refundable.", True),
        ("The pass is not refundable.", "The pass is refundable.", True),
        ("The pass is not refundable.", "A pass is not refundable at all.", False),
        ("Rides are free.", "Rides are no longer free.", True),
        ("The deposit is refundable.", "The deposit is refundable unless the bike is lost.", True),
        ("The deposit is refundable unless a bike gets lost.", "The deposit is refundable unless it is lost.", False),
        ("Der Pass ist erstattbar.", "Der Pass ist nicht erstattbar.", True),
        ("The pass costs $18.", "The pass costs $18. It is not refundable.", False),
        ("Bikes are red.", "No refunds are made.", False),
    ],
)
def test_what_is_denied_on_one_side_only_is_doubtful(said: str, passage: str, doubt: bool) -> None:
    assert bool(doubtful(said, passage)) is doubt
