"""Owns the understanding of a question: subject, periods, quantity, unit, and what kind of answer is wanted.

Never: documents; everything here follows from the words of the question and the vocabulary.
"""

from __future__ import annotations

import functools
import re
from typing import Literal

import msgspec

from counterfoil.researcher.definitions import strip_definitions
from counterfoil.researcher.expressions import operands, parse
from counterfoil.researcher.metrics import Lexicon, phrase_words
from counterfoil.researcher.periods import Period, asked, without_periods
from counterfoil.researcher.subjects import subject_of
from counterfoil.researcher.targets import Target, targets
from counterfoil.researcher.words import FOREIGN_STOP, NEUTRAL, content, fold, has_cjk, is_stop, stem, words

QUESTIONS_KEPT = 64  # every turn of a Run reads its question again, and those of its cells
Kind = Literal["value", "trend", "assess", "paid", "extreme", "text"]


class Ask(msgspec.Struct, frozen=True):
    """A question understood. ``direction`` is +1 for "improving", -1 for "declining", 0 when neither."""

    question: str
    plain: str  # without phrases that tell how to answer
    kind: Kind
    subject: str | None = None
    periods: tuple[Period, ...] = ()
    targets: tuple[Target, ...] = ()
    unit: str | None = None
    scale: str | None = None
    places: int | None = None
    statements: tuple[str, ...] = ()
    direction: int = 0
    cause: bool = False
    polar: bool = False  # asked so that "yes" or "no" answers it
    words: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()  # what the question says that no term, period or name covers

    @property
    def period(self) -> Period | None:
        """The period a single answer is about: the last one named in time."""
        dated = sorted(self.periods, key=lambda p: (p.year, p.quarter or 5))
        return dated[-1] if dated else None


_CAUSE = re.compile(
    r"\b(?:what|which)\b[^?]{0,40}\b(?:drove|drives|driven|caused|causes|led to|drivers?)\b"
    r"|^\s*why\b|[.,]\s*why\b|\breasons? (?:for|behind|why)\b|^(?:warum|weshalb|wieso|wodurch|pourquoi)\b"
    r"|为什么|原因|なぜ|理由"
)
_TREND = re.compile(
    r"improv\w*|worsen\w*|deteriorat\w*|increas\w*|decreas\w*|declin\w*|drop\w*|gr[eo]w\w*|growing"
    r"|fell|fall\w*|r[io]se|rising|chang\w*|fluctuat\w*"
    r"|consistent\w*|expand\w*|contract(?:ed|ing)|higher|lower|reduc\w*|compar\w*|stable|steady"
    r"|go(?:es)? (?:up|down)\b|went (?:up|down)\b|trends?\b|gestiegen|gesunken|上升|下降|増加|減少"
)
_UP = re.compile(r"improv|increas|grow|grew|expand|higher|\bros?e|rising|rise|gestiegen|上升|増加")
_DOWN = re.compile(r"worsen|deteriorat|decreas|declin|drop|fell|fall|contract|lower|reduc|gesunken|下降|減少")
_YES_NO = re.compile(r"^(?:[^,?]{0,60},\s*)?(?:does|do|did|is|are|was|were|has|have|had|can|hat|ist|sind|war)\b")
_EXTREME = re.compile(
    r"\b(?:most|least|largest|biggest|highest|lowest|smallest|greatest|best|worst|top|dragged down|fastest|slowest)\b"
)
_WHICH = re.compile(r"\b(?:which|what|among|who)\b")
_LISTED = re.compile(
    r"\b(?:list|name|enumerate)\b|\bwhat are (?:the )?(?:major|main|key|geograph|some|different)|\bwho (?:are|is)\b"
)
_NUMERIC = re.compile(
    r"\bwhat(?:'s| is| was| were| are)?\b|\bhow (?:much|many|high|large|big)\b|\bcalculate"
    r"|\bcompute|\bby how\b|\bwie (?:hoch|viel)|多少|いくら|何|\bgive\b|\bstate\b|\bwhat\b"
)
_UNIT = re.compile(r"\b(usd|us dollars?|dollars?|eur|euros?|gbp|jpy|yen|cny|rmb)\b|[$€£¥]|ドル|美元|人民币|円")
_CURRENCIES = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "円": "JPY",
    "ドル": "USD",
    "美元": "USD",
    "人民币": "CNY",
    "yen": "JPY",
    "rmb": "CNY",
}
_SCALE = re.compile(
    r"\b(?:in|units of)?\s*(?:usd|us dollars?|dollars?|eur|euros?|\$|€)?\s*\(?(thousand|million|billion|mio|mrd)s?\b"
)
_SCALES = {"thousand": "thousands", "million": "millions", "billion": "billions", "mio": "millions", "mrd": "billions"}
_PLACES = re.compile(r"\b(one|two|three|four|1|2|3|4)\s+decimals?\b")
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4}
_HELD = re.compile(r"\b(?:paid|pay|declared?|distribut\w*|repurchased?|bought back)\b")


_ROOT = re.compile(r"\bcagr\b|\bcompound annual")
_COMPARED = re.compile(r"^how (?:does|do|did|has|have)\b.*\bcompar")
_PROVISO = re.compile(r"\bif\b[^.?;]{0,200}\b(?:state|explain|say)\b[^.?]*[.?]?", re.IGNORECASE)
_UNIT_PHRASE = re.compile(
    r"\b(?:in|units of)?\s*(?:usd|us dollars?|eur|euros?)?\s*(?:thousand|million|billion)s?\b"
    r"|\busd\b|\bunits? of percents?\b"
)
_ROUNDING = re.compile(
    r"\b(?:round\w*)\b[^.?]*\bdecimals?(?: places?)?\b|\b(?:one|two|three)\s+decimals?(?: places?)?\b"
)
_ASKING_WORDS = (
    "calculate compute determine find report respond state express show tell year-over-year yoy over "
    "growth grow grew growing percentage percent change changed changes increase increased decrease "
    "decreased improve improving improved decline declined drop dropped average mean reasonably healthy "
    "relevant useful meaningful measure liquidity consistent fluctuating each two three four 1 2 3 4 5 "
    "years reasonable good strong weak rise rose fall fell directly outlined spend spent occurred "
    "generate generated make made earn earned have hold held there's formulas formula higher lower "
    "reporting per six nine weeks go goes went up down maintain maintained trend stable steady "
    "distribution distribute out times only quantity explicitly point points positive negative compared "
    "comparison compare versus pay paid pays record recorded incur incurred owe owed carry carried own "
    "owned post posted recognize recognized betrug hoch wies aus erzielt expressed calculated extract "
    "exact approximation number"
)
_ASKING = frozenset(stem(word) for word in _ASKING_WORDS.split())


def without_instructions(question: str, lexicon: Lexicon) -> str:
    """Return ``question`` without the vocabulary's phrases that tell how to answer."""
    text = _PROVISO.sub(" ", re.sub(r"\((?:formerly|previously)[^)]*\)", " ", question, flags=re.IGNORECASE))
    for phrase in lexicon.instructions:
        text = re.sub(r"(?<!\w)" + re.escape(phrase) + r"(?!\w)", " ", text, flags=re.IGNORECASE)
    return re.sub(r"\s+", " ", text).strip()


@functools.lru_cache(maxsize=QUESTIONS_KEPT)
def interpret(question: str, lexicon: Lexicon, subject: str | None = None) -> Ask:
    """Understand ``question``; ``subject`` when a contract already names it."""
    plain = without_instructions(question, lexicon)
    unit, scale = _unit(fold(question))
    places = _PLACES.search(fold(question))
    about = subject or _subject(plain, lexicon)
    folded = fold(re.sub(re.escape(about), "it", plain) if about else plain)
    goals = targets(
        question,
        re.sub(re.escape(about), "it", plain) if about and not has_cjk(plain) else plain,
        lexicon,
        changes=not _COMPARED.search(folded) and _YES_NO.search(folded) is None and _EXTREME.search(folded) is None,
    )
    rest = _uncovered(plain, about, lexicon, goals)
    cause = any(_CAUSE.search(text) for text in (folded, fold(plain)))
    return Ask(
        question=question,
        plain=plain,
        kind="text" if cause else _kind(folded, goals, rest),
        subject=about,
        periods=asked(plain),
        targets=goals,
        unit=unit,
        scale=scale,
        places=(_COUNTS.get(places.group(1)) or int(places.group(1))) if places else None,
        statements=tuple(dict.fromkeys(m.name for m in lexicon.mentions(question) if m.kind == "statement")),
        direction=_direction(folded),
        cause=cause,
        polar=_YES_NO.search(folded) is not None,
        qualifiers=rest,
        words=_telling(plain, about),
    )


_OPENING = re.compile(r"^\W*([^\W\d_]+)")
_OF_NAME = re.compile(
    r"\b(?:von|der|des|bei|de|du|chez)\s+((?:[A-ZÄÖÜÉÈ][\w&.'’-]*)(?:\s+[A-ZÄÖÜÉÈ][\w&.'’-]*)*)(?=[\s?.,]|$)"
)


def _subject(plain: str, lexicon: Lexicon) -> str | None:
    """Whom the question is about; its opening word is no name, and German and French say "von X", "de X"."""
    opening = _OPENING.match(plain)
    if opening is not None and fold(opening.group(1)) in FOREIGN_STOP:
        named = [m.group(1).strip(" .?,") for m in _OF_NAME.finditer(plain)]
        named = [name for name in named if not lexicon.mentions(name)]
        if named:
            return named[-1]
        plain = plain[: opening.start(1)] + plain[opening.start(1) :].lower()[:1] + plain[opening.start(1) + 1 :]
    return subject_of(plain, lexicon)


def _telling(plain: str, about: str | None) -> tuple[str, ...]:
    """The words to look for in passages: periods left out, and the subject where it can be told apart."""
    found = content(without_periods(plain))
    own = set() if has_cjk(plain) else set(content(about or ""))
    return tuple(w for w in found if w not in own)


def _direction(folded: str) -> int:
    up, down = _UP.search(folded) is not None, _DOWN.search(folded) is not None
    return 0 if up == down else (1 if up else -1)


def _unit(folded: str) -> tuple[str | None, str | None]:
    unit = _UNIT.search(folded)
    scale = _SCALE.search(folded)
    name: str | None = None
    if unit is not None:
        word = unit.group().rstrip("s")
        name = _CURRENCIES.get(unit.group()) or _CURRENCIES.get(word)
        name = name or ("USD" if "dollar" in word else "EUR" if word.startswith("eur") else word.upper())
        name = "USD" if name in ("US", "USD") else name
    return name, _SCALES[scale.group(1)] if scale else None


def _used(goals: tuple[Target, ...], lexicon: Lexicon) -> set[str]:
    """Names of terms and formulas that the targets are or consist of."""
    found = {name for goal in goals for name in goal.sources}
    for goal in goals:
        for operand in operands(goal.node, None):
            found.add(operand.name)
            if operand.name in lexicon.formulas:
                found.update(o.name for o in operands(parse(lexicon.formulas[operand.name].expression), None))
    return found


def _uncovered(plain: str, about: str | None, lexicon: Lexicon, goals: tuple[Target, ...]) -> tuple[str, ...]:
    if goals and goals[0].defined:
        return ()
    if has_cjk(plain):
        return _uncovered_cjk(plain, about, lexicon)
    plain = re.sub(r"\bgrowth rate\b", "growth", plain)
    text = _UNIT_PHRASE.sub(" ", _ROUNDING.sub(" ", without_periods(strip_definitions(plain))))
    have = phrase_words(text)
    used = _used(goals, lexicon)
    covered = {
        at
        for m in lexicon.mentions(text)
        if m.name in used or (m.kind == "statement" and m.name in lexicon.primary)
        for at in range(m.start, m.end)
    }
    known = set(words(about or "")) | set(words((about or "") + "s"))
    known |= {w for goal in goals for w in phrase_words(" ".join((goal.label, *goal.sources)))}
    return tuple(
        dict.fromkeys(
            w
            for at, w in enumerate(have)
            if at not in covered and w not in known and not is_stop(w) and w not in NEUTRAL and w not in _ASKING
        )
    )


_CJK_FRAME = re.compile(
    r"いくらですか|いくらでしたか|どのくらい|ですか|でしたか|でした|です|ますか|いくら|年度|年間|会社|公司|集团|连结|連結|合并|合併|多少|什么|几何|是|的|の|は|が|を"
    r"|に|で|と|了|有|年|何|か|请问|約|约|为|[^\w]|\d|[a-z]"
)


def _uncovered_cjk(plain: str, about: str | None, lexicon: Lexicon) -> tuple[str, ...]:
    """Return what is left of a Chinese or Japanese question, when that is more than a few characters."""
    rest = without_periods(plain).replace(fold(about or "\0"), " ")
    phrases = [p for term in lexicon.vocabulary.terms for p in (*term.phrases, *term.labels) if has_cjk(p)]
    for phrase in sorted(phrases, key=len, reverse=True):
        rest = rest.replace(fold(phrase), " ")
    left = _CJK_FRAME.sub("", rest)
    return tuple(words(left)) if len(left) > 3 else ()


def _kind(folded: str, goals: tuple[Target, ...], rest: tuple[str, ...]) -> Kind:
    if _EXTREME.search(folded) and _WHICH.search(folded):
        return "extreme"
    if _YES_NO.search(folded):
        return _yes_no(folded, goals)
    if _ROOT.search(folded):
        return "value"  # which no bound calculation can give
    if not goals or _LISTED.search(folded):
        return "text"
    if len(rest) > 2 or re.match(r"(?:when|where|who|whom|whose|wann|wer|wo)\b", folded):
        return "text"
    if _COMPARED.search(folded):
        return "trend"
    return "value" if _NUMERIC.search(folded) or len(folded) < 80 else "text"


def _yes_no(folded: str, goals: tuple[Target, ...]) -> Kind:
    if not goals:
        return "text"
    if _HELD.search(folded) and goals[0].cash and not re.search(r"stable|steady|trend", folded):
        return "paid"
    if _TREND.search(folded):
        return "trend"
    return "assess" if goals[0].formula else "text"
