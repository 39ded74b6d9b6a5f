"""Owns telling in which language a text is written, by the small words that every sentence needs.

Never: certainty; a text with few of them, or with those of two languages, is in none.
"""

from __future__ import annotations

import re
from collections import Counter

_SMALL = {
    "en": "the of and to in is was for that with by from were are this which at",
    "de": "der die das und ist von mit den dem ein eine für auf im zu nicht wurde sich bei auch zum zur",
    "fr": "le la les des et est une du dans pour par sur sont avec qui aux ont au contre",
    "es": "el la los las y es una del en para por con que se fue al frente su",
    "it": "il la gli le e di che una del della per con sono nel alla dei",
    "nl": "de het een en van is op te dat met voor zijn niet door werd",
    "pt": "o a os as e de do da um uma em para com que não no na foi",
    "sv": "och att det som en på är av för med den till inte",
}
_LANGUAGES: dict[str, tuple[str, ...]] = {}
for _language, _words in _SMALL.items():
    for _word in _words.split():
        _LANGUAGES[_word] = (*_LANGUAGES.get(_word, ()), _language)
_WORD = re.compile(r"[^\W\d_]+")
_COUNT_MIN = 5
_LEAD = 1.5  # times as many as of any other language


def language_of(text: str) -> str | None:
    """The ISO 639-1 code of one of eight European languages; None when the text does not tell."""
    found: Counter[str] = Counter()
    for word in _WORD.findall(text.casefold()):
        found.update(_LANGUAGES.get(word, ()))
    ranked = [*found.most_common(2), ("", 0), ("", 0)]
    (first, count), (_, next_count) = ranked[:2]
    return first if count >= _COUNT_MIN and count >= _LEAD * next_count else None
