"""Owns the shape of an answer in words: a cause for "why", a date for "when", a name for "who", items for "list".

Never: what the words of a question are about (``quotes`` weighs those).
"""

from __future__ import annotations

import re
from typing import Literal

from counterfoil.core.text.periods import find_periods
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.memory import Passage
from counterfoil.researcher.words import fold, has_cjk, stem, words

Shape = Literal["cause", "date", "person", "place", "list", "polar", "use", "any"]
_NEAR_CHARS = 90  # how far from the question's words a date or a name may stand to be said of them

_ASKS: tuple[tuple[Shape, str], ...] = (
    ("date", r"^(?:when|(?:since|until) when|(?:seit |bis )?wann|quand)\b|\bwhat (?:date|year|day)\b"),
    ("date", r"什么时候|何时|いつ"),
    ("list", r"^who are\b"),
    ("person", r"^(?:which|what) (?:company|firm|bank|person|organi[sz]ation)\b"),
    ("person", r"^(?:who|whom|whose|wer|wen|wem|qui)\b|谁|是谁|誰"),
    ("place", r"^(?:where|wo|woher|où)\b|\bheadquarter|哪里|在哪|どこ"),
    ("use", r"^what (?:is|are|was) [^?]{2,60} (?:used for|for)\b|^wofür\b|^wozu\b"),
    ("list", r"^(?:list|name|enumerate|nenne|what are)\b|哪些|何種"),
    ("list", r"^(?:which|what|welche) (?:\w+[\s-]){0,3}?\w{3,}s (?:do|does|did|are|were|has|have|hat)\b"),
    ("list", r"^what (?:\w+[\s-]){0,3}?(?:segments|products|brands|risks)\b"),
)  # fmt: skip
_SHAPES = tuple((shape, re.compile(rule)) for shape, rule in _ASKS)
_CAUSE = (
    r"due to|driven by|because|attributable to|reflect(?:s|ed|ing)\b|result(?:s|ed|ing) (?:from|of)|as a result",
    r"thanks to",
    r"caused by|led by|owing to|in response to|offset by|stem(?:s|med|ming) from",
    r"aufgrund|wegen|infolge|bedingt durch|dank\b|zurückzuführen|weil\b",
    r"en raison de|grâce à|du fait de|à cause de|dû à|due à",
    r"由于|由於|因为|因為|所致|受益于|得益于|导致|により|によって|による|ため|ことから|要因",
)
CAUSES = re.compile("|".join(_CAUSE))
_MAINLY = re.compile(r"primarily|mainly|largely|principally|vor allem|hauptsächlich|im wesentlichen|主要|主に")
_NAME = re.compile(r"\b(?:[A-Z][\w'’-]+|[A-Z]\.)(?:\s+(?:[A-Z][\w'’&-]+|[A-Z]\.))+")
_COURTESY = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|Mme|St)\.")  # their stop ends no sentence
_BREAK = re.compile(r"[()\[\];•]|[a-zäöüßéè)]{2}\.\s")  # behind it something else is said
_FIRM = re.compile(r"\b([A-Z][\w&.'’-]+),?\s+(?:Inc|LLP|LLC|Corp|Ltd|GmbH|AG|SE|plc|PLC|N\.V|S\.A)\b")
_CJK_NAME = re.compile(
    r"[一-鿿]{2,4}(?:先生|女士|氏|さん|社長|会長|取締役|总裁|董事长|首席)|(?:社長|会長|总裁|董事长|首席执行官)[はのは:：]?[一-鿿ァ-ヶ]{2,}"
)
_TITLE = re.compile(
    r"\b(?:Chief|Officer|President|Director|Executive|Vice|Chairman|Board|Committee|Company|Securities|Exchange|Act"
    r"|Commission|Annual|Report|Form|Item|Note|Notes|Financial|Statements?|Consolidated|Section|Rules?|Part|Accounting"
    r"|Standards|Oversight|Public|United|States|Fiscal|Year|Inc|Corp|Senior|Plan|Agreement|Stock|Framework|Internal|Control|Integrated|Sponsoring|Organizations|Treadway)\b"
)
_PLACE = re.compile(
    r"\b(?:in|at|near|to|from|of|bei|à|en)\s+(?:the\s+)?[A-ZÀ-Ý][\w'.-]+|\d+\s+[A-Z]\w+\s+(?:Street|Road|Avenue|Way|Drive)"
)
_ITEMS = re.compile(r"[^,;、，]+[,;、，][^,;、，]+(?:[,;、，]|\band\b|\bor\b|\bund\b|\bet\b|和|及|と)")
_LISTING = re.compile(
    r"\w+s\b[^.;]{0,80}(?::|\b(?:are|include[sd]?|including|consists? of|compris\w+|namely|such as)\b)"
)
_USE = re.compile(
    r"\b(?:for the|to treat|treatment|used (?:to|in|for)|indicated|designed to|enables?|allows?|dient|zur?)\b"
)
_HEAD = re.compile(
    r"^(?:which|what|list|name|how many|welche)\s+(?:(?:of|the|are|all)\s+)*((?:[\w'-]+\s+){0,3}?[\w-]{3,}s)\b"
)


def shape_of(ask: Ask) -> Shape:
    """Return what an answer to the question must look like."""
    if ask.cause:
        return "cause"
    folded = fold(ask.plain).strip()
    found = next((shape for shape, rule in _SHAPES if rule.search(folded)), None)
    return found or ("polar" if ask.polar else "any")


def bonus(shape: Shape, passage: Passage, telling: frozenset[str], subject: str | None) -> float:
    """Return what a passage gains or loses by its shape; a loss of 1 rules it out.

    ``telling`` are the words of the question: a date or a name counts only beside one of them.
    """
    text = passage.text
    if shape == "cause":
        found = CAUSES.search(fold(text)) is not None
        return (0.25 if _MAINLY.search(fold(text)) else 0.2) if found else -0.15
    if shape == "date":
        dates = [(p.start, p.end) for p in find_periods(text) if p.year is not None or p.end_date]
        return 0.15 if _beside(text, dates, telling) else -1.0
    if shape == "person":
        return 0.15 if _beside(text, _people(text, subject), telling) else -1.0
    if shape == "place":
        return 0.1 if has_cjk(text) or _PLACE.search(text) else -1.0
    if shape == "list":
        listed = 0.15 if passage.kind == "item" or _ITEMS.search(text) else -0.15
        return listed + (0.15 if listed > 0 and _LISTING.search(fold(text)) else 0.0)
    return 0.1 if shape == "use" and _USE.search(fold(text)) else 0.0


def _beside(text: str, places: list[tuple[int, int]], telling: frozenset[str]) -> bool:
    """Say whether one of some places stands near one of the telling words."""
    if has_cjk(text):
        return bool(places)
    text = _COURTESY.sub(r"\1 ", text)
    return any(
        telling & set(words(_BREAK.split(text[max(0, start - _NEAR_CHARS) : start])[-1]))
        or telling & set(words(_BREAK.split(text[end : end + _NEAR_CHARS])[0]))
        for start, end in places
    )


def _people(text: str, subject: str | None) -> list[tuple[int, int]]:
    """Where a text names someone other than the subject, titles and laws left out."""
    if has_cjk(text):
        return [m.span() for m in _CJK_NAME.finditer(text)]
    text = _COURTESY.sub(r"\1 ", text)
    own = {stem(w) for w in words(subject or "")}
    found = [m.span() for m in _FIRM.finditer(text) if not set(words(m.group(1))) <= own]
    for match in _NAME.finditer(text):
        rest = _TITLE.sub(" ", match.group())
        if len([w for w in words(rest) if w not in own and len(w) > 1]) >= 2:
            found.append(match.span())
    return found


def head_noun(ask: Ask) -> str | None:
    """Return the stem of what a question wants listed: "Which customers …" wants customers."""
    found = _HEAD.search(fold(ask.plain).strip())
    return words(found.group(1))[-1] if found else None


def of_another(text: str, telling: frozenset[str], subject: str | None) -> bool:
    """Say whether the telling word nearest to a relative clause belongs to somebody else ("Y, which is based in …")."""
    if subject is None:
        return False
    own = set(words(subject))
    for match in re.finditer(r"([A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*)*),?\s+(?:which|who|that|a|an)\b([^.;]*)", text):
        name = set(words(match.group(1)))
        if not name & own and telling & set(words(match.group(2))):
            return True
    for match in re.finditer(r"([A-Z][\w&.'’-]*(?:\s+[A-Z][\w&.'’-]*)*),\s+(\w+ed)\s+in\b", text):
        if not set(words(match.group(1))) & own and telling & set(words(match.group(2))):
            return True
    return False
