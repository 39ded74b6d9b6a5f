"""Owns the stored form of events: JSON bytes, with large fields moved to content-addressed blobs.

Never: I/O, compression, or a second encoding of what is stored. Key order is kept, because a replayed receipt
must give the very view that the live one gave.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any, get_args, get_type_hints

import msgspec

from counterfoil.core.errors import InternalError, LedgerBroken
from counterfoil.core.record.events import Event

# Below this a blob costs more than it saves (its row, index entry and look-up), and several events still share
# one 4 KiB database page; above it, deduplication and compression win.
INLINE_BYTES_MAX = 2048
# Content stands in blobs whatever its size, so that it can be purged; these say nothing.
EMPTY = frozenset((b"null", b"{}", b"[]", b'""'))
_NAMES = re.compile(rb'\{"\$blob":"([0-9a-f]{64})"\}')
_NAMES_IN_TEXT = re.compile(_NAMES.pattern.decode())
_MARK = b'{"$blob":'  # inside a JSON string the quotes would be escaped, so this is always structure

Namer = Callable[[bytes], str]


def _content_of(member: type[Any]) -> frozenset[str]:
    hints = get_type_hints(member, include_extras=True)
    return frozenset(name for name, hint in hints.items() if _is_content(hint))


def _is_content(hint: Any) -> bool:
    return any((meta.extra or {}).get("content") for meta in get_args(hint)[1:] if isinstance(meta, msgspec.Meta))


TYPES: dict[str, type[Any]] = {member.__name__: member for member in get_args(Event)}
CONTENT: dict[str, frozenset[str]] = {name: _content_of(member) for name, member in TYPES.items()}
_DECODERS = {name: msgspec.json.Decoder(member) for name, member in TYPES.items()}
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_REFERENCE = msgspec.json.Decoder(dict[str, str])
_ENCODE = msgspec.json.Encoder().encode


class Encoded(msgspec.Struct, frozen=True):
    """An event as bytes, with the blobs (name → bytes) that the bytes refer to."""

    type: str
    payload: bytes
    blobs: dict[str, bytes]


def keyed_namer(key: bytes) -> Namer:
    """Names blobs by a hash that only this store can make: equal bytes share a name, nobody can guess one."""
    keyed = hashlib.blake2b(key=key, digest_size=32)

    def name(body: bytes) -> str:
        digest = keyed.copy()
        digest.update(body)
        return digest.hexdigest()

    return name


def encode(event: Event, name_blob: Namer) -> Encoded:
    """The event as it will be stored.

    Raises:
        InternalError: a value that JSON cannot hold, such as half of a surrogate pair.
    """
    kind = type(event).__name__
    try:
        content = CONTENT[kind]
        if not content:
            payload = _ENCODE(event)
            if len(payload) <= INLINE_BYTES_MAX and _MARK not in payload:
                return Encoded(kind, payload, {})
        blobs: dict[str, bytes] = {}
        fields = {"type": msgspec.Raw(_ENCODE(kind))}
        for field in event.__struct_fields__:
            body = _ENCODE(getattr(event, field))
            says_something = field in content and body not in EMPTY
            if says_something or len(body) > INLINE_BYTES_MAX or _MARK in body:  # or holds what looks like a reference
                name = name_blob(body)
                blobs[name] = body
                body = _ENCODE({"$blob": name})
            fields[field] = msgspec.Raw(body)
        return Encoded(kind, _ENCODE(fields), blobs)
    except (TypeError, ValueError) as error:  # UnicodeEncodeError is a ValueError
        raise InternalError(
            f"A {kind} event cannot be written as JSON: {error}.",
            code="EVENT_NOT_ENCODABLE",
            hint="Nothing of it was stored. Text must be valid Unicode before it becomes an event.",
        ) from error


def blob_names(payload: bytes) -> tuple[str, ...]:
    """The blobs that a payload refers to.

    Raises:
        LedgerBroken: the payload is not what ``encode`` writes.
    """
    if _MARK not in payload:
        return ()
    return tuple(name for name in map(_referred, _split(payload).values()) if name is not None)


def names_like(payloads: Iterable[bytes]) -> list[str]:
    """Every blob that payloads refer to, and whatever in them only looks like one: readable or not, none is missed."""
    names: list[str] = _NAMES_IN_TEXT.findall(b"\n".join(payloads).decode("latin-1"))
    return list(dict.fromkeys(names))


def decode(type: str, payload: bytes, fetch: Callable[[str], bytes]) -> Event:
    """The event that was encoded. ``fetch`` returns a blob's bytes or raises ``KeyError``.

    Optional fields added since are filled with their defaults; fields of a later version are ignored.

    Raises:
        LedgerBroken: an unknown type, an unreadable payload, or a blob that is gone.
    """
    decoder = _DECODERS.get(type)
    if decoder is None:
        raise LedgerBroken(
            f"The ledger holds an event of type {type!r}, which this version does not know.",
            code="EVENT_TYPE_UNKNOWN",
            hint="A later version probably wrote it: upgrade counterfoil, then try again.",
        )
    if _MARK in payload:
        payload = _fill(type, payload, fetch)
    try:
        event: Event = decoder.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(f"A stored {type} event cannot be read: {error}.") from error
    return event


def _fill(type: str, payload: bytes, fetch: Callable[[str], bytes]) -> bytes:
    """The payload with each body in the place of its reference: one pass over the bytes while nothing is wrong."""
    parts = _NAMES.split(payload)  # every other one is the name of a blob
    if len(parts) // 2 == payload.count(_MARK):
        try:
            for place in range(1, len(parts), 2):
                parts[place] = fetch(parts[place].decode())
            return b"".join(parts)
        except KeyError:
            pass  # below it is told which field misses it
    fields = _split(payload)
    for field, raw in fields.items():
        name = _referred(raw)
        if name is None:
            continue
        try:
            fields[field] = msgspec.Raw(fetch(name))
        except KeyError as error:
            raise LedgerBroken(
                f"The {field} of a {type} event is no longer stored: blob {name[:12]}… is missing.",
                code="BLOB_MISSING",
                hint="It was lost or deleted from outside. Restore the store from a copy made before.",
            ) from error
    return _ENCODE(fields)


def _split(payload: bytes) -> dict[str, msgspec.Raw]:
    try:
        return _FIELDS.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(f"A stored event is not valid JSON: {error}.") from error


def _referred(raw: msgspec.Raw) -> str | None:
    body = bytes(raw)
    if not body.startswith(_MARK):
        return None
    try:
        return _REFERENCE.decode(body)["$blob"]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(f"A stored event names a blob in a way that cannot be read: {error}.") from error


def _unreadable(message: str) -> LedgerBroken:
    return LedgerBroken(
        message,
        code="EVENT_UNREADABLE",
        hint="Run `counterfoil verify` on this Run: it names the first event that was changed.",
    )
