"""Owns showing a proposed contract to a person on a terminal: accept it, edit it, or stop.

Never: asking where nobody can answer; without a terminal, with --json or --yes the proposal stands unseen.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import click

from counterfoil.adapters.render.plain import clean
from counterfoil.core.answer.contract import Contract
from counterfoil.core.errors import UsageError
from counterfoil.entrypoints.cli.taskfile import CONTRACT_KEYS, dump_contract, parse_task

Confirm = Callable[[Contract], Awaitable[Contract | None]]
_CHOICES = click.Choice(["a", "e", "q"])


def asks_person(*, as_json: bool, yes: bool, interactive: bool) -> bool:
    """Whether a person is there to see the proposal."""
    return interactive and not as_json and not yes


def confirmer(pause: Callable[[], None]) -> Confirm:
    """A ``confirm`` for the Host; ``pause`` clears the progress display before the question.

    Ctrl-C instead of an answer cancels the task that asks, which pauses the Run.
    """

    async def confirm(contract: Contract) -> Contract | None:
        pause()
        try:
            with _interruptible():
                return review(contract)
        except (click.Abort, KeyboardInterrupt):  # Ctrl-C, or the end of the input
            raise asyncio.CancelledError from None

    return confirm


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end a question at once: the loop's own handler has to wait until it is answered."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def review(contract: Contract) -> Contract | None:
    """Show ``contract`` until a person accepts it, edited or not; None when they stop."""
    while True:
        click.echo("This is what will be looked for:\n", err=True)
        click.echo(clean(dump_contract(contract)), err=True)
        choice = click.prompt("[a]ccept, [e]dit or [q]uit", type=_CHOICES, default="a", show_choices=False, err=True)
        if choice == "q":
            return None
        if choice == "a":
            return contract
        contract = _edited(contract)


def _edited(contract: Contract) -> Contract:
    text = click.edit(dump_contract(contract), extension=".yaml")
    if text is None:  # closed without saving
        return contract
    try:
        changed = parse_task(text, "the contract", CONTRACT_KEYS).contract
    except UsageError as wrong:
        click.echo(f"{wrong.message}; {wrong.hint}. Nothing was changed.\n", err=True)
        return contract
    if changed.question != contract.question:
        click.echo("The question stays as it was asked; ask another with `counterfoil ask`.\n", err=True)
    return Contract(**{**{f: getattr(changed, f) for f in CONTRACT_KEYS}, "question": contract.question})
