"""Owns an answer's Markdown as terminal lines: paragraphs wrapped, tables turned into short blocks.

Never: losing a word or a mark of the answer.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import click

from counterfoil.core.text.marks import unescaped

_DIVIDER = re.compile(r"\|?[\s:|-]*-[\s:|-]*\|?")
_BAR = re.compile(r"(?<!\\)\|")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_QUOTED_MARK = re.compile(r"(\\[\[【](?=\s*[ECFRS]\d))")
_PREFIX = re.compile(r"((?:> ?|\s*[-*] |\s*\d+\. |#+ )?)(.*)")


def body_lines(markdown: str, width: int) -> str:
    """The body as text of at most ``width`` columns, bold where it is bold."""
    return "\n".join(_lines(markdown.strip().splitlines(), width))


def _lines(lines: list[str], width: int) -> Iterator[str]:
    place = 0
    while place < len(lines):
        end = place
        while end < len(lines) and lines[end].lstrip().startswith("|"):
            end += 1
        if end - place >= 2 and _DIVIDER.fullmatch(lines[place + 1].strip()):
            yield from _table(lines[place], lines[place + 2 : end], width)
            place = end
        else:
            yield _plain(_bold(_wrapped(lines[place], width)))
            place += 1


def _table(header: str, rows: list[str], width: int) -> Iterator[str]:
    """Each row as a block: its first cell, then a line for every other cell under its header."""
    names = _cells(header)
    for row in rows:
        cells = _cells(row)
        yield click.style(_plain(cells[0]), bold=True)
        for name, cell in zip(names[1:], cells[1:], strict=False):
            shown = _plain(f"{name}: {cell}")
            yield textwrap.fill(shown, width, initial_indent="  ", subsequent_indent="    ")


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.strip() for cell in _BAR.split(bare)]


def _wrapped(line: str, width: int) -> str:
    match = _PREFIX.fullmatch(line)
    prefix, text = match.groups() if match else ("", line)
    following = "> " if prefix.startswith(">") else " " * len(prefix)
    return textwrap.fill(text, width, initial_indent=prefix, subsequent_indent=following, break_on_hyphens=False)


def _bold(text: str) -> str:
    return _BOLD.sub(lambda match: click.style(match.group(1), bold=True), text)


def _plain(text: str) -> str:
    """Without Markdown's escapes, but where a document writes "[E7]" itself: that must not look like a mark of ours."""
    parts = _QUOTED_MARK.split(text)
    return "".join(part if at % 2 else unescaped(part) for at, part in enumerate(parts))
