"""Owns what a user adds to a Host in code, and that nothing of it passes for what was there before.

Never: replacing a tool or a publication check.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from counterfoil.core.errors import RefusedError
from counterfoil.ports.model import Model
from counterfoil.ports.tool import Tool
from counterfoil.ports.validator import Validator


class Additions(msgspec.Struct, frozen=True):
    """A model in the place of the one that the settings name, and tools and publication checks beside the others."""

    model: Model | None = None
    tools: tuple[Tool, ...] = ()
    validators: tuple[Validator, ...] = ()


NOTHING_ADDED = Additions()


def with_tools(tools: tuple[Tool, ...], added: Additions) -> tuple[Tool, ...]:
    """``tools`` and those of ``added``.

    Raises:
        RefusedError: two have one name.
    """
    joined = (*tools, *added.tools)
    require_distinct("tool", (tool.spec.name for tool in joined))
    return joined


def with_validators(validators: tuple[Validator, ...], added: Additions) -> tuple[Validator, ...]:
    """``validators`` and those of ``added``.

    Raises:
        RefusedError: two have one name, their versions aside.
    """
    joined = (*validators, *added.validators)
    require_distinct("publication check", (check.name.partition("@")[0] for check in joined))
    return joined


def require_distinct(what: str, names: Iterable[str]) -> None:
    """Refuse a name that stands twice: a receipt or a finding must say whose it is.

    Raises:
        RefusedError: it tells the first such name.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise RefusedError(
                f"there is a {what} named {name!r} already", code="NAME_TAKEN", hint="give yours another name"
            )
        seen.add(name)
