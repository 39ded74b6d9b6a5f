"""Owns words that stand for an answer still to be written: TODO, lorem ipsum, [insert name], XX%.

Never: whether a source holds them too; that is a quotation, and the caller's to know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PATTERNS = re.compile(
    r"(?-i:\b(?:TODO|TBD|TBA|TBC|FIXME|XXX+|TK)\b)|\blorem ipsum\b|\bdolor sit amet\b"
    r"|\bto be (?:determined|added|filled in|completed|inserted|confirmed)\b"
    r"|\[(?:insert|add|your|fill|enter|placeholder|name|company|date|source|citation|link|value|amount"
    r"|number|todo|tbd|tbc|xx+)\b[^\]\n]{0,60}\](?!\()"
    r"|<(?:insert|placeholder|your|fill in)\b[^>\n]{0,60}>|\{\{[^}\n]{1,60}\}\}|\bplaceholder (?:text|value)\b"
    r"|\[(?:\.{3}|…|_{2,}|\?{1,3}|x{2,})\]|(?<!_)_{4,}(?!_)|(?-i:[$€£]\s?[XY]{1,3}(?:[.,][XY]{1,3})*\b)"
    r"|\b(?-i:X{1,3}\.?X{1,3})\s?(?:%|percent|million|billion)"
    r"|\b(?:www\.)?example\.(?:com|org|net)\b|\bcitation needed\b|\byour (?:text|content|answer) here\b"
    r"|\bas an? (?:ai|artificial intelligence|large language|language)(?: language)?(?: model| assistant)\b"
    r"|\bi(?: am|'m|’m) (?:just )?an? (?:ai|language model)\b|\bals (?:ki|sprachmodell|ki-sprachmodell)\b"
    r"|\ben tant qu(?:e|'|’)\s?(?:ia|modèle de langage|intelligence artificielle)\b"
    r"|\bplatzhalter(?:text)?\b|\[(?:einfügen|bitte ergänzen|hier)[^\]\n]{0,60}\]"
    r"|\[(?:insérer|à compléter)[^\]\n]{0,60}\]"
    r"|待补充|待定|占位符|プレースホルダー|作为一个?(?:AI|人工智能)",
    re.IGNORECASE,
)


def find_placeholders(text: str) -> Iterator[tuple[int, int]]:
    """The span of every placeholder in ``text``, in order."""
    for match in _PATTERNS.finditer(text):
        yield match.span()
