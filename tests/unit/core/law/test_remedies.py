"""Every cause of a failed request has one remedy, and a refusal by a budget has none."""

from typing import get_args

import pytest

from counterfoil.core.errors import Category
from counterfoil.core.law.remedies import REMEDIES, remedy_of


@pytest.mark.req("MOD-02")
def test_every_category_has_its_remedy() -> None:
    assert set(REMEDIES) == set(get_args(Category))


@pytest.mark.req("MOD-02")
def test_what_a_budget_refuses_nobody_is_asked_for_and_what_may_help_is_said() -> None:
    assert remedy_of("local_budget_exhausted").kind == "none"
    assert remedy_of("cancelled").kind == "none"
    assert all(remedy.hint for remedy in REMEDIES.values() if remedy.kind != "none")


def test_a_cause_of_another_version_has_no_remedy() -> None:
    assert remedy_of("something_new").kind == "none"
