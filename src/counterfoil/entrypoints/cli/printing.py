"""Owns the printing of JSON.

Never: importing anything of a Run; light commands print too.
"""

from __future__ import annotations

import json
from typing import Any

import click


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Print JSON on stdout in UTF-8; half a character of a broken file name becomes a question mark."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    click.echo(text.encode("utf-8", "replace"))
