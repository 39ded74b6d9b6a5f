"""Owns what an HTML page says of itself: title, dates, language, declared encoding.

Dates come from metadata; one found only in text is marked as guessed. Never: trusting any of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{2,40})", re.I)
_XML_CHARSET = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([a-zA-Z0-9_.:-]{2,40})", re.I)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_PUBLISHED = (
    "article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "pubdate",
    "publish-date",
    "citation_publication_date",
)
_UPDATED = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "last-modified",
    "dcterms.modified",
    "dc.date.modified",
    "revised",
)
_HIDDEN_META = ("description", "keywords", "og:description", "twitter:description")
_DATES_IN_JSON_MAX = 50


class Metadata(msgspec.Struct, frozen=True):
    """What the page says of itself."""

    title: str | None
    language: str | None
    published: str | None
    updated: str | None
    guessed: bool
    hidden: tuple[str, ...]  # descriptions and alternative texts: read by machines only


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that the first bytes of a page declare."""
    found = _META_CHARSET.search(data[:4096]) or _XML_CHARSET.search(data[:512])
    name = found.group(1).decode("ascii", "replace").lower() if found else None
    return {"iso-8859-1": "cp1252", "latin1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}.get(name or "", name)


def metadata(root: Any) -> Metadata:
    """Collect what ``root`` says of the page."""
    meta = dict(_meta(root))
    linked = dict(_json_dates(root))
    published = _first_iso([*(meta.get(k) for k in _PUBLISHED), linked.get("datepublished")])
    updated = _first_iso([*(meta.get(k) for k in _UPDATED), linked.get("datemodified")])
    guessed = False
    if published is None and updated is None:
        published = _first_iso(t.get("datetime") for t in root.iter("time"))
        guessed = published is not None
    head_title = root.find(".//title")
    title = meta.get("og:title") or (head_title.text_content() if head_title is not None else None)
    language = (
        root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or meta.get("content-language")
    )
    return Metadata(
        title=" ".join(title.split()) or None if title else None,
        language=language.strip() or None if language else None,
        published=published,
        updated=updated,
        guessed=guessed,
        hidden=tuple([meta[k] for k in _HIDDEN_META if meta.get(k)] + list(_alternatives(root))),
    )


def _meta(root: Any) -> Iterator[tuple[str, str]]:
    for node in reversed(list(root.iter("meta"))):  # the first of a name wins in the dict
        name = node.get("property") or node.get("name") or node.get("itemprop") or node.get("http-equiv")
        content = node.get("content")
        if name and content and content.strip():
            yield name.strip().lower(), content.strip()


def _json_dates(root: Any) -> Iterator[tuple[str, str]]:
    for node in root.iter("script"):
        if (node.get("type") or "").lower() != "application/ld+json":
            continue
        try:
            pending: list[Any] = [json.loads(node.text or "")]
        except (ValueError, RecursionError):
            continue  # broken metadata says nothing
        for _ in range(_DATES_IN_JSON_MAX):
            if not pending:
                break
            value = pending.pop()
            if isinstance(value, dict):
                yield from (
                    (k.lower(), v) for k, v in value.items() if isinstance(v, str) and k.lower().startswith("date")
                )
                pending += value.values()
            elif isinstance(value, list):
                pending += value


def _first_iso(values: Any) -> str | None:
    return next((m.group() for v in values if v and (m := _ISO.match(v.strip()))), None)


def _alternatives(root: Any) -> Iterator[str]:
    for node in root.iter("img", "area", "input"):
        text = " ".join((node.get("alt") or node.get("placeholder") or "").split())
        if text:
            yield text
