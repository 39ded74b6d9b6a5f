"""A task as Python code writes it becomes a contract, or its author is told what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from counterfoil.core.answer.contract import Field, Row
from counterfoil.core.errors import RefusedError, UsageError
from counterfoil.entrypoints.python.task import Task, budget_of, contract_of

GOLD: Any = "gold"


def test_names_and_structs_mean_the_same() -> None:
    short = Task("Q?", rows=["North"], fields=["price"], done=["a table"])
    long = Task("Q?", rows=(Row("North"),), fields=(Field("price"),), done=("a table",))
    assert contract_of(short, web=False) == contract_of(long, web=False)


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        ({"question": "  "}, "QUESTION_EMPTY", "empty"),
        ({"question": 3}, "QUESTION_EMPTY", "empty"),
        ({"rows": "North"}, "TASK_INVALID", "rows is 'North', not a list"),
        ({"fields": {"price": "money"}}, "TASK_INVALID", "fields is"),
        ({"rows": [3]}, "TASK_INVALID", r"Expected `str`, got `int`.*rows"),
        ({"rows": [object()]}, "TASK_INVALID", "cannot be used"),
        ({"rows": [" "]}, "TASK_INVALID", "no name"),
        ({"rows": ["North", Row("NORTH")]}, "NAMED_TWICE", "'NORTH' stands twice in rows"),
        ({"fields": [Field("price", GOLD)]}, "TASK_INVALID", "gold"),
        ({"kind": "play"}, "TASK_INVALID", "play"),
        ({"domains": 3}, "TASK_INVALID", "domains is 3"),
        ({"question": "half of \ud83d"}, "TASK_INVALID", "surrogate"),
    ],
)
def test_what_cannot_be_used_is_said(given: dict[str, Any], code: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as refused:
        contract_of(Task(**{"question": "Q?", **given}), web=False)
    assert refused.value.code == code
    assert refused.value.hint


def test_a_rule_about_domains_wants_pages_that_have_them() -> None:
    task = Task("Q?", rows=[Row("North", domains=("north.gov",))])
    assert contract_of(task, web=True).rows[0].domains == ("north.gov",)
    with pytest.raises(RefusedError, match="row 'North' allows only some domains"):
        contract_of(task, web=False)
    assert contract_of(Task("Q?", rows=[Row("North", ("north.gov",), ("a.md",))]), web=False)


@pytest.mark.parametrize("value", [True, "5", None, float("nan"), float("inf")])
def test_a_budget_is_made_of_numbers(value: Any) -> None:
    assert budget_of(Task("Q?", budget={"web/searches": 5})) == {"web/searches": 5}
    with pytest.raises(UsageError, match="web/searches"):
        budget_of(Task("Q?", budget={"web/searches": value}))


def test_a_budget_is_a_table() -> None:
    nothing: Any = ["web/searches"]
    with pytest.raises(UsageError, match="budget is") as refused:
        budget_of(Task("Q?", budget=nothing))
    assert "web/searches" in refused.value.hint
