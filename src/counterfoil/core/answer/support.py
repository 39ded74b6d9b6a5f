"""Owns which passages may speak for a claim that cites no passage: those that share its nouns.

Never: choosing a passage because its number fits; a page holds so many that some number always does.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from counterfoil.core.evidence.sources import Evidence
from counterfoil.core.text.stems import stems
from counterfoil.core.text.vocabulary import Vocabulary

PASSAGES_MAX = 12  # for one claim; more would let a wrong figure meet its like by chance
OPERANDS_MAX = 3  # rows for one operand of a formula that the claim names

_TOKEN = re.compile(r"[^\W_]+(?:[&'/.-][^\W_]+)*")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SHARE_MIN = 0.5  # of what the best passage shares with the claim, by weight
_HOLDING_SHARE_MIN = 0.2  # the same for a passage that holds a figure of the claim as it is written
_SURE = 2  # figures in one passage that shares any word with the claim
HOLDING_MAX = 6  # of those
_FACE_WEIGHT, _BESIDE_WEIGHT, _DOCUMENT_WEIGHT = 1.0, 0.6, 0.2
# Which way something went, when and how much: not what it is about.
_NO_SUBJECT = stems(
    """
    increase increased decrease decreased decline declined rise rose risen fall fell fallen grow grew grown growth drop
    dropped change changed improve improved higher lower million billion thousand year compared usd eur
    stieg gestiegen steigt sank gesunken sinkt wuchs gewachsen höher niedriger veränderung
    mio mrd tsd millionen milliarden jahr jahre wie wir
    """
)


@lru_cache(maxsize=8192)  # rows of one table share their headers, passages of one document its title
def _subject(text: str) -> frozenset[str]:
    """The stems of ``text`` that say what it is about."""
    return stems(text) - _NO_SUBJECT


class Claim(msgspec.Struct, frozen=True):
    """What a sentence, bullet or row says, and the words around it that tell what it is about.

    ``said`` is the claim, ``beside`` the headers and captions of its own table, ``around`` headings above it and the
    question.
    """

    said: str
    beside: str = ""
    around: str = ""


class _Weighed(msgspec.Struct, frozen=True):
    evidence: Evidence
    face: frozenset[str]  # a row's label, a passage's own words
    beside: frozenset[str]  # section, table title, column headers, heading
    own: frozenset[str]  # both
    document: frozenset[str]
    numbers: frozenset[str]  # as digits alone


class Support:
    """Chooses passages for claims; ``vocabulary`` names what people call a row and which rows a formula takes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._terms = {term.name.replace(" ", "_"): term for term in vocabulary.terms}
        self._owners: dict[tuple[str, ...], set[str]] = {}  # words of a phrase → names of terms
        for term in vocabulary.terms:
            for phrase in term.phrases:
                self._owners.setdefault(_phrase(phrase), set()).add(term.name.replace(" ", "_"))
        for formula in vocabulary.formulas:
            operands = {name for name in re.findall(r"[^\W\d]\w*", formula.expression) if name in self._terms}
            for phrase in formula.phrases:
                self._owners.setdefault(_phrase(phrase), set()).update(operands)
        self._longest = max((len(phrase) for phrase in self._owners), default=0)
        self._labels = {name: [_subject(lab.rpartition(">")[2]) for lab in t.labels] for name, t in self._terms.items()}
        self._told = {_phrase(phrase) for phrase in vocabulary.instructions}
        self._known: dict[str, _Weighed] = {}

    def passages(self, claim: Claim, pool: Sequence[Evidence], limit: int = PASSAGES_MAX) -> tuple[Evidence, ...]:
        """The passages of ``pool`` that are about what ``claim`` says, closest first, then operands of its formulas."""
        weighed = [self._weigh(evidence) for evidence in pool]
        heard = (claim.said, claim.beside, self._without_orders(claim.around))
        said, beside, around = (_subject(text) for text in heard)
        words = said | beside | around
        counts = Counter(word for one in weighed for word in words & one.own)
        weights = {word: 1.0 / math.sqrt(1.0 + counts[word]) for word in words}
        names = self._named(f"{claim.said}\n{claim.beside}\n{claim.around}")
        scored: list[tuple[float, int]] = []
        for index, one in enumerate(weighed):
            score = sum(
                share * _overlap(heard_words, one, weights)
                for share, heard_words in ((1.0, said | beside), (0.5, around - said - beside))
            )
            if score > 0:
                scored.append((score * _tightness(one, words), index))
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        best = scored[0][0] if scored else 0.0
        chosen = [index for score, index in scored if score >= _SHARE_MIN * best][:limit]
        numbers = _numbers(claim.said)
        told = {i: _telling(numbers & weighed[i].numbers) for _, i in scored}
        holding = [i for score, i in scored if told[i] >= _SURE or (told[i] and score >= _HOLDING_SHARE_MIN * best)]
        holding.sort(key=lambda i: -told[i])  # among equals, closest first
        chosen += holding[:HOLDING_MAX]
        order = [index for _, index in scored]
        chosen += self._operands(names, weighed, order)
        return tuple(pool[index] for index in dict.fromkeys(chosen))

    def forget(self, ids: Iterable[str]) -> None:
        """Drop what is known of passages that will not be asked about again."""
        for one in ids:
            self._known.pop(one, None)

    def _weigh(self, evidence: Evidence) -> _Weighed:
        known = self._known.get(evidence.id)
        if known is None:
            passage, document = evidence.passage, evidence.source.document
            table = passage.table
            beside = [passage.heading or ""]
            face = passage.text
            if table is not None:
                face = table.label.text if table.label else passage.text
                beside += [span.text for span in (table.section, table.title) if span]
                beside += [level.text for cell in table.cells for level in cell.header]
            about = _subject(f"{document.title} {document.subject or ''}")
            named = _subject(face) - about  # its own name is on every page of a document
            lent = _subject(" ".join(beside)) - about
            known = _Weighed(evidence, named, lent, named | lent, about, _numbers(passage.text))
            self._known[evidence.id] = known
        return known

    def _without_orders(self, text: str) -> str:
        """``text`` without the phrases that tell how to answer and say nothing of the subject."""
        words = _phrase(text)
        longest = max((len(phrase) for phrase in self._told), default=0)
        out: list[str] = []
        at = 0
        while at < len(words):
            length = next((n for n in range(longest, 0, -1) if words[at : at + n] in self._told), 0)
            if not length:
                out.append(words[at])
            at += length or 1
        return " ".join(out)

    def _named(self, text: str) -> tuple[str, ...]:
        """The rows that a text names, itself or through a formula."""
        words = _phrase(text)
        found: list[str] = []
        for length in range(self._longest, 0, -1):
            for first in range(len(words) - length + 1):
                found += sorted(self._owners.get(words[first : first + length], ()))
        return tuple(dict.fromkeys(found))

    def _operands(self, names: Sequence[str], weighed: Sequence[_Weighed], order: Sequence[int]) -> list[int]:
        """Rows labelled as a named term is: best label first, then in the order of what else they share."""
        rank = {index: place for place, index in enumerate(order)}
        out: list[int] = []
        for name in names:
            found: list[tuple[int, int, int]] = []
            for index, one in enumerate(weighed):
                if one.evidence.passage.table is None or not one.face:
                    continue
                place = next((i for i, label in enumerate(self._labels[name]) if label and label == one.face), None)
                if place is not None:
                    found.append((place, rank.get(index, len(rank)), index))
            out += [index for *_, index in sorted(found)[:OPERANDS_MAX]]
        return out


def _phrase(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text.casefold().replace("’", "'")))


def _numbers(text: str) -> frozenset[str]:
    """Every number of ``text`` as its digits alone; those of one digit say too little to look for."""
    digits = (number.replace(".", "").replace(",", "").lstrip("0") for number in _NUMBER.findall(text))
    return frozenset(one for one in digits if len(one) > 1)


def _telling(numbers: frozenset[str]) -> float:
    """How much shared numbers tell; a year stands in half of a document's passages."""
    return sum(0.1 if _YEAR.fullmatch(number) else 1.0 for number in numbers)


def _overlap(words: frozenset[str], one: _Weighed, weights: Mapping[str, float]) -> float:
    """The weight of what is shared; a word weighs less the more passages bear it, and beside a row less than in it."""
    return (
        _FACE_WEIGHT * sum(weights[w] for w in words & one.face)
        + _BESIDE_WEIGHT * sum(weights[w] for w in (words & one.beside) - one.face)
        + _DOCUMENT_WEIGHT * sum(weights[w] for w in words & one.document)
    )


def _tightness(one: _Weighed, words: frozenset[str]) -> float:
    """From 0.5 to 1: how much of a passage's own words the claim says. A row that it names in full counts most."""
    return 0.5 + 0.5 * len(one.face & words) / len(one.face) if one.face else 0.5
