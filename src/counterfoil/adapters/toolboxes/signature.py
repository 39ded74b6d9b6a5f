"""Owns reading a Python function as a tool: its name, its description, and the arguments that it takes.

Never: calling it, or guessing what its author did not write down.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from counterfoil.core.arguments import schema_of
from counterfoil.core.errors import UsageError
from counterfoil.core.exchange import Json

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")  # what every provider accepts
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class Signature(msgspec.Struct, frozen=True):
    """A function as a tool: ``arguments`` is a Struct with one field a parameter, ``schema`` its JSON schema."""

    name: str
    description: str
    arguments: type[msgspec.Struct]
    schema: Json


def signature_of(function: Callable[..., Any], name: str | None = None) -> Signature:
    """Read ``function``: every parameter needs a type, the docstring's first paragraph says what the tool does.

    ``Annotated[str, "an ISO date"]`` describes a parameter to the model.

    Raises:
        UsageError: something is missing, or of a kind that JSON arguments cannot be turned into.
    """
    called = str(name or getattr(function, "__name__", ""))
    if not _NAME.fullmatch(called):
        raise _unusable(called or repr(function), "that is no name for a tool", 'letters, digits and _: name="rate_on"')
    description = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    if not description:
        raise _unusable(called, "it has no docstring", "say in its first line what it does: the model reads that")
    try:
        hints = get_type_hints(function, include_extras=True)
    except Exception as wrong:  # an annotation can be any expression
        raise _unusable(called, f"its annotations cannot be read: {wrong}", "import what they name") from wrong
    fields = [_field(called, parameter, hints) for parameter in inspect.signature(function).parameters.values()]
    try:
        arguments = msgspec.defstruct(
            f"ArgumentsOf_{called}", fields, frozen=True, kw_only=True, forbid_unknown_fields=True
        )
        schema = schema_of(arguments)
    except (TypeError, ValueError, NameError) as wrong:
        raise _unusable(called, str(wrong), "use types that JSON has: str, int, list[…], dataclasses") from wrong
    return Signature(called, description, arguments, schema)


def _field(tool: str, parameter: inspect.Parameter, hints: dict[str, Any]) -> tuple[str, Any] | tuple[str, Any, Any]:
    name = parameter.name
    if parameter.kind not in _BY_NAME:
        raise _unusable(tool, f"parameter {name!r} cannot be given by name", "take *args, **kwargs and / out")
    if name not in hints:
        raise _unusable(tool, f"parameter {name!r} has no type", f"annotate it: {name}: str")
    kind = _described(hints[name])
    return (name, kind) if parameter.default is parameter.empty else (name, kind, parameter.default)


def _described(hint: Any) -> Any:
    """The type, with a text beside it as its description in the schema."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, *beside = get_args(hint)
    for meta in beside:
        kind = Annotated[kind, msgspec.Meta(description=meta) if isinstance(meta, str) else meta]
    return kind


def _unusable(tool: str, why: str, hint: str) -> UsageError:
    return UsageError(f"{tool} cannot be a tool: {why}", code="TOOL_INVALID", hint=hint)
