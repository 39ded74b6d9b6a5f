from __future__ import annotations

import asyncio
import io
import signal
import sys

import click
import pytest

from counterfoil.core.answer.contract import Contract, Field, Row
from counterfoil.entrypoints.cli.contract_edit import asks_person, confirmer, review
from counterfoil.entrypoints.cli.interrupts import pausing

PROPOSED = Contract("How much is a pass?", rows=(Row("North"),), fields=(Field("price", "money"),))


def answer(monkeypatch: pytest.MonkeyPatch, keys: str, edited: str | None = None) -> Contract | None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(keys))
    monkeypatch.setattr(click, "edit", lambda text, extension: edited)
    return review(PROPOSED)


@pytest.mark.req("TSK-01")
def test_a_person_accepts_edits_or_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(monkeypatch, "a\n") == PROPOSED
    assert answer(monkeypatch, "\n") == PROPOSED
    assert answer(monkeypatch, "q\n") is None
    changed = answer(monkeypatch, "e\na\n", "question: How much is a pass?\nrows: [North, South]\n")
    assert changed is not None
    assert [row.name for row in changed.rows] == ["North", "South"]
    assert changed.fields == ()


def test_a_broken_edit_changes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(monkeypatch, "e\na\n", "question: [") == PROPOSED
    assert "Nothing was changed" in capsys.readouterr().err


def test_an_edit_cannot_change_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = answer(monkeypatch, "e\na\n", "question: Something else?\nrows: [South]\n")
    assert changed is not None
    assert changed.question == PROPOSED.question
    assert changed.rows == (Row("South"),)


def test_an_editor_closed_without_saving_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(monkeypatch, "e\na\n", None) == PROPOSED


def test_the_proposal_is_on_stderr_and_clean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, "a\n")
    out, err = capsys.readouterr()
    assert out == ""
    assert "type: money" in err


@pytest.mark.parametrize("keys", ["", "e\n"])
def test_ctrl_c_or_the_end_of_the_input_stops_who_asks(monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    def interrupt(text: str, extension: str) -> None:
        signal.raise_signal(signal.SIGINT)  # as the terminal does while somebody edits

    monkeypatch.setattr(sys, "stdin", io.StringIO(keys))
    monkeypatch.setattr(click, "edit", interrupt)

    async def asked() -> None:
        with pausing(lambda _text: None):
            own = signal.getsignal(signal.SIGINT)
            with pytest.raises(asyncio.CancelledError):
                await confirmer(lambda: None)(PROPOSED)
            assert signal.getsignal(signal.SIGINT) == own

    asyncio.run(asked())


@pytest.mark.parametrize(
    ("as_json", "yes", "interactive", "asks"),
    [(False, False, True, True), (True, False, True, False), (False, True, True, False), (False, False, False, False)],
)
def test_nobody_is_asked_who_cannot_answer(as_json: bool, yes: bool, interactive: bool, asks: bool) -> None:
    assert asks_person(as_json=as_json, yes=yes, interactive=interactive) is asks
