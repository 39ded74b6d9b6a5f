"""Owns which documents a row or a task allows: by the host of their URL, or by name.

Never: fetching, public-suffix knowledge, or redirects; a domain allows itself and its sub-domains.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from counterfoil.core.evidence.passages import Document

_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([^/?#\\]*)")


def host_of(url: str) -> str | None:
    """The host in small letters, without user, port and trailing dot; None when the URL has none (file:)."""
    match = _AUTHORITY.match(url.strip())
    if match is None:
        return None
    host = match[1].rsplit("@", 1)[-1]
    host = host if host.startswith("[") else host.split(":", 1)[0]
    return host.rstrip(".").lower() or None


def on_domains(url: str, domains: Sequence[str]) -> bool:
    """Whether the URL's host is one of ``domains`` or below one; always true without domains.

    With domains set, a URL without a host is outside: nobody said that the file came from there.
    """
    if not domains:
        return True
    host = host_of(url)
    if host is None:
        return False
    for domain in domains:
        name = (host_of(domain) or domain).strip().lower().removeprefix("*.").strip(".").split("/", 1)[0]
        if name and (host == name or host.endswith(f".{name}")):
            return True
    return False


def among_docs(document: Document, docs: Sequence[str]) -> bool:
    """Whether a document is named by ``docs``: its id, its file name, or a part of its title; true without docs."""
    if not docs:
        return True
    title, url = document.title.casefold(), document.url.casefold()
    for name in docs:
        wanted = name.strip().casefold()
        if wanted and (wanted == document.id.casefold() or url.endswith(f"/{wanted}") or wanted in title):
            return True
    return False


def allowed(document: Document, domains: Sequence[str], docs: Sequence[str] = ()) -> bool:
    """Whether a document may speak for a row bound to ``domains`` and ``docs``; being named in ``docs`` suffices."""
    if docs:
        return among_docs(document, docs)
    return on_domains(document.url, domains)
