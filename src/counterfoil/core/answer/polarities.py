"""Owns where a sentence affirms what its cited passage denies, or leaves out the condition that it states.

Never: certainty; language has more ways to deny than code knows, so this only warns.
"""

from __future__ import annotations

import re

from counterfoil.core.text.stems import plain, stem, stems

_DENIAL = re.compile(
    r"\b(?:not|never|no longer|no|without|neither|nor|cannot|non|isn['’]t|aren['’]t|doesn['’]t|don['’]t"
    r"|won['’]t|can['’]t|wasn['’]t|weren['’]t"
    r"|didn['’]t|nicht|kein\w*|ohne|nie|jamais|ne|n['’]|pas|sans|aucune?|no|sin|nunca|non)\b|不|没有|未|無|ない|ません|なし",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:unless|except|excluding|only if|provided that|as long as|subject to|es sei denn|außer|sofern"
    r"|nur wenn|sauf|à moins|à condition|salvo)\b|除非|除外|ただし|限り",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\W\d_]{4,}")
_REACH = 28  # characters before a word in which a denial counts, within its clause
_SHARED_MIN = 2


def doubtful(said: str, passage: str) -> str:
    """What is doubtful in ``said`` against its passage: a word denied on one side only, a condition left out; ""."""
    mine, theirs = _polarity(said), _polarity(passage)
    shared = mine.keys() & theirs.keys()
    for word in sorted(shared, key=len, reverse=True):
        if (
            mine[word] is not None
            and theirs[word] is not None
            and mine[word] != theirs[word]
            and len(shared) >= _SHARED_MIN
        ):
            return f"the passage {'denies' if theirs[word] else 'affirms'} {word!r}"
    condition = _CONDITION.search(passage)
    if condition and not _CONDITION.search(said) and not re.search(r"\bif\b|\bwenn\b|\bsi\b|如果", said):
        sentence = passage[passage.rfind(".", 0, condition.start()) + 1 : condition.start()]
        leading = stems(sentence)
        if len(leading) >= _SHARED_MIN and len(leading & stems(said)) * 2 > len(leading):
            return f"the passage says {condition[0]!r}"
    return ""


def _polarity(text: str) -> dict[str, bool | None]:
    """For each word: whether it is denied; None when it stands both ways. Un- and non- deny what they begin."""
    out: dict[str, bool | None] = {}
    for match in _TOKEN.finditer(text):
        low = max(text.rfind(c, 0, match.start()) for c in ".;,:") + 1
        denied = _DENIAL.search(text, max(low, match.start() - _REACH), match.start()) is not None
        word = stem(plain(match[0]))
        for prefix in ("non", "un"):
            if word.startswith(prefix) and len(word) > len(prefix) + 4:
                word, denied = word[len(prefix) :], not denied
                break
        out[word] = denied if word not in out or out[word] == denied else None
    return out
