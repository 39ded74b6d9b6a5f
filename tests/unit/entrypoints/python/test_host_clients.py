"""The Runs of a Host share their connections to a provider, and closing the Host closes them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.stubs.provider import Provider
from tests.stubs.wires import error
from tests.unit.entrypoints.python.desk import QUESTION, Desk

from counterfoil.adapters.models import direct
from counterfoil.adapters.models.connection import http_client


def test_runs_of_a_host_share_a_client_that_is_open_until_the_host_closes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    def noted(stall_seconds: float) -> Any:
        made.append(http_client(stall_seconds))
        return made[-1]

    monkeypatch.setattr(direct, "http_client", noted)

    async def work(url: str) -> None:
        async with desk.host(f"openai-compatible:stub@{url}") as host:
            runs = [await host.start(QUESTION) for _ in range(3)]
            await asyncio.gather(*(run.result() for run in runs))
            await (await host.start(QUESTION)).result()
            assert [client.is_closed for client in made] == [False]
        assert [client.is_closed for client in made] == [True]

    with Provider(error("openai-compatible", 401)) as stub:
        asyncio.run(work(stub.url))
        assert len(stub.requests) == 4
