"""Owns the way around an SDK's walk through all that is sent, which looks for types that we never send.

Never: a change of what arrives: a body is the same bytes in the same order with and without it.
"""

from __future__ import annotations

from typing import Any


def send_as_given(resource: Any, names: tuple[str, ...]) -> None:
    """Let ``resource.create`` of an SDK send the lists called ``names`` as they are.

    The SDK compares each value of each message with its type hints on every request, to rename keys and to read
    files: a third of a Run's time under cProfile, growing with the conversation. ``extra_body``, which it documents for
    parameters that it does not know, is merged in after that walk; an empty list keeps each one's place in the body.
    """
    create = resource.create

    async def create_as_given(**asked: Any) -> Any:
        given = {name: asked[name] for name in names if isinstance(asked.get(name), list)}
        body = {**given, **(asked.get("extra_body") or {})}
        return await create(**{**asked, **{name: [] for name in given}, "extra_body": body})

    resource.create = create_as_given
