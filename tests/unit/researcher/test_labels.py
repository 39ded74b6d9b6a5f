from __future__ import annotations

import pytest

from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.labels import label_words, match

DEBT = Term("debt", ("debt",), ("long-term debt", "current liabilities > debt"), ("repayment",))


@pytest.mark.parametrize(
    ("label", "section", "grade"),
    [
        ("Long-term debt", "", 3),
        ("Debt, long-term", "", 2),
        ("Long-term debt, excluding leases", "", 1),
        ("Repayment of long-term debt", "", None),
        ("Debt", "", None),  # which debt is not said
        ("Debt", "Current liabilities:", 3),
        ("Debt", "Long-term liabilities:", None),
        ("Total assets", "", None),
    ],
)
def test_a_label_fits_word_for_word_or_among_others_or_not(label: str, section: str, grade: int | None) -> None:
    found = match(label, DEBT, section=section)
    assert (found.grade if found else None) == grade


def test_the_companys_own_name_in_a_label_counts_for_nothing() -> None:
    term = Term("net income", ("net income",), ("net income",))
    found = match("Net income Tandem", term, label_words("Tandem"))
    assert found is not None
    assert found.grade == 3


def test_label_words_leave_notes_asides_and_endings_out() -> None:
    assert label_words("Inventories (Note 4), net of reserves") == ("inventory",)
