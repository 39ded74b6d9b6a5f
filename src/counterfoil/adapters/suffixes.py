"""Owns the public suffix list: which part of a host somebody registered.

Never: fetching a newer list; the packaged snapshot is what a Run is judged by.
"""

from __future__ import annotations

from publicsuffixlist import PublicSuffixList


class PublicSuffixes:
    """The packaged list, read once. A suffix that it does not know counts as one label."""

    def __init__(self) -> None:
        self._list = PublicSuffixList(accept_unknown=True)

    def registrable(self, host: str) -> str | None:
        """The registered domain of an ASCII host ("shop.a.co.uk" → "a.co.uk"); None for a public suffix itself."""
        found: str | None = self._list.privatesuffix(host)
        return found
