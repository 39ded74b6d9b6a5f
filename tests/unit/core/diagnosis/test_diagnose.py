"""A Run that did what was asked has no cause."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import FOUND, GOOD, NORTH18, played, read

pytestmark = pytest.mark.req("TRC-02")


def test_a_good_run_has_no_cause() -> None:
    assert played([FOUND, read(), NORTH18, GOOD]).causes == ()
    assert played([FOUND, read(), NORTH18, GOOD], expected="$18", gold="north.md").causes == ()
