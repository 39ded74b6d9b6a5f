"""Owns how text from outside is set into a prompt: between marks that it cannot close, its control tokens taken apart.

Never: leaving anything of it out.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec

from counterfoil.core.exchange import Json

FENCE_CHARS = 16
PRUNED_DEEP = 8  # levels: the tools' own results have five
# What a chat template or a tokenizer may take for a mark of its own: <|im_start|>, </s>, <tool_call>, <｜User｜>,
# <<SYS>>, [INST], [TOOL_CALLS]. Local servers turn these into control tokens wherever they stand in a message.
_CONTROL = re.compile(r"<(?=[|｜/!?<A-Za-z_])|\[(?=/?[A-Z_]{3,40}\])")
_ESCAPES = {"<": r"\u003c", "[": r"\u005b"}


def defused(text: str) -> str:
    """``text`` with the first character of whatever looks like a control token as its JSON escape: in JSON the same."""
    return _CONTROL.sub(lambda match: _ESCAPES[match[0]], text)


def defused_values(args: Json) -> Json:
    """``args`` with every text in it ``defused``."""
    encoded = msgspec.json.encode(args).decode()
    kept: Json = msgspec.json.decode(_CONTROL.sub(lambda match: "\\" + _ESCAPES[match[0]], encoded))
    return kept


def fenced(text: str, word: str = "") -> str:
    """``text`` between marks made of ``word``, or of another where that occurs in it."""
    text = defused(text)
    while not word or word in text:
        word = hashlib.sha256(f"{word}\n{text}".encode()).hexdigest()[:FENCE_CHARS]
    return f"--- begin {word}\n{text}\n--- end {word}"


def as_text(content: Json) -> str:
    """``content`` as JSON without what is empty; each item of its lists on a line of its own."""
    kept = _pruned(content, PRUNED_DEEP)
    return "{" + ",".join(f"{_json(key)}:{_listed(value)}" for key, value in kept.items()) + "}"


def _listed(value: object) -> str:
    if isinstance(value, list) and isinstance(value[0], dict):  # an empty list is not kept
        return "[\n" + ",\n".join(map(_json, value)) + "]"
    return _json(value)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _pruned(value: Any, deep: int) -> Any:
    """``value`` without empty values of its objects, ``deep`` levels down."""
    if not deep:
        return value
    if isinstance(value, dict):
        inner = {key: _pruned(item, deep - 1) for key, item in value.items()}
        return {key: item for key, item in inner.items() if item is not None and item not in ("", [], (), {})}
    return [_pruned(item, deep - 1) for item in value] if isinstance(value, list | tuple) else value
