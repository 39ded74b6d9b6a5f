"""A fault planted at the model's provider is named first, with the events that show it."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import FOUND, REFUSED, verdict

pytestmark = pytest.mark.req("TRC-02")


def test_a_refused_key_is_the_provider() -> None:
    assert verdict([FOUND, REFUSED]) == ("provider", "KEY_REFUSED")
