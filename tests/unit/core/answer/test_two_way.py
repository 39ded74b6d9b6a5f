from __future__ import annotations

import pytest
from tests.unit.builders import make_evidence, row_passage

from counterfoil.core.answer.held import of_evidence
from counterfoil.core.answer.two_way import turned_round
from counterfoil.core.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("label", "cell", "said", "turned"),
    [
        ("Credit loss (expense) release", "(143)", "a credit loss release of", True),
        ("Credit loss (expense) release", "(143)", "credit loss expense was", False),
        ("Credit loss (expense) release", "26", "a credit loss release of", False),
        ("Income tax benefit (provision)", "26", "the income tax provision was", True),
        ("Net cash provided by (used in) operating activities", "(12.6)", "operations provided", True),
        ("Net cash provided by (used in) operating activities", "(12.6)", "operations used", False),
        ("Net income (loss)", "(143)", "net income was", False),  # the sign is weighed elsewhere
    ],
)
def test_a_label_with_two_names_gives_each_sign_its_own(label: str, cell: str, said: str, turned: bool) -> None:
    held = of_evidence(make_evidence(row_passage(label, [(cell, "2024")])))[0]
    assert turned_round(find_quantities("143")[0], said, held) is turned
