from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click
import pytest

from counterfoil.core.errors import CounterfoilError, NotFoundError, PolicyRefused, UsageError
from counterfoil.entrypoints.cli.errors import guarded, wants_json


def raiser(error: BaseException) -> Callable[[], Any]:
    def call() -> Any:
        raise error

    return call


REFUSED = PolicyRefused("too small", code="PATH_IMPOSSIBLE", policy="run/model-requests", hint="set it to 9")


@pytest.mark.req("UX-01", "UX-06")
@pytest.mark.parametrize(
    ("error", "exit_code", "category"),
    [
        (UsageError("bad", code="X", hint="do"), 2, "request_invalid"),
        (REFUSED, 3, "local_budget_exhausted"),
        (NotFoundError("none", code="RUN_UNKNOWN", hint="look"), 1, "not_found"),
        (click.UsageError("no such option"), 2, "request_invalid"),
        (click.BadParameter("no"), 2, "request_invalid"),
        (KeyboardInterrupt(), 130, "cancelled"),
        (click.Abort(), 130, "cancelled"),
        (ZeroDivisionError("oops"), 1, "internal"),
    ],
)
def test_every_error_has_its_exit_code_and_its_json(
    error: BaseException, exit_code: int, category: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raiser(error), ["--json"]) == exit_code
    out, err = capsys.readouterr()
    shown = json.loads(out)
    assert list(shown) == ["error"]
    assert list(shown["error"]) == ["code", "policy", "message", "hint"]
    assert shown["error"]["code"] == category
    assert shown["error"]["hint"]
    assert err == ""


@pytest.mark.req("UX-06")
def test_a_person_reads_what_why_and_what_next(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(raiser(REFUSED), [])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "counterfoil: too small",
        "  why:  PATH_IMPOSSIBLE (run/model-requests)",
        "  next: set it to 9",
    ]


def test_a_file_name_cannot_write_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(raiser(CounterfoilError("a\x1b[2J\nb", code="X")), [])
    assert capsys.readouterr().err.splitlines()[0] == "counterfoil: a b"


def test_a_defect_shows_its_stack_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COUNTERFOIL_TRACEBACK", raising=False)
    guarded(raiser(ZeroDivisionError("oops")), [])
    quiet = capsys.readouterr().err
    assert "Traceback" not in quiet
    assert "COUNTERFOIL_TRACEBACK=1" in quiet
    monkeypatch.setenv("COUNTERFOIL_TRACEBACK", "1")
    guarded(raiser(ZeroDivisionError("oops")), [])
    assert "Traceback" in capsys.readouterr().err


def test_exit_codes_of_commands_pass_through() -> None:
    assert guarded(lambda: 10, []) == 10
    assert guarded(lambda: None, []) == 0


def test_json_after_two_dashes_is_no_option() -> None:
    assert wants_json(["ask", "q", "--json"])
    assert not wants_json(["ask", "--", "--json"])


def test_an_option_without_its_value_points_to_the_help_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raiser(click.BadOptionUsage("row", "Option '--row' requires an argument.")), ["ask", "--row"]) == 2
    assert "`counterfoil ask --help`" in capsys.readouterr().err
