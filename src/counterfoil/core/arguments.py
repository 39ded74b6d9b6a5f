"""Owns tool arguments: a Struct becomes the JSON schema a model sees, and a call's arguments become the Struct.

Never: repairing what a model wrote; the exact problem goes back to it.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from counterfoil.core.exchange import Json, ProposedCall

T = TypeVar("T")


class ArgumentsInvalid(Exception):
    """The arguments do not fit; the message says exactly where and why."""


def schema_of(arguments: type) -> Json:
    """The JSON schema of an argument Struct, with all references inlined under ``$defs``."""
    (schema,), components = msgspec.json.schema_components([arguments], ref_template="#/$defs/{name}")
    definitions = dict(components)
    top = definitions.pop(arguments.__name__)
    schema = {**top, "$defs": definitions} if definitions else top
    plain: Json = msgspec.json.decode(msgspec.json.encode(schema))  # defaults become what a ledger gives back
    return plain


def decode(call: ProposedCall, arguments: type[T]) -> T:
    """The arguments of ``call`` as a Struct.

    Raises:
        ArgumentsInvalid: they were not JSON, a field is missing, unknown or of the wrong type.
    """
    if call.malformed:
        raise ArgumentsInvalid(call.malformed)
    try:
        return msgspec.convert(call.args, arguments)
    except msgspec.ValidationError as wrong:
        raise ArgumentsInvalid(str(wrong)) from wrong
