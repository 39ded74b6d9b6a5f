"""One send is one request, whatever the library above would like."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.stubs.provider import Provider, told

from counterfoil.adapters.models.connection import SecondRequest, http_client, one_request

pytestmark = pytest.mark.req("MOD-01")


def test_a_second_request_within_one_send_never_leaves() -> None:
    async def retrying(url: str) -> None:
        async with http_client(5) as client:
            with one_request():
                await client.get(url)
                await asyncio.create_task(client.get(url))  # as a library's own task would

    with Provider(told(500, {})) as stub:
        with pytest.raises(SecondRequest):
            asyncio.run(retrying(stub.url))
        assert len(stub.requests) == 1


def test_sends_side_by_side_and_one_after_another_have_a_request_each() -> None:
    async def sends(url: str) -> None:
        async with http_client(5) as client:

            async def one() -> None:
                with one_request():
                    await client.get(url)

            await asyncio.gather(one(), one())
            await one()

    with Provider(told(200, {})) as stub:
        asyncio.run(sends(stub.url))
        assert len(stub.requests) == 3


def test_clients_share_what_they_trust_until_the_environment_names_something_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Provider(told(200, {}), tls=True) as stub:
        authority = tmp_path / "authority.pem"
        authority.write_bytes(stub.authority_pem)

        async def get() -> int:
            async with http_client(5) as client:
                return int((await client.get(stub.url)).status_code)

        with pytest.raises(httpx2.ConnectError):
            asyncio.run(get())
        loaded = count_loads(monkeypatch)
        with pytest.raises(httpx2.ConnectError):
            asyncio.run(get())
        assert loaded == []
        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        assert asyncio.run(get()) == 200


def count_loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whenever certificate authorities are read from here on, there is one more in what this gives."""
    loaded: list[str] = []
    read = ssl.SSLContext.load_verify_locations

    def counting(context: ssl.SSLContext, *args: Any, **named: Any) -> None:
        loaded.append("read")
        read(context, *args, **named)

    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", counting)
    return loaded
