from __future__ import annotations

import pytest

from counterfoil.core.answer.opposites import opposite
from counterfoil.core.text.stems import stems


@pytest.mark.parametrize(
    ("said", "held", "excluded"),
    [
        ("The glacier lost mass", "the glacier gained", True),
        ("The glacier gained mass", "the glacier gained", False),
        ("Bauanträge abgelehnt", "Bewilligt wurden Anträge", True),
        ("investing activities provided", "we used in investing activities", True),
        ("provided by investing activities", "provided by (used in) investing activities", False),
        ("applications approved or refused", "applications refused", False),
        ("net cash of the group", "the group had net debt", True),
        ("cash paid", "debt repaid", False),
        ("concerts earned", "the arena lost on concerts", True),
        ("earned net income", "Net income (loss)", False),
        ("the glacier", "the glacier gained", False),
    ],
)
def test_words_that_exclude_each_other_name_no_same_number(said: str, held: str, excluded: bool) -> None:
    assert opposite(stems(said), stems(held)) is excluded
