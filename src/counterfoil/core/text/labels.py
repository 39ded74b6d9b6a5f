"""Owns numbers that name a thing instead of counting: "line 9", "type 2", "Gleis 4".

Never: plurals ("lines 9 and 14"), or nouns that are counted as often as numbered.
"""

from __future__ import annotations

import re

from counterfoil.core.text.alternatives import one_of

_WORDS = """
    line route bus tram gate platform zone room terminal runway track lane locker exit junction highway apartment flat
    hall pier dock reactor turbine type class group model grade category cohort district
    linie gleis raum zimmer halle klasse typ gruppe modell ligne salle quai classe groupe modèle
    línea zona sala andén clase tipo grupo modelo linea binario stanza gruppo modello
"""
_NOUNS = one_of(_WORDS.split())
_LABEL = re.compile(rf"(?<![^\W_])(?:{_NOUNS})\s(?P<number>\d{{1,4}})(?![\w%°$€£]|[.,:]\d)", re.IGNORECASE)
_NUMBERED = re.compile(r"\s(?<=[^\W\d_]\s)\d")  # the blank first: there are fewer of them than letters
_BEFORE = re.compile(rf"(?<![^\W_])(?:{_NOUNS})\s$", re.IGNORECASE)
_WINDOW = 16


def label_before(text: str, position: int) -> int | None:
    """Where the noun begins that makes the number at ``position`` a name, None without one."""
    low = max(0, position - _WINDOW)
    match = _BEFORE.search(text[low:position])
    return low + match.start() if match else None


def labels_in(text: str) -> tuple[str, ...]:
    """Every such name in ``text`` as one word: "line9"."""
    if not _NUMBERED.search(text):  # a cheap first look: most texts number nothing
        return ()
    return tuple(match[0].casefold().replace(" ", "") for match in _LABEL.finditer(text))
