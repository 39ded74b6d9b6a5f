"""Owns which documents a row or a task allows: by the host of their URL, or by name.

Never: fetching, redirects, or the public suffix list (whoever has it is asked once, for the rule: ``owned``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from counterfoil.core.evidence.passages import Document

Registrable = Callable[[str], str | None]  # host → the domain that somebody registered, None for a public suffix

_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([^/?#\\]*)")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")  # what a browser takes for a dot in a host
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")
_NUMERIC = re.compile(r"(?:0x[0-9a-f]*|\d+)")
_LABEL_CHARS_MAX = 63


def host_of(url: str) -> str | None:
    """The host as DNS knows it: small ASCII letters, without user, port and trailing dot.

    None when the URL has none (file:), and when what stands there can be no host's name.
    """
    match = _AUTHORITY.match(url.strip())
    if match is None:
        return None
    host = match[1].rsplit("@", 1)[-1]
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]" if "]" in host else None
    return ascii_host(host.split(":", 1)[0])


def ascii_host(host: str) -> str | None:
    """A host's name in ASCII ("münchen.example" is "xn--mnchen-3ya.example"); None when it is no name."""
    labels = _DOTS.split(host.strip())
    while labels and not labels[-1]:
        labels.pop()  # the root's dot
    try:
        name = ".".join(_ascii(label) for label in labels)
    except UnicodeError:
        return None
    return name if _HOST.fullmatch(name) else None


def _ascii(label: str) -> str:
    """One label; letters that only look alike stay different: each has a spelling of its own."""
    if label.isascii():
        if len(label) > _LABEL_CHARS_MAX:
            raise UnicodeError("label too long")
        return label.lower()
    return label.encode("idna").decode("ascii").lower()


def owned(domain: str, registrable: Registrable) -> str:
    """The domain that a rule stands for: what somebody registered, so that "www.a.co.uk" allows "shop.a.co.uk".

    A public suffix, an address in numbers, and what is no name, stay as they were written.
    """
    name = _rule(domain)
    if name is None or _is_address(name):
        return domain
    return registrable(name) or name


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
        name = _rule(domain)
        if name is not None and (host == name or (host.endswith(f".{name}") and not _is_address(name))):
            return True
    return False


def _rule(domain: str) -> str | None:
    """The host that a rule names: "*.a.gov", "a.gov/passes" and "https://a.gov" are a.gov."""
    text = domain.strip()
    if "://" in text:
        return host_of(text)
    return host_of(f"https://{text.removeprefix('*').lstrip('.')}")


def _is_address(host: str) -> bool:
    return host.startswith("[") or _NUMERIC.fullmatch(host.rsplit(".", 1)[-1]) is not None


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
