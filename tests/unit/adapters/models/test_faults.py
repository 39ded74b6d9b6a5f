"""A failure's cause is found by what was said, not by its status alone."""

from __future__ import annotations

import pytest

from counterfoil.adapters.models import faults as f
from counterfoil.adapters.models.anthropic import Anthropic
from counterfoil.adapters.models.connection import TRANSPORT_FAULTS
from counterfoil.adapters.models.direct import LIBRARY_FAULTS
from counterfoil.adapters.models.redaction import Redactor


class Told(Exception):
    """An exception as SDKs make them."""

    def __init__(self, status: int | None = None, body: object = None, headers: dict[str, str] | None = None) -> None:
        super().__init__("outer")
        self.status_code, self.body, self.headers = status, body, headers or {}


def caused(outer: BaseException, inner: BaseException) -> BaseException:
    outer.__cause__ = inner
    return outer


def test_the_inner_object_of_a_body_says_what_is_wrong() -> None:
    said = f.heard(Told(400, {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}))
    assert (said.status, said.codes, said.message) == (400, ("overloaded_error", "error"), "busy")


@pytest.mark.parametrize("body", [None, "", "text", [], ["x"], {"error": None}, {"error": "busy"}, {"error": {}}, 7])
def test_a_body_of_any_shape_is_read(body: object) -> None:
    assert f.heard(Told(500, body)).status == 500


def test_what_is_said_comes_before_the_connection_before_the_library_before_the_status() -> None:
    words = {"empty_account": f.QUOTA_SPENT, "so long a text": f.TOO_LARGE}
    table = {"tests.Told": f.OVERLOADED}
    bare = Told(429)
    assert f.fault_of(f.heard(bare), {}, (), words) is f.RATE_LIMITED
    assert f.fault_of(f.heard(bare), {}, (table,), words) is f.OVERLOADED
    lost = caused(Told(429), ConnectionResetError())
    assert f.fault_of(f.heard(lost), {"builtins.OSError": f.UNAVAILABLE}, (table,), words) is f.UNAVAILABLE
    coded = Told(429, {"error": {"code": "empty_account"}})
    assert f.fault_of(f.heard(coded), {}, (table,), words) is f.QUOTA_SPENT
    worded = Told(429, {"error": {"message": "Not So Long A Text, please"}})
    assert f.fault_of(f.heard(worded), {}, (table,), words) is f.TOO_LARGE


def test_a_code_is_not_looked_for_inside_a_message() -> None:
    said = f.heard(Told(400, {"error": {"message": "no model called empty_account"}}))
    assert f.fault_of(said, {}, (), {"empty_account": f.QUOTA_SPENT}) is f.INVALID


def test_the_marker_of_our_own_proxy_comes_before_everything() -> None:
    marked = Told(429, {"error": {"code": "empty_account"}}, {"X-Counterfoil-Code": "PROVIDER_CALL_BUDGET_EXCEEDED"})
    assert f.fault_of(f.heard(marked), {}, (), {"empty_account": f.QUOTA_SPENT}) is f.LOCAL_BUDGET


def test_a_spend_limit_that_calls_itself_a_rate_limit_is_none() -> None:
    details = {"error_code": "enforced_spend_limit_reached"}
    said = f.heard(Told(429, {"error": {"type": "rate_limit_error", "message": "m", "details": details}}))
    assert f.fault_of(said, {}, (LIBRARY_FAULTS, Anthropic.faults), Anthropic.words) is f.QUOTA_SPENT


def test_an_exception_that_no_table_knows_is_a_defect_of_ours_and_no_fault_of_the_provider() -> None:
    error = caused(ValueError("x"), KeyError("y"))
    fault = f.fault_of(f.heard(error), TRANSPORT_FAULTS, ({"tests.Told": None},), {})
    assert fault is f.DEFECT
    assert f.described(error, fault, f.heard(error), Redactor()).startswith("ValueError")


def test_causes_that_lead_back_to_themselves_end() -> None:
    one, two = Told(), Told(503)
    caused(one, two)
    caused(two, one)
    assert f.heard(one).status == 503


@pytest.mark.parametrize(("status", "fault"), [(302, f.REDIRECTED), (451, f.INVALID), (599, f.UNAVAILABLE)])
def test_a_status_that_has_no_line_of_its_own_goes_by_its_hundred(status: int, fault: f.Fault) -> None:
    assert f.fault_of(f.heard(Told(status)), {}, (), {}) is fault


def test_names_that_hold_braces_do_not_break_a_hint() -> None:
    names = {"spec": "openai:{x}", "model": "{0}", "keys": "{"}
    error = f.model_error(f.NO_SUCH_MODEL, "openai", "{y}", names, 0.25)
    assert "{0}" in error.message
    assert "openai:{x}" in error.hint
    assert error.retry_after_ms == 250
