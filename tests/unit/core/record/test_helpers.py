"""Helpers have names that follow from their parent's."""

from __future__ import annotations

import pytest

from counterfoil.core.record.helpers import helper_id, parent_of


@pytest.mark.req("QC-07")
def test_a_helper_is_named_after_its_parent_and_a_run_of_its_own_has_none() -> None:
    assert parent_of(helper_id("run7", 3)) == "run7"
    assert parent_of("run7") is None
