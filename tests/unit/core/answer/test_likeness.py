from __future__ import annotations

import pytest
from tests.unit.builders import make_state

from counterfoil.core.answer.comparison import check_comparisons
from counterfoil.core.answer.figures import Base, judge_figures

STATE = make_state(
    "How do they compare?",
    [
        "Arden's revenue was $10 million in 2023 and $9 million in 2022.",
        "Belmont's revenue was $3 million in the first quarter of 2023 and $12 million in 2023.",
        "Calder's revenue was €11 million in 2023.",
        "The Arden set costs $90, excluding VAT.",
        "The Belmont set costs $100, including VAT.",
        "Arden had 510 employees at the end of 2023.",
        "Belmont had 480 employees in the first quarter of 2023.",
        "The Arden pump moves 40 litres per minute.",
        "The Belmont pump moves 1,800 litres per hour.",
        "Belmont's revenue was $11 million in the fourth quarter of 2023.",
        "The Dorset set costs $95, excluding VAT.",
        "Belmont's production was 4,000 tonnes in the six months ended 30 June 2023.",
        "Arden's production was 7,000 tonnes in 2022.",
    ],
)


def findings(body: str) -> list[tuple[str, str]]:
    base = Base(STATE.contract, STATE.evidence)
    figures = judge_figures(body, base)
    assert all(f.state in ("bound", "free") for f in figures), [(f.quantity.text, f.nearest) for f in figures]
    return [(f.code, f.needed) for f in check_comparisons(body, figures, base)]


@pytest.mark.req("TSK-08")
@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "Revenue of Arden was higher: $10 million in 2023 [E1] against $3 million in the first quarter of "
            "2023 [E2].",
            "10 / 12 = 0.83; 3 / 3 = 1.00",
        ),
        ("Arden's revenue in 2023 of $10 million [E1] exceeded the $3 million of Belmont in Q1 2023 [E2].", "3 / 3"),
        ("Calder's revenue of €11 million [E3] was higher than Belmont's $3 million [E2].", "exchange rate"),
        ("Calder's revenue of €11 million [E3] was higher than Arden's $10 million in 2023 [E1].", "exchange rate"),
        ("The Arden set at $90 [E4] is cheaper than the Belmont set at $100 [E5].", "VAT"),
        ("The Arden pump is slower: 40 litres per minute [E8] against 1,800 litres per hour [E9].", "60 × 40 litres"),
        ("Arden's production of 7,000 tonnes [E13] was larger than Belmont's 4,000 tonnes [E12].", "7,000 / 12 ="),
    ],
)
def test_unlike_amounts_are_not_ranked(body: str, told: str) -> None:
    found = findings(body)
    assert [code for code, _ in found] == ["UNLIKE_RANKED"] and told.casefold() in found[0][1].casefold()


@pytest.mark.req("TSK-08")
@pytest.mark.parametrize(
    "body",
    [
        "Arden's revenue was higher in 2023: $10 million in 2023 against $9 million in 2022 [E1].",
        "Belmont's revenue of $12 million in 2023 [E2] was higher than Arden's $10 million in 2023 [E1].",
        "Arden's headcount was larger: 510 employees at the end of 2023 [E6] against 480 in the first quarter of 2023 "
        "[E7].",
        "Belmont sold more in the fourth quarter alone: its revenue was higher, at $11 million [E10] against $10 "
        "million for Arden in 2023 [E1].",
        "Arden's $10 million in 2023 [E1] is not comparable with Belmont's $3 million in Q1 2023 [E2], though higher.",
        "The Arden set at $90 [E4] is cheaper than the Dorset set at $95 [E11].",
        "Arden had revenue of $10 million in 2023 [E1]; Belmont had $3 million in the first quarter of 2023 [E2].",
    ],
)
def test_like_amounts_levels_and_careful_words_pass(body: str) -> None:
    assert findings(body) == []
