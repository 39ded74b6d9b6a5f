"""Owns live progress on stderr: a moving line on a terminal, plain lines in a pipe, nothing when quiet.

Never: stdout, or rich before there is a terminal to draw on.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Protocol

import click

from counterfoil.core.record.events import Event
from counterfoil.entrypoints.cli.progress_words import shorten, words
from counterfoil.ports.ledger import StoredEvent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.status import Status


class Progress(Protocol):
    """What a command tells a person while it works."""

    def index(self, done: int, total: int, pages: int, current: str | None) -> None:
        """Documents read into the index so far."""
        ...

    def event(self, stored: StoredEvent, event: Event) -> None:
        """An event that became durable."""
        ...

    def note(self, text: str) -> None:
        """A warning that stays on the screen."""
        ...

    def pause(self) -> None:
        """Clear the moving line, for a question or because the work is done."""
        ...


class Silent:
    """Says nothing."""

    def index(self, done: int, total: int, pages: int, current: str | None) -> None:
        """Nothing."""

    def event(self, stored: StoredEvent, event: Event) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def pause(self) -> None:
        """Nothing."""


class Lines:
    """Plain lines, for pipes and logs. Indexing is told at its start, every tenth and its end."""

    def __init__(self) -> None:
        self._told = -1

    def index(self, done: int, total: int, pages: int, current: str | None) -> None:
        """A line for every tenth of the documents."""
        tenth = 10 * done // total if total else self._told
        if tenth != self._told:
            self._told = tenth
            click.echo(f"indexing: {done} of {total} documents, {pages} pages", err=True)

    def event(self, stored: StoredEvent, event: Event) -> None:
        """A line for each event that has words."""
        line = words(event)
        if line:
            click.echo(line, err=True)

    def note(self, text: str) -> None:
        """A line."""
        click.echo(shorten(text), err=True)

    def pause(self) -> None:
        """Nothing moves."""


class Live:
    """A bar while indexing, then a spinner with what is happening now."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: Bar | None = None
        self._status: Status | None = None

    def index(self, done: int, total: int, pages: int, current: str | None) -> None:
        """Move the bar."""
        if total == 0:
            return
        if self._bar is None:
            self._bar = _bar(self._console)
            self._bar.add_task("Indexing", total=total)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=f"Indexing, {pages} pages")
        if done >= total:
            self.pause()

    def event(self, stored: StoredEvent, event: Event) -> None:
        """Show the latest event beside the spinner."""
        line = words(event)
        if line is None:
            return
        text = _plain(line)
        if self._status is None:
            self._status = self._console.status(text)
            self._status.start()
        self._status.update(text)

    def note(self, text: str) -> None:
        """A line above what moves."""
        self._console.print(_plain(shorten(text)))

    def pause(self) -> None:
        """Stop and clear what moves."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        if self._status is not None:
            self._status.stop()
            self._status = None


def progress_for(*, quiet: bool) -> Progress:
    """The progress that fits where stderr goes."""
    if quiet:
        return Silent()
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return Lines()
    from rich.console import Console  # a tenth of a second that only a terminal has to pay

    return Live(Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")), highlight=False))


def _bar(console: Console) -> Bar:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


def _plain(line: str) -> str:
    """Text in which rich sees no markup."""
    from rich.markup import escape

    return escape(line)
