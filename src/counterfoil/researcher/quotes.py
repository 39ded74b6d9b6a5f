"""Owns the choice of passages that answer a question in words, and the floor below which nothing does.

Never: changing a passage's text.
"""

from __future__ import annotations

import math
import re
from collections import Counter

import msgspec

from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.vocabulary import Term
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.memory import Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.products import is_old_page
from counterfoil.researcher.shapes import Shape, bonus, head_noun, of_another, shape_of
from counterfoil.researcher.subjects import same
from counterfoil.researcher.words import NEUTRAL, content, fold, has_cjk, kin, words

_FLOOR = 0.34
_AMOUNT_FLOOR = 0.5
_RELATIVE = 0.72
_NEAR_WORDS = 8
_NAMES_MIN = 12
_NAMES_SHARE = 0.6
_NAMES_ASKED = re.compile(r"\b(?:who|which|list|name|names|what are)\b")
_ROW_FLOOR = 0.55  # a table row says little by itself
_QUOTES_MAX = 3
_OLD = 0.25  # a page that calls itself archived comes behind one that does not
_FORWARD = re.compile(r"\bexpect|\bwill\b|\bin the future\b|\bplan")
_MONEY = re.compile(
    r"[$€£¥]\s?\d|\b\d[\d.,]*\s*(?:million|billion|thousand|usd|eur|euro|[万億亿]?円|[万億亿]?元)|\d\s*%", re.IGNORECASE
)
_MOVED = re.compile(
    r"\b(?:increas|decreas|declin|r[io]se|grew|grow|f[ea]ll|drop|improv|reduc|(?:ge)?stiegen|stieg\b|gesunken|sank|augment"
    r"|progress|recul|baiss)\w*"
)
_SUM = re.compile(
    r"[$€£¥]\s?\d|\d\s*(?:million|billion|thousand|usd|eur|euro|mio|mrd|tsd|teur|milli(?:on|ard|er)"
    r"|(?:百万|十億|[千万億亿])?円|(?:百万|[千万億亿])?元)",
    re.IGNORECASE,
)
_REACHED = re.compile(
    r"\b(?:to|at|auf|à|reached|erreichte\w*|betrug\w*)\s+(?:about |rund |environ )?[$€£¥]?\s?\d|至|到|达|となり|に達"
)
_AMOUNT_ASKED = re.compile(
    r"\bhow (?:much|many)\b|\bamount\b|\bprice\b|\bcost\b|\bwie (?:hoch|viel)|\bcombien\b|\bquel\w* (?:est|était)\b"
    r"|多少|いくら|料金"
)


_NAMED = re.compile(r"\b[A-Z][\w&'’-]+")
_FRAME = frozenset(
    [
        "see",
        "face",
        "say",
        "said",
        "happen",
        "tell",
        "mention",
        "describ",
        "discuss",
        "ask",
        "get",
        "see",
        "take",
        "happened",
        "state",
    ]
)


class Quote(msgspec.Struct, frozen=True):
    """A passage and how well it answers, from 0 to about 1.5."""

    passage: Passage
    score: float
    matched: int


class Weights:
    """How telling each word of a question is among the passages read."""

    def __init__(self, asked_words: tuple[str, ...], passages: list[Passage], lexicon: Lexicon) -> None:
        self.groups = _alternatives(asked_words, lexicon)
        seen: Counter[str] = Counter()
        self.words_of = {p.id: set(words(p.text)) for p in passages}
        self.beside = {p.id: set(words(f"{p.heading} {p.page.heading} {p.table} {p.section}")) for p in passages}
        for have in self.words_of.values():
            seen.update(word for word, group in self.groups.items() if group & have)
        total = max(1, len(passages))
        self.weight = {
            word: (0.4 if word in NEUTRAL else 1.0) * math.log(1 + total / (0.5 + seen[word]))
            for word in asked_words
            if seen[word]
        }
        usual = sum(self.weight.values()) / len(self.weight) if self.weight else 1.0
        self.weight.update({word: usual for word in asked_words if not seen[word]})

    def telling(self) -> frozenset[str]:
        """Every form of the words that name a particular thing; all of them where none does."""
        own = [word for word in self.groups if word not in NEUTRAL] or list(self.groups)
        return frozenset(word for name in own for word in self.groups[name])

    def tells(self, passage: Passage, shape: Shape, subject: str | None, required: frozenset[str]) -> bool:
        """Say whether the words that a question turns on stand in a passage or its headings, said of the subject."""
        page = passage.page
        have = self.words_of[passage.id] | self.beside[passage.id] | set(words(f"{page.title} {page.subject}"))
        if any(not self.groups.get(word, {word}) & have for word in required):
            return False
        telling = self.telling()
        return shape not in ("place", "date", "person") or not of_another(passage.text, telling, subject)

    def coverage(self, passage: Passage, before: Passage | None) -> tuple[float, int]:
        """Return the share of the question's weight that a passage holds, and how many words."""
        total = sum(self.weight.values()) or 1.0
        have, beside = self.words_of[passage.id], self.beside[passage.id]
        previous = self.words_of[before.id] if before is not None else set()
        got, matched, near = 0.0, 0, 0
        for word, group in self.groups.items():
            if word in have or group & have:
                got += self.weight[word] * (1.0 if word in have else 0.8)
                matched += word not in NEUTRAL
            elif group & beside:
                got += 0.45 * self.weight[word]
                near += word not in NEUTRAL
            elif group & previous:
                got += 0.3 * self.weight[word]
        return got / total, matched + near if matched else 0


def _alternatives(asked_words: tuple[str, ...], lexicon: Lexicon) -> dict[str, set[str]]:
    """Return for each word those that mean the same, also as part of a phrase ("spin off": "separation")."""
    found = {word: set(kin(word)) for word in asked_words}
    for group in lexicon.vocabulary.synonyms:
        items = [content(item) for item in group]
        single = {item[0] for item in items if len(item) == 1}
        for item in items:
            if item and all(word in found for word in item):
                for word in item:
                    found[word] |= single
    return found


def best(ask: Ask, memory: Memory, lexicon: Lexicon) -> list[Quote]:
    """Return up to three passages that answer, best first; empty when none is above the floor."""
    shape = shape_of(ask)
    asked_words = tuple(w for w in ask.words if w not in _FRAME) or _only_subject(ask, shape)
    if not asked_words or not _about(ask, memory):
        return []
    passages = [p for p in memory.passages if p.kind != "heading" and _answers_in_kind(ask, p)]
    passages = [p for p in passages if _of_subject(ask, p, memory)]
    weights = Weights(asked_words, passages, lexicon)
    ranked: list[Quote] = []
    previous: Passage | None = None
    for passage in passages:
        before = previous if previous is not None and previous.page == passage.page else None
        if weights.tells(passage, shape, ask.subject, _required(ask)):
            ranked.append(_score(ask, passage, before, weights, shape))
        previous = passage
    ranked.sort(key=lambda q: (-q.score, q.passage.order))
    needed = min(2, len([w for w in asked_words if w not in NEUTRAL]))
    floor = _AMOUNT_FLOOR if ask.scale or ask.unit else _FLOOR
    good = [q for q in ranked if q.score >= floor and q.matched >= needed]
    return [q for q in good[:_QUOTES_MAX] if q.score >= _RELATIVE * good[0].score] if good else []


def _only_subject(ask: Ask, shape: Shape) -> tuple[str, ...]:
    """ "What is X?": nothing but the name itself can be looked for."""
    return tuple(content(ask.subject or "")) if shape in ("use", "any") else ask.words


def _required(ask: Ask) -> frozenset[str]:
    """Names in the question other than its subject, and what it wants listed: a passage without them is beside it."""
    if has_cjk(ask.plain):
        return frozenset()
    own = set(words(ask.subject or ""))
    bare = re.sub(r"^\W*\w+", " ", ask.plain)
    found = {w for match in _NAMED.finditer(bare) for w in words(match.group()) if w not in own and w not in NEUTRAL}
    head = head_noun(ask)
    found |= {head} if head and head not in NEUTRAL and head not in own else set()
    return frozenset(w for w in found if w in ask.words)


def _of_subject(ask: Ask, passage: Passage, memory: Memory) -> bool:
    """Leave out what other documents say when the one asked about has documents of its own among those read."""
    if ask.subject is None or has_cjk(ask.subject):
        return True
    page = passage.page
    if same(ask.subject, page.subject, page.title, page.url) or same(ask.subject, passage.text):
        return True
    return not any(same(ask.subject, p.subject, p.title, p.url) for p in memory.pages)


def _answers_in_kind(ask: Ask, passage: Passage) -> bool:
    """A question for an amount wants an amount; a run of names answers only a question for names."""
    if ask.scale or ask.unit:
        moved = ask.direction == 0 and _MOVED.search(fold(passage.text)) is not None
        if moved or not _SUM.search(passage.text):
            return False
    if passage.kind == "text" and _is_heading_line(passage.text):
        return False
    runs = passage.text.split()
    names = sum(1 for run in runs if run[:1].isupper())
    return (
        len(runs) < _NAMES_MIN or names < _NAMES_SHARE * len(runs) or _NAMES_ASKED.search(fold(ask.plain)) is not None
    )


def _is_heading_line(text: str) -> bool:
    """Say whether a line only names columns: figures and capitals, and no end of a sentence."""
    runs = text.split()
    plain = [run for run in runs if run[:1].islower()]
    return len(runs) > 2 and not has_cjk(text) and len(plain) * 4 < len(runs) and text.strip()[-1:] not in '.!?:;”"'


def stating(ask: Ask, term: Term, memory: Memory) -> Passage | None:
    """Return the passage that names ``term`` beside an amount and the period asked for, else None."""
    names = [fold(p) for p in (*term.labels, *term.phrases) if has_cjk(p) or len(p) > 3]
    amount = _SUM if term.kind == "money" else re.compile(r"\d")
    good = [p for p in memory.passages if p.kind in ("text", "item") and _states(ask, p, names, amount)]
    return good[0] if good and (len(good) == 1 or ask.subject is not None) else None


def _states(ask: Ask, passage: Passage, names: list[str], amount: re.Pattern[str]) -> bool:
    if ask.subject and not same(ask.subject, passage.page.subject, passage.page.title, passage.page.url, passage.text):
        return False
    text = fold(passage.text)
    for sentence in (text[low:high] for low, high in sentences(text, 0, len(text))):
        named = any(name in sentence for name in names)
        dated = not ask.periods or any(str(p.year) in sentence for p in ask.periods[-1:])
        if _MOVED.search(sentence) and not _REACHED.search(sentence):
            continue  # the amount is a change
        several = bool(ask.scale or ask.unit) and len(amount.findall(sentence)) > 1
        if (
            named
            and dated
            and not several
            and amount.search(sentence)
            and all(q in words(sentence) for q in ask.qualifiers)
        ):
            return True
    return False


def _about(ask: Ask, memory: Memory) -> bool:
    """Say whether what was read is about the one the question names at all."""
    if ask.subject is None or has_cjk(ask.subject):
        return True
    if any(same(ask.subject, p.subject, p.title, p.url) for p in memory.pages):
        return True
    wanted = words(ask.subject)
    return any(_holds(words(p.text), wanted) and _beside(ask, words(p.text), wanted) for p in memory.passages)


def _beside(ask: Ask, have: list[str], subject: list[str]) -> bool:
    """Say whether one of the question's words stands near a name that is not the document's own."""
    if not ask.words:
        return True
    places = [at for at, word in enumerate(have) if word in subject]
    return any(
        abs(at - place) <= _NEAR_WORDS
        for at, word in enumerate(have)
        if word in ask.words and word not in NEUTRAL and word not in subject
        for place in places
    )


def _holds(have: list[str], wanted: list[str]) -> bool:
    size = len(wanted)
    return any(have[at : at + size] == wanted for at in range(len(have) - size + 1))


def _score(ask: Ask, passage: Passage, before: Passage | None, weights: Weights, shape: Shape) -> Quote:
    share, matched = weights.coverage(passage, before)
    text = fold(passage.text)
    score = share
    score += bonus(shape, passage, weights.telling(), ask.subject)
    question = fold(ask.plain)
    if _AMOUNT_ASKED.search(question) and _MONEY.search(text):
        score += 0.15
    if _FORWARD.search(question) and _FORWARD.search(text):
        score += 0.08
    if any(str(p.year) in text for p in ask.periods):
        score += 0.05
    if ask.periods and not any(p.quarter for p in ask.periods) and "quarter" in text:
        score -= 0.1
    if ask.subject and same(ask.subject, passage.page.subject, passage.page.title):
        score += 0.06
    if passage.kind == "row":
        score -= 0.3 if ask.cause or share < _ROW_FLOOR else 0.1
    if len(passage.text) < 40 and passage.kind != "row":
        score -= 0.1
    if is_old_page(f"{passage.page.title} {passage.page.heading}"):
        score -= _OLD
    return Quote(passage, score, matched)
