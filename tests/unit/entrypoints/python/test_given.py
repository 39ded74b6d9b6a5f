"""What a program hands in has the shape that is asked for, or its author is told which it should have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.python.given import having, limits, listed, paths

pytestmark = pytest.mark.req("UX-06")


@pytest.mark.parametrize("given", ["offline", b"offline", Path("docs"), {"a": 1}, 3, None])
def test_one_thing_is_no_list(given: Any) -> None:
    with pytest.raises(UsageError, match=r"fallbacks is .*, not a list") as refused:
        listed(given, "fallbacks")
    assert "fallbacks=[" in refused.value.hint
    assert listed(iter(["a", "b"]), "fallbacks") == ("a", "b")


def test_paths_are_texts_or_paths() -> None:
    assert paths(["a", Path("b")], "corpus") == ("a", Path("b"))
    nothing: Any = [3]
    for wrong in (nothing, [""]):
        with pytest.raises(UsageError, match="a path in corpus is"):
            paths(wrong, "corpus")


def test_limits_are_a_table() -> None:
    assert limits({"web/searches": 5}, "policies") == {"web/searches": 5}
    nothing: Any = ["web/searches"]
    with pytest.raises(UsageError, match="not a table"):
        limits(nothing, "policies")


def test_an_object_has_what_is_asked_of_it() -> None:
    assert having("text", "model", "upper") == "text"
    assert having(None, "model", "complete") is None
    with pytest.raises(UsageError, match="model is 3, which has no 'complete'"):
        having(3, "model", "real", "complete")
