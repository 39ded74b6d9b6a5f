from __future__ import annotations

import pytest
from tests.unit.builders import make_evidence, make_state

from counterfoil.core.answer.compared import pair_of
from counterfoil.core.answer.figures import Base, judge_figures
from counterfoil.core.answer.held import of_evidence


@pytest.mark.parametrize(
    ("passage", "pair"),
    [
        ("Availability was 96.8% (2023: 97.5%).", ("97.5%", "96.8%")),
        ("The price was €71, against €88 a year earlier.", ("€88", "€71")),
        ("The stay fell from 6.8 days to 6.1 days.", ("6.8 days", "6.1 days")),
        ("There were 57 complaints in 2024, 61 in 2023.", ("61", "57")),
        ("The census of 2024 counted 87 pairs of puffins. In 2019 there were 112 pairs of puffins.", ("112", "87")),
        ("Adults pay $9 and children $4.", None),
        ("Sales were $9 in 2024 and costs $4 in 2023.", None),  # other words, other things
        ("It carried 13 people, 4% fewer than in 2023, and 40 vans.", None),
        ("The price was €71, against €88 in May and €90 in June.", ("€88", "€71")),
    ],
)
def test_a_passage_compares_a_number_with_one_other_or_none(passage: str, pair: tuple[str, str] | None) -> None:
    held = [h for h in of_evidence(make_evidence(passage)) if h.quantity and h.quantity.kind not in ("year", "date")]
    level = held[-1] if pair is not None and pair[1] == held[-1].amount.text else held[0]
    found = pair_of(level, held)
    assert (found and tuple(h.amount.text for h in found)) == pair


@pytest.mark.req("TSK-07")
@pytest.mark.parametrize(
    ("body", "good"),
    [
        ("The price fell by €17 to €71 [E1].", True),
        ("The price fell by €19 to €71 [E1].", False),
        ("The price rose by €17 to €71 [E1].", False),  # the direction
        ("It was 19% lower than the €88 of the year before [E1].", True),
        ("It was 29% lower than the €88 of the year before [E1].", False),
        ("Availability slipped 0.7 points to 96.8% [E1].", True),
        ("Availability slipped 0.9 points to 96.8% [E1].", False),
        ("The dividend goes up by 5 cents to €1.35 [E1].", True),
        ("The dividend goes up by 8 cents to €1.35 [E1].", False),
        ("A fee of €17 comes on top of €71 [E1].", False),  # nothing says that it is a change
    ],
)
def test_a_change_to_a_level_is_from_what_the_passage_compares_it_with(body: str, good: bool) -> None:
    said = (
        "The price was €71, against €88 a year earlier. Availability was 96.8% (2023: 97.5%). "
        "The dividend is €1.35 (2023: €1.30)."
    )
    state = make_state("q", [said])
    figures = judge_figures(body, Base(state.contract, state.evidence))
    assert all(f.state == "bound" for f in figures) is good, [f.nearest for f in figures]
