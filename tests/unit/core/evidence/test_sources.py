"""Evidence IDs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.evidence.sources import evidence_number


@given(st.integers(0, 99_999_999))
def test_a_number_survives_its_id(number: int) -> None:
    assert evidence_number(f"E{number}") == number


@pytest.mark.parametrize("text", ["", "E", "7", "e7", "E-1", "E7a", "E٣", "E 7", "S1", "E" + "9" * 30])
def test_anything_else_is_no_evidence_id(text: str) -> None:
    assert evidence_number(text) is None
