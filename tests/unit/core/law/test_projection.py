"""Which tools a turn offers."""

import pytest

from counterfoil.core.exchange import ToolSpec
from counterfoil.core.law import budget as ids
from counterfoil.core.law.budget import Budget
from counterfoil.core.law.phases import Phase
from counterfoil.core.law.policy import effective
from counterfoil.core.law.projection import lawful, project
from counterfoil.wiring import catalogue

SEARCH = ToolSpec("search", "", {}, "repeatable", ("research",), (ids.SEARCHES,), True, ("search",))
READ = ToolSpec("read", "", {}, "repeatable", ("research",), (ids.READS,), True)
PUBLISH = ToolSpec("publish", "", {}, "pure", ("research", "finalize_only"))
BUDGET = Budget(effective(catalogue(), {}))


def offered(phase: Phase, budget: Budget, forbidden: tuple[str, ...] = (), active_ms: int = 0) -> list[str]:
    return [tool.name for tool in project((SEARCH, READ, PUBLISH), phase, budget, forbidden, active_ms).offered]


@pytest.mark.req("GOV-09")
def test_spent_searches_hide_search_and_leave_reading() -> None:
    assert offered(Phase.RESEARCH, BUDGET.debit({ids.SEARCHES: 12})) == ["read", "publish"]


@pytest.mark.req("GOV-09")
def test_a_closed_web_window_hides_both() -> None:
    assert offered(Phase.RESEARCH, BUDGET, active_ms=900_000) == ["publish"]


@pytest.mark.req("GOV-09")
def test_finalize_only_offers_no_new_evidence() -> None:
    assert offered(Phase.FINALIZE_ONLY, BUDGET) == ["publish"]


@pytest.mark.req("GOV-13")
def test_a_forbidden_action_is_not_offered_at_all() -> None:
    assert offered(Phase.RESEARCH, BUDGET, forbidden=("search",)) == ["read", "publish"]


def test_each_removal_says_why() -> None:
    shown = project((SEARCH,), Phase.RESEARCH, BUDGET.debit({ids.SEARCHES: 12}), (), 0)
    (name, removal) = shown.removed[0]
    assert (name, removal.code, removal.policy) == ("search", "SEARCHES_EXHAUSTED", "web/searches")


def test_what_a_task_forbids_is_never_lawful_and_a_spent_budget_takes_nothing_from_it() -> None:
    assert lawful((SEARCH, READ, PUBLISH), ("search",)) == (READ, PUBLISH)
    assert lawful((SEARCH, READ, PUBLISH), ()) == (SEARCH, READ, PUBLISH)
