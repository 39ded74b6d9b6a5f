from __future__ import annotations

import asyncio
import signal
from typing import Any

import pytest

from counterfoil import wiring
from counterfoil.entrypoints.cli.conduct import host_work
from counterfoil.entrypoints.cli.progress import progress_for


class SlowToClose:
    """A ledger during whose closing somebody presses Ctrl-C."""

    closed = False

    async def close(self) -> None:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0.01)
        self.closed = True


def test_an_interrupt_after_the_run_is_settled_does_not_lose_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = SlowToClose()
    monkeypatch.setattr(wiring, "open_ledger", lambda _: ledger)
    monkeypatch.setattr(wiring, "open_host", lambda *_: None)

    async def settled(_: object, pause: object) -> Any:
        return "the settled Run"

    nothing: Any = None
    finished: Any = asyncio.run(host_work(nothing, nothing, nothing, progress_for(quiet=True), settled))
    assert finished == "the settled Run"
    assert ledger.closed
