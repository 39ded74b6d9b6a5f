"""Hints: one for each category, and never patience with a limit of our own."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from counterfoil.core.errors import Category
from counterfoil.core.view.hints import HINTS, hint_for


@pytest.mark.req("QC-01")
def test_every_category_has_a_hint_of_its_own() -> None:
    assert set(HINTS) == set(get_args(Category))
    assert len(set(HINTS.values())) == len(HINTS)
    assert all(len(hint) > 20 for hint in HINTS.values())


@pytest.mark.req("QC-01")
def test_our_own_budget_is_used_up_not_waited_for() -> None:
    hint = hint_for("local_budget_exhausted")
    assert "use what you have" in hint
    assert not re.search(r"later|again|retry|wait", hint)


@pytest.mark.req("QC-01")
@pytest.mark.parametrize(
    ("category", "step"),
    [
        ("upstream_rate_limited", "another source"),
        ("access_refused", "do not retry"),
        ("not_found", "corrected one once"),
        ("timeout", "smaller step"),
        ("code_error", "when you have changed"),
        ("resource_exhausted", "less data"),
        ("not_connected", "request_connector"),
    ],
)
def test_the_hint_says_the_step_that_fits(category: str, step: str) -> None:
    assert step in hint_for(category)


def test_a_category_that_nobody_knows_counts_as_a_fault_of_the_tool() -> None:
    assert hint_for("weather") == HINTS["internal"]
