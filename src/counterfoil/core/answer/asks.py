"""Owns reading what a task asks to be counted: "at least 500 words", "five competitors", "genau 3 Stichpunkte".

Never: guessing; words that name no number of a countable thing are no ask.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

Unit = Literal[
    "words", "characters", "sentences", "paragraphs", "sections", "bullets", "rows", "columns", "tables", "charts",
    "sources", "quotes", "links", "things",
]  # fmt: skip

_UNITS: dict[Unit, str] = {
    "words": r"words?|wörter[n]?|worte[n]?|wort|mots?|palabras?",
    "characters": r"characters?|zeichen|caractères|字符?|文字",
    "sentences": r"sentences?|sätze[n]?|satz|phrases|frases",
    "paragraphs": r"paragraphs?|absätze[n]?|absatz|paragraphes?",
    "sections": r"sections?|headings?|chapters?|abschnitte[n]?|abschnitt|kapitel[n]?|überschriften|sections?",
    "bullets": r"bullets?(?:[ -]points?)?|bullet[ -]items?|list items?|stichpunkte[n]?|aufzählungspunkte[n]?|puces",
    "rows": r"(?:table )?rows?|tabellenzeilen|zeilen|lignes",
    "columns": r"(?:table )?columns?|spalten|colonnes",
    "tables": r"tables?|tabellen?|tableaux?",
    "charts": r"charts?|graphs?|plots?|diagramme[n]?|diagramm|schaubilder[n]?|graphiques?",
    "sources": r"sources?|references?|citations?|quellen?|belege[n]?|références|fuentes",
    "quotes": r"(?:direct |verbatim )?(?:quotes?|quotations?)|zitate[n]?|zitat|citations textuelles",
    "links": r"links?|urls?|hyperlinks?|liens?",
}
_ORDINARY = tuple(
    re.findall(
        r"\S+",
        """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
""",
    )
)
_GERMAN = tuple(
    re.findall(
        r"\S+",
        """
    null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
""",
    )
)
_FRENCH = tuple(
    re.findall(
        r"\S+",
        """
    zéro un deux trois quatre cinq six sept huit neuf dix onze douze
""",
    )
)
_NUMBERS = {
    **{word: n for words in (_FRENCH, _GERMAN, _ORDINARY) for n, word in enumerate(words)},
    **{"eine": 1, "einen": 1, "einer": 1, "dozen": 12, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100},
}
_NUMBER = rf"(?:\d{{1,3}}(?:[,.’']\d{{3}})+|\d{{1,6}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_LIMITS = (
    ("least", r"at least|a minimum of|minimum(?: of)?|no fewer than|no less than|not less than|not fewer than|≥|>="
              r"|mindestens|wenigstens|au moins|al menos"),
    ("most", r"at most|no more than|not more than|a maximum of|maximum(?: of)?|up to|not exceeding|within|≤|<="
             r"|höchstens|maximal|nicht mehr als|bis zu|au plus|pas plus de"),
    ("under", r"fewer than|less than|under|below|weniger als|unter|moins de"),
    ("over", r"more than|over|above|mehr als|über|plus de"),
    ("exactly", r"exactly|precisely|genau|exakt|exactement"),
    ("about", r"about|around|roughly|approximately|approx\.?|circa|ca\.?|etwa|ungefähr|environ|~"),
)  # fmt: skip
_ASK = (
    rf"(?:(?:between|zwischen|entre)\s+(?P<low>{_NUMBER})\s+(?:and|und|et)\s+(?P<high>{_NUMBER})"
    rf"|(?<![\w.,$€£-])(?P<first>{_NUMBER})\s*(?:-|–|to|bis|à)\s*(?P<last>{_NUMBER})"
    rf"|(?:(?P<limit>{'|'.join(f'(?:{p})' for _, p in _LIMITS)})\s*(?:the\s+|de\s+)?)?"
    rf"(?<![\w.,$€£-])(?P<number>{_NUMBER}))"
    rf"(?!-[A-Z]\b)(?:[\s-]+(?:(?!millions?\b|billions?\b|thousands?\b|Mio|Mrd)[^\W\d_]+[\s-]+){{0,2}}?)?\s*(?P<noun>{'|'.join(_UNITS.values())})(?![^\W_])"
    rf"(?!\s+(?:per|each|pro|of\s+the\s+(?:report|document|filing)))"
)
_VERBS = (
    r"lists?|names?|gives?|shows?|provides?|finds?|identif(?:y|ies)|includes?|compares?|mentions?|covers?|describes?|picks?"
    r"|recommends?|suggests?|contains?|has|with|nenne[nt]?|liste[nt]?|zeige[nt]?|finde[nt]?|vergleiche[nt]?|enthält|mit"
    r"|donne[rz]?|cite[rz]?|compare[rz]?"
)
_THINGS = (
    rf"(?:^|(?<=[;:,(])|\b(?:{_VERBS})\b(?:\s+(?:me|us|the|all|mir|uns|die|les))?)\s*"
    rf"(?:(?P<limit>{'|'.join(f'(?:{p})' for _, p in _LIMITS)})\s*)?"
    rf"(?<![\w.,$€£-])(?P<number>{_NUMBER})\s+(?P<noun>(?:(?!and\b|und\b|or\b|oder\b|of\b)[^\W\d_][\w-]*\s+){{0,2}}?"
    r"[^\W\d_][\w-]*(?:s|en|e|er|n))(?=$|[\s.,;:!?)])"
)
_NO_THINGS = re.compile(
    r"(?i)(?:.*\s)?(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|quarters?|decades?|decimals?|places?|digits?"
    r"|percent|percents|points?|dollars?|euros?|pounds?|cents|millions?|billions?|thousands?|times|pages?|kilometers?"
    r"|kilometres?|miles?|met(?:er|re)s?|degrees?|tonnes?|tons?|tagen?|wochen?|monaten?|jahren?|stunden?|minuten?"
    r"|prozent|seiten?|millionen|milliarden|jours?|semaines?|mois|ans|années?|heures?)"
)
_SURE: tuple[Unit, ...] = ("words", "characters", "sentences", "paragraphs", "bullets")
_TOLD = re.compile(
    rf"\b(?:{_VERBS}|cite|use|using|from|based on|draw|write|add|make|zitiere|aus|in)\b[^.!?]*$", re.IGNORECASE
)
# "Answer in one sentence": that is all that is wanted.
_WHOLE = re.compile(r"\b(?:in|as|with|mit|en)\s+(?:just\s+|only\s+|nur\s+|une\s+seule\s+)?$", re.IGNORECASE)
_LEAD_CHARS = 40  # how far before a number its verb may stand
_ABOUT_SHARE = 10  # percent that "about 500 words" may be off


class Ask(msgspec.Struct, frozen=True):
    """Something to be counted: ``low`` to ``high`` of a unit. ``noun`` is the word used, for "things" what they are."""

    text: str
    unit: Unit
    noun: str
    low: int | None
    high: int | None

    @property
    def wanted(self) -> str:
        """What was asked, in words: "at least 500 words", "exactly 3 bullets"."""
        if self.low == self.high:
            return f"exactly {self.low} {self.noun}"
        if self.low is None:
            return f"at most {self.high} {self.noun}"
        return f"at least {self.low} {self.noun}" if self.high is None else f"{self.low} to {self.high} {self.noun}"


@cache  # two large patterns, which a task that asks for nothing never needs
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def find_asks(text: str, *, question: bool = False) -> tuple[Ask, ...]:
    """Every countable ask of ``text``, in order. In a ``question`` most need a verb that asks."""
    if not text.strip():
        return ()
    out: list[tuple[int, Ask]] = []
    taken: list[tuple[int, int]] = []
    for match in _compiled(_ASK).finditer(text):
        unit = next(u for u, pattern in _UNITS.items() if re.fullmatch(pattern, match["noun"], re.IGNORECASE))
        taken.append(match.span())
        if not question or unit in _SURE or _TOLD.search(text, max(0, match.start() - _LEAD_CHARS), match.start()):
            ask = _ask(match, unit, match["noun"])
            before = text[max(0, match.start() - _LEAD_CHARS) : match.start()]
            if (
                unit in ("sentences", "paragraphs")
                and not match["limit"]
                and ask.high is None
                and _WHOLE.search(before)
            ):
                ask = msgspec.structs.replace(ask, high=ask.low)  # no more than that
            out.append((match.start(), ask))
    for match in _compiled(_THINGS).finditer(text):
        inside = any(a < match.end("noun") and match.start("number") < b for a, b in taken)
        if not inside and not _NO_THINGS.fullmatch(match["noun"]):
            out.append((match.start(), _ask(match, "things", match["noun"].strip())))
    return tuple(ask for _, ask in sorted(out, key=lambda pair: pair[0]))


def _ask(match: re.Match[str], unit: Unit, noun: str) -> Ask:
    given = match.groupdict()
    text = " ".join(match[0].split())
    for low, high in (("low", "high"), ("first", "last")):
        if given.get(low):
            ends = sorted((_value(given[low]), _value(given[high])))
            return Ask(text, unit, noun, ends[0], ends[1])
    number = _value(given["number"])
    words = (given.get("limit") or "").strip()
    limit = next((name for name, pattern in _LIMITS if re.fullmatch(pattern, words, re.IGNORECASE)), "")
    low_high: dict[str, tuple[int | None, int | None]] = {
        "least": (number, None),
        "most": (None, number),
        "under": (None, number - 1),
        "over": (number + 1, None),
        "exactly": (number, number),
    }
    if limit in low_high:
        return Ask(text, unit, noun, *low_high[limit])
    if limit == "about" or (not limit and unit in ("words", "characters")):
        slack = number * _ABOUT_SHARE // 100
        return Ask(text, unit, noun, number - slack, number + slack)
    return Ask(text, unit, noun, number, None)  # "five competitors": a sixth does no harm


def _value(word: str) -> int:
    folded = word.casefold()
    return _NUMBERS[folded] if folded in _NUMBERS else int(re.sub(r"\D", "", word))
