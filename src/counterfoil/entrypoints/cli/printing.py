"""Owns the printing of JSON.

Never: importing anything of a Run; light commands print too.
"""

from __future__ import annotations

import json
import re
from typing import Any

import click

# Control characters that JSON allows in a text and a terminal obeys, and those that turn the direction of reading.
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Print JSON on stdout in UTF-8; half a character of a broken file name becomes a question mark."""
    text = _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False, indent=indent))
    click.echo(text.encode("utf-8", "replace"))
