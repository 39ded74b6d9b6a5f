"""Owns the words that say which way a number moved, and what a number beside them is: a change, a level, a base.

Never: whether the number did move that way.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Role = Literal["change", "level", "base", "plain"]

_UP = (
    r"rose|ris(?:e|es|en|ing)|increas\w*|gr[eo]w(?:n|s|ing|th)?|higher|climb\w*"
    r"|(?<!made )(?<!make )(?<!makes )(?<!making )up(?!\s+to\b|-to-)"
    r"|jump\w*|surg(?:e|ed|es|ing)|improv\w*|expan(?:d|ds|ded|ding|sion)|widen\w*|advanc(?:e|ed|es)"
    r"|accelerat\w*|doubled"
    r"|tripled|soared|uptick|lifted|raised|edged up|went up|longer|dearer|warmer|hotter|heavier|taller"
    r"|stieg(?:en)?|steig\w*|gestiegen\w*|anstieg\w*|erhöh\w*|wuchs(?:en)?|wachs\w*|gewachsen|wachstum"
    r"|zugenommen|zunahme|kletter\w*|(?:nahm(?:en)?|leg(?:te|ten|t))(?=[^;]{1,60}\bzu\b\s*(?:[.,;]|$))"
    r"|zuwachs|verbesser\w*|höher\w*|ausgeweitet|zugelegt|plus(?=\s*\d)"
    r"|aument\w*|creci\w*|sub(?:ió|ieron|e|ida)|mejor\w*|crec\w*|alza|salit\w*|cresc\w*|migliorat\w*"
    r"|augment\w*|hausse|progress\w*|croît|crû|croissance|amélior\w*|élev\w* de|bondi|grimp\w*"
)
_DOWN = (
    r"fell|fall(?:s|en|ing)?|decreas\w*|declin\w*|drop(?:s|ped|ping)?|down(?!load)|lower(?:ed)?|shrank|shr[iu]nk\w*"
    r"|slip(?:s|ped)?|slid(?:es)?|slump\w*|reduc\w*|contract(?:ed|ion)|narrow\w*|worsen\w*|deteriorat\w*"
    r"|dipped|plung\w*"
    r"|tumbl\w*|weaken\w*|came down|went down|eased|cut by|shorter|cheaper|cooler|colder|lighter"
    r"|sank(?:en)?|sink\w*|gesunken|senk\w*|gesenkt|rückgang|zurückgegangen|zurückging|zurück|verringer\w*"
    r"|ging(?:en)?(?=[^;]{1,60}\bzurück\b)|verminder\w*|nahm(?:en)?(?=[^;]{1,60}\bab\b\s*(?:[.,;]|$))"
    r"|fiel(?:en)?|gefallen|abgenommen|abnahme|niedriger\w*|verschlechter\w*|geschrumpft|reduzier\w*|minus(?=\s*\d)"
    r"|baj(?:ó|aron|a|ada)|cay\w*|ca(?:e|ída)|disminu\w*|redu[cj]\w*|descen\w*|retroced\w*|diminui\w*|scese"
    r"|calat\w*|calo"
    r"|baiss\w*|recul\w*|diminu\w*|chut\w*|régress\w*|repli\w*"
)
_CJK_UP = "增长|上升|增加|提高|上涨|增長|上漲|増加|上昇|増収|増益|伸び|拡大|改善|增至|升至|提升"
_CJK_DOWN = "下降|减少|下跌|降低|減少|低下|下落|減収|減益|縮小|缩小|降至|減り|悪化|下滑|回落"
_WORDS = re.compile(
    rf"(?<![\w-])(?:(?P<up>{_UP})|(?P<down>{_DOWN}))(?![\w-])|(?P<cup>{_CJK_UP})"
    rf"|(?P<cdown>{_CJK_DOWN})",
    re.IGNORECASE,
)
_SOFT = re.compile(r"improv|worsen|deteriorat|verbesser|verschlechter|amélior|改善|悪化|lost|gain|gagn", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:not|n['’]t|never|no|without|neither|nicht|kein\w*|ne|sans)\s+(?:\w+\s+)?$|[没未不]$", re.IGNORECASE
)
_TO = re.compile(
    r"(?:\b(?:to|at|auf|à|reaching|totaling|totalling)|[至到为達は]|になり|to reach|\b(?:hasta|fino a|[^\W\d_]+(?:ó"
    r"|aron)\s+a))\s*(?:about|around|some|roughly|nearly|rund|etwa|environ|a record|约|約)?\s*[(+\-–]?\s*$",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"(?:\b(?:from|than|against|versus|vs\.?|compared (?:to|with)|(?:after|following|below|above)"
    r"|von|nach|gegenüber|gegen|depuis|contre|passant de|de|desde|da|dai|dal|frente a|rispetto a)|[从比])\s*(?:about"
    r"|around|some|roughly|a|the|the prior|rund|etwa|environ)?\s*[(+\-–]?\s*$",
    re.IGNORECASE,
)
_FROM_AFTER = re.compile(r"\s*(?:から|に比べ|に対し)")
_TO_AFTER = re.compile(r"\s*(?:に|へ|まで)(?!比|対)")
_FRENCH_FROM = re.compile(r"\bde\s*$", re.IGNORECASE)
_FRENCH_TO = re.compile(r"^[^.;]{0,40}?\b(?:à|a)\s", re.IGNORECASE)
_BY = re.compile(
    r"(?:\b(?:by|um|of|un|del|en un)|了)\s*(?:about|around|roughly|nearly|rund|etwa|environ|约|約)?\s*[(+\-–]?\s*$",
    re.IGNORECASE,
)

_MORE = re.compile(
    r"\s*(?:(?P<more>more|mehr|de plus|más|in più|over|above|über|au-dessus|por encima)|"
    r"(?:fewer|less|weniger|de moins|menos|in meno|under|below|unter|au-dessous|por debajo))\b",
    re.IGNORECASE,
)


class Direction(msgspec.Struct, frozen=True):
    """A direction word: ``sign`` is 1 up, -1 down; ``soft`` words judge ("improved") more than they measure."""

    start: int
    end: int
    sign: int
    soft: bool


def find_directions(text: str) -> tuple[Direction, ...]:
    """Every direction word in ``text`` that is not negated, in order."""
    out = []
    for match in _WORDS.finditer(text):
        if _NEGATED.search(text[max(0, match.start() - 24) : match.start()]):
            continue
        sign = 1 if match["up"] or match["cup"] else -1
        out.append(Direction(match.start(), match.end(), sign, bool(_SOFT.match(match[0]))))
    return tuple(out)


def more_behind(text: str, end: int) -> int:
    """1 when the word right behind a number says that it is so much more, -1 when fewer or less, else 0."""
    match = _MORE.match(text, end)
    return 0 if match is None else 1 if match["more"] else -1


def role_of(text: str, start: int, end: int) -> Role:
    """What the number at ``text[start:end]`` is by the word before it: "to" a level, "from" a base, "by" a change."""
    before = text[max(0, start - 40) : start]
    if _FROM_AFTER.match(text, end):
        return "base"
    if _FRENCH_FROM.search(before):
        return "base" if _FRENCH_TO.match(text[end : end + 60]) else "change"
    if _FROM.search(before):
        return "base"
    if _TO.search(before) or _TO_AFTER.match(text, end):
        return "level"
    return "change" if _BY.search(before) else "plain"
