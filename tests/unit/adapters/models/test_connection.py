"""One send is one request, whatever the library above would like."""

from __future__ import annotations

import asyncio

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
