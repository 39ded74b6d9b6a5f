"""Asking for an app: a wish that is recorded, unless a tool of the Run reaches it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.core.record.folding import SEARCH, researching

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.record.notes import ConnectorRequested
from counterfoil.core.record.state import RunState
from counterfoil.ports.tool import Failed, Refused, Settled
from counterfoil.tools.request_connector import RequestConnector


def prepared(app: str, why: str = "to read the thread", state: RunState | None = None) -> Refused | Settled | Failed:
    call = ProposedCall("c1", "request_connector", {"app": app, "why": why})
    return RequestConnector().prepare(call, state or researching(), 0)


@pytest.mark.req("QC-08", "QC-01")
def test_an_app_that_is_not_connected_is_recorded_and_the_model_is_told() -> None:
    failed = prepared(" Mail ")
    assert isinstance(failed, Failed)
    assert (failed.code, failed.category) == ("CONNECTOR_MISSING", "not_connected")
    assert failed.events == (ConnectorRequested("Mail", "to read the thread", "c1"),)
    assert "do what can be done without it" in failed.hint


@pytest.mark.req("QC-08")
def test_a_tool_declares_the_app_that_it_reaches() -> None:
    state = researching()
    mail = replace(SEARCH, name="search_mail", connector="Mail")
    connected = replace(state, snapshot=replace(state.snapshot, tools=(*state.snapshot.tools, mail)))
    assert prepared("mail", state=connected) == Settled({"app": "mail", "connected": True, "tools": ["search_mail"]})
    assert isinstance(prepared("calendar", state=connected), Failed)


@pytest.mark.req("QC-08")
@pytest.mark.parametrize(("app", "why"), [("", "x"), (" ", "x"), ("Mail", "  ")])
def test_a_wish_names_the_app_and_the_reason(app: str, why: str) -> None:
    assert isinstance(prepared(app, why), Refused)
