"""Views that are too large lose old results first, never a call, never the question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil.core.answer.contract import Contract, TimeAnchor
from counterfoil.core.exchange import ToolResult, View
from counterfoil.core.view.digest import digest_of
from counterfoil.core.view.fit import fit_view
from counterfoil.core.view.size import view_bytes

PASSAGES = [{"id": f"E{number}", "text": "x" * 300} for number in range(1, 21)]


def view(results: int) -> View:
    messages = tuple(
        ToolResult(f"c{n}", "read_public_source", True, {"handle": "S1", "passages": PASSAGES}) for n in range(results)
    )
    return View("research", "", Contract("What?" * 20), TimeAnchor("2025-03-31"), "research", messages=messages)


@pytest.mark.req("MOD-04")
@given(st.integers(0, 8), st.integers(1000, 60_000))
def test_a_fitted_view_is_within_its_limit_and_keeps_question_and_calls(results: int, bytes_max: int) -> None:
    whole = view(results)
    fitted = fit_view(whole, bytes_max)
    if fitted is None:
        assert view_bytes(whole) > bytes_max
        return
    assert view_bytes(fitted.view) <= bytes_max
    assert fitted.size_bytes == view_bytes(fitted.view)
    assert fitted.view.contract == whole.contract
    assert len(fitted.view.messages) == results
    assert fitted.dropped == tuple(f"c{n}" for n in range(len(fitted.dropped)))
    if view_bytes(whole) <= bytes_max:
        assert fitted.view == whole


def test_what_cannot_fit_is_said_to() -> None:
    assert fit_view(view(2), 100) is None


def test_a_digest_names_how_much_there_was_and_where_and_keeps_every_type() -> None:
    short = digest_of({"handle": "S1", "page": 60, "passages": PASSAGES})
    named = {"passages": {"count": 20, "first": "E1", "last": "E20"}}
    assert short == {"handle": "S1", "page": 60, "passages": [], "shortened": named}
