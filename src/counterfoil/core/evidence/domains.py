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
    """Whether a document is named by ``docs``; true without docs.

    A name is the document's id or URL, its file name with or without suffix, a folder that holds it, or a part of
    its title.
    """
    if not docs:
        return True
    own, title, url = document.id.casefold(), document.title.casefold(), document.url.casefold()
    file = own.rsplit("/", 1)[-1]
    names = {own, own.rsplit(".", 1)[0], url, url.rsplit("/", 1)[-1], file, file.rsplit(".", 1)[0]}
    wanted = [name for doc in docs if (name := doc.strip().casefold().rstrip("/"))]
    return any(name in names or own.startswith(f"{name}/") or name in title for name in wanted)


def allowed(document: Document, domains: Sequence[str], docs: Sequence[str] = ()) -> bool:
    """Whether a document may speak for a row bound to ``domains`` and ``docs``; being named in ``docs`` suffices."""
    if docs:
        return among_docs(document, docs)
    return on_domains(document.url, domains)
