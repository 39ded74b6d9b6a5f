"""Owns building HTML that is escaped by construction: plain text is always escaped, only ``Html`` is not.

Never: turning text from outside into ``Html`` by any other way than ``escape`` or the sanitiser.
"""

from __future__ import annotations

from html import escape as _escape

from counterfoil.adapters.render.plain import clean

_VOID = frozenset({"meta", "br", "hr", "link"})


class Html(str):
    """Markup that is safe to join."""

    __slots__ = ()


Child = str | None


def escape(text: object) -> Html:
    """Text without control characters, as markup."""
    return text if isinstance(text, Html) else Html(_escape(clean(text)))


def join(*children: Child) -> Html:
    """Children one after the other; None is left out."""
    return Html("".join(escape(child) for child in children if child is not None))


def tag(element: str, /, *children: Child, cls: str | None = None, **attributes: object) -> Html:
    """An element. Attribute names write ``_`` for ``-``; a value of None or False leaves the attribute out."""
    given = {"class": cls, **attributes}
    head = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_escape(clean(value))}"')
        for key, value in given.items()
        if value is not None and value is not False
    )
    if element in _VOID:
        return Html(f"<{element}{head}>")
    return Html(f"<{element}{head}>{join(*children)}</{element}>")
