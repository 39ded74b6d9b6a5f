"""Every error class has an owner for retries, a category and an exit code."""

from typing import get_args

import pytest

from counterfoil.core import errors
from counterfoil.core.errors import Category, CounterfoilError, ModelError, RetryOwner


def tree(root: type[CounterfoilError]) -> list[type[CounterfoilError]]:
    return [root, *(found for child in root.__subclasses__() for found in tree(child))]


@pytest.mark.parametrize("kind", tree(CounterfoilError), ids=lambda kind: kind.__name__)
def test_each_class_names_category_owner_and_exit_code(kind: type[CounterfoilError]) -> None:
    assert kind.category in get_args(Category)
    assert kind.retry_owner in get_args(RetryOwner)
    assert kind.exit_code in (1, 2, 3)


def test_only_the_model_gateway_may_retry_and_only_model_errors() -> None:
    assert [kind for kind in tree(CounterfoilError) if kind.retry_owner == "model_gateway"] == [ModelError]


def test_the_module_docstring_draws_every_class_of_the_tree() -> None:
    drawn = errors.__doc__ or ""
    own = [kind for kind in tree(CounterfoilError) if kind.__module__ == errors.__name__]
    assert [kind.__name__ for kind in own if kind.__name__ not in drawn] == []


def test_an_error_says_what_why_and_what_next() -> None:
    error = CounterfoilError("it broke", code="BROKEN", hint="mend it", policy="web/searches")
    assert (str(error), error.code, error.hint, error.policy) == ("it broke", "BROKEN", "mend it", "web/searches")
