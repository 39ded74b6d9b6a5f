from __future__ import annotations

import io
import sys
from typing import Any

import pytest
from rich.console import Console

from counterfoil.core.exchange import ProposedCall
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.entrypoints.cli.progress import Lines, Live, Silent, progress_for
from counterfoil.entrypoints.cli.progress_words import CHARS_MAX, words
from counterfoil.ports.ledger import StoredEvent

STORED = StoredEvent("r1", 1, 0, "host", "X", b"", "", "", 1)
SEARCH = e.ToolCallProposed("m1", ProposedCall("c1", "search_public_sources", {"query": "pass \x1b[2Jprice"}))


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (SEARCH, "search “pass price”"),
        (e.ModelCallReserved("m2", "research", (), (), {}, ""), "m2: deciding what to do next"),
        (e.ToolCallRefused("c1", "SAME_CALL_FAILED", "it failed twice"), "c1 refused: it failed twice"),
        (e.PhaseChanged(Phase.FINALIZE_ONLY, "requests are spent", "run/model-requests"), "finalize only: requests"),
        (e.PublicationAccepted("P1", (), ()), "P1 accepted"),
        (e.InstructionFlagged("S1", 0, "paste this"), "S1 contains an instruction"),
        (e.InstructionFlagged(None, 0, "paste this", "c3"), "what c3 returned contains an instruction"),
        (e.InstructionFlagged(None, 0, "paste this"), "the question contains an instruction"),
    ],
)
def test_events_have_words(event: e.Event, said: str) -> None:
    assert (words(event) or "").startswith(said)


def test_events_that_nobody_waits_for_have_none() -> None:
    assert words(e.ToolCallReserved("c1", {})) is None
    assert words(e.PhaseChanged(Phase.SETTLED, "finish_accepted")) is None


def test_a_line_stays_a_line() -> None:
    event = e.ToolCallProposed("m1", ProposedCall("c1", "search_public_sources", {"query": "x\n" * 500}))
    line = words(event)
    assert line is not None
    assert len(line) == CHARS_MAX
    assert "\n" not in line


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    progress = progress_for(quiet=True)
    assert isinstance(progress, Silent)
    feed(progress)
    assert capsys.readouterr() == ("", "")


@pytest.mark.req("UX-01")
def test_a_pipe_gets_plain_lines_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    progress = progress_for(quiet=False)
    assert isinstance(progress, Lines)
    feed(progress)
    out, err = capsys.readouterr()
    assert out == ""
    assert "\x1b" not in err
    assert len([line for line in err.splitlines() if line.startswith("indexing")]) == 11  # 0 %, 10 %, … 100 %
    assert "search “pass price”" in err


@pytest.mark.req("UX-01")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_a_terminal_gets_a_moving_line(monkeypatch: pytest.MonkeyPatch, no_color: str) -> None:
    terminal = io.StringIO()
    console = Console(file=terminal, force_terminal=True, no_color=bool(no_color), width=80, _environ={"TERM": "xterm"})
    live = Live(console)
    feed(live)
    live.pause()
    drawn = terminal.getvalue()
    assert "Indexing" in drawn
    assert "search" in drawn
    assert "[2J" not in drawn
    assert ("\x1b[3" in drawn) != bool(no_color)


def test_markup_in_a_query_is_text() -> None:
    terminal = io.StringIO()
    live = Live(Console(file=terminal, force_terminal=True, width=80, highlight=False, _environ={"TERM": "xterm"}))
    live.note("[bold]skipped[/bold] a.pdf")
    assert "[bold]skipped[/bold] a.pdf" in terminal.getvalue()


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(progress_for(quiet=False), Lines)
    monkeypatch.setenv("TERM", "xterm")
    assert isinstance(progress_for(quiet=False), Live)


def feed(progress: Any) -> None:
    progress.index(0, 0, 0, None)
    for done in range(101):
        progress.index(done, 100, done, "a.pdf")
    progress.event(STORED, SEARCH)
    progress.note("skipped x.pdf: it is empty")
    progress.pause()
