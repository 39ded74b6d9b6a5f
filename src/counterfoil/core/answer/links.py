"""Owns the links of a Markdown text: inline, by reference, in angle brackets, bare.

Never: opening one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from counterfoil.core.evidence.domains import host_of

_TO = r"<[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))*"
_LINK = re.compile(
    rf"(?P<image>!?)\[[^\[\]\n]*\]\([ \t]*(?P<inline>{_TO})(?:[ \t]+[\"'(][^)\n]*)?[ \t]*\)"
    r"|^[ \t]{0,3}\[[^\]\n^]+\]:[ \t]+(?P<defined>\S+)"
    r"|<(?P<auto>[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*)>"
    r"|(?P<bare>\bhttps?://[^\s<>\"'|\])]+)"
    r"|(?i:\bhref\s*=\s*[\"']?(?P<href>[^\s\"'>]+))",
    re.MULTILINE,
)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_SAFE = ("http", "https", "file")


class Link(msgspec.Struct, frozen=True):
    """A link as written: ``body[start:end]``, and where it leads."""

    start: int
    end: int
    target: str


def find_links(body: str) -> Iterator[Link]:
    """Every link of ``body``, in order."""
    for match in _LINK.finditer(body):
        kind = match.lastgroup or ""
        target = next(t for name in ("inline", "defined", "auto", "bare", "href") if (t := match[name]) is not None)
        if kind == "bare" or match["bare"] is not None:
            target = target.rstrip(".,;:!?*_")
            yield Link(match.start(), match.start() + len(target), target)
        else:
            yield Link(match.start(), match.end(), target.strip("<>"))


def unusable(target: str) -> str:
    """Why a target cannot be followed by anyone, "" when it can: no address, no host, a scheme that runs code."""
    text = "".join(c for c in target if c.isprintable()).strip()
    if not text:
        return "it leads nowhere"
    scheme = _SCHEME.match(text)
    if scheme is None:
        return ""
    if scheme[1].lower() not in _SAFE:
        return f"{scheme[1].lower()}: is no address of a source"
    if scheme[1].lower() != "file" and host_of(text) is None:
        return "it names no host"
    return ""
