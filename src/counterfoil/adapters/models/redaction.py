"""Owns what must not be read back: keys, and what looks like one, in any text that a provider or an SDK returns.

Never: the text of a prompt; a model is not shown a key in the first place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

HIDDEN = "[hidden]"
SECRET_CHARS_MIN = 8  # a shorter "key" is a word of its own, and hiding it would garble whatever holds it
DETAIL_CHARS_MAX = 400

# Shapes of secrets that are not ours to know: other people's keys in an error page, credentials inside an address.
_SHAPES = tuple(
    (re.compile(shape, re.IGNORECASE), f"{kept}{HIDDEN}")
    for shape, kept in (
        (r"(\w+://)[^\s/@\"']*@", r"\1"),
        (r"(\w+://[^\s?\"'<>]*\?)[^\s\"'<>]+", r"\1"),
        (r"\b(bearer|basic)\s+[\w.~+/=*-]{6,}", r"\1 "),
        (r"\b(sk|pk|rk)-[\w*-]{6,}", ""),
        (r"\bAIza[\w-]{10,}", ""),
        (r"((?:api[-_ ]?key|access[-_ ]?token|password|secret)[\"']?\s*[=:]\s*[\"']?)[^\s\"',;&]{4,}", r"\1"),
    )
)


class Redactor:
    """Hides ``secrets`` however a text may have written them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = {secret for secret in secrets if len(secret) >= SECRET_CHARS_MIN}
        self._known = re.compile("|".join(map(_however_written, sorted(known, key=len, reverse=True))) or r"(?!)")

    def hide(self, text: str) -> str:
        """``text`` without the secrets themselves; for what must otherwise stay as it is, such as a reply."""
        return self._known.sub(HIDDEN, text)

    def detail(self, text: str) -> str:
        """``text`` as one short line for a person: nothing that looks like a secret is left, a cut is marked."""
        line = " ".join(self.hide(text).split())
        for shape, shown in _SHAPES:
            line = shape.sub(shown, line)
        return line if len(line) <= DETAIL_CHARS_MAX else f"{line[:DETAIL_CHARS_MAX]}…"


def _however_written(secret: str) -> str:
    r"""A pattern of ``secret`` with any of its characters as a JSON escape (``\u0073``), behind a ``\``, or as ``%73``.

    JSON within JSON doubles each backslash. What is read back from any of these would be the secret itself.
    """
    return "".join(
        rf"(?:\\{{1,4}}u00(?i:{ord(char):02x})|\\{{0,4}}{re.escape(char)}|%(?i:{ord(char):02x}))" for char in secret
    )
