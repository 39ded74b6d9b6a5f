"""What is sent past the SDK's walk arrives as the very bytes that the SDK itself would have sent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.stubs.dialects import Said
from tests.stubs.provider import Provider
from tests.stubs.wires import PROMPT, answer, send

from counterfoil.adapters.models import anthropic, openai
from counterfoil.adapters.models.as_given import send_as_given

WALKED = ("openai", "openai-compatible", "anthropic")


class Resource:
    """Notes what its ``create`` was called with."""

    async def create(self, **asked: Any) -> dict[str, Any]:
        return asked


def asked_of(**asked: Any) -> Any:
    resource = Resource()
    send_as_given(resource, ("messages", "tools"))
    return asyncio.run(resource.create(**asked))


@pytest.mark.parametrize("vendor", WALKED)
def test_a_body_is_byte_identical_to_the_one_that_the_sdk_builds(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Provider(answer(vendor, Said("Hello"))) as stub:
        send(vendor, stub.url, PROMPT)
        for module in (openai, anthropic):
            monkeypatch.setattr(module, "send_as_given", lambda *_: None)
        send(vendor, stub.url, PROMPT)
        ours, theirs = (asked.body for asked in stub.requests)
    assert b"It costs $18." in ours
    assert ours == theirs


@pytest.mark.parametrize("vendor", WALKED)
def test_the_sdk_walks_through_no_message(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the SDK or the library call it otherwise some day, the detour would be silently lost."""
    bodies: list[Any] = []
    given = send_as_given

    def watched(resource: Any, names: tuple[str, ...]) -> None:
        create = resource.create

        async def noting(**asked: Any) -> Any:
            bodies.append({name: asked.get(name) for name in names})
            return await create(**asked)

        resource.create = noting
        given(resource, names)

    for module in (openai, anthropic):
        monkeypatch.setattr(module, "send_as_given", watched)
    with Provider(answer(vendor, Said("Hello"))) as stub:
        send(vendor, stub.url, PROMPT)
    assert bodies
    assert all(value == [] for body in bodies for value in body.values())


def test_lists_go_around_and_what_was_left_out_stays_out() -> None:
    omitted = object()
    asked = asked_of(model="m", messages=[{"role": "user"}], tools=omitted)
    assert asked["messages"] == []
    assert asked["tools"] is omitted
    assert asked["extra_body"] == {"messages": [{"role": "user"}]}


def test_an_extra_body_of_the_caller_is_kept_and_wins_as_it_would_have() -> None:
    asked = asked_of(messages=[1], extra_body={"thinking": False, "messages": [2]})
    assert asked["extra_body"] == {"messages": [2], "thinking": False}
