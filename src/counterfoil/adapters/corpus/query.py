"""Owns reading a question: drops how-to-answer words, names terms and statements, finds periods.

Knows a domain only through the vocabulary. Never: the index, documents, ranking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from counterfoil.adapters.corpus.phrases import PhraseFinder
from counterfoil.adapters.corpus.stopwords import STOP_WORDS
from counterfoil.adapters.corpus.tokens import cjk_spaced, fts_phrase, fts_words
from counterfoil.core.text.periods import MONTHS
from counterfoil.core.text.vocabulary import Formula, Statement, Term, Vocabulary

_LABELS_PER_TERM = 7
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(20\d\d|19\d\d)\b", re.I)
_ISO = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
_YEAR = re.compile(r"(?<![\d.,$€£])(?:fy|cy|fiscal)?\s?'?((?:20|19)\d\d)(?![\d,]|\.\d)", re.I)
_SHORT_YEAR = re.compile(r"\b(?:fy|cy)\s?'?(\d\d)\b", re.I)
_QUARTER = re.compile(r"\bq([1-4])(?:\s|of|fy|'|,|-|(?=20))*(20\d\d|\d\d(?!\d))?", re.I)
_YEAR_QUARTER = re.compile(r"\b(?:fy)?\s?(20\d\d)[\s-]?q([1-4])\b", re.I)
_QUARTER_NUMBER = re.compile(r"\b([1-4])q\s?'?(20\d\d|\d\d)\b", re.I)
_QUARTER_WORD = re.compile(r"\b(first|second|third|fourth)[\s-]+(?:fiscal\s+)?quarter", re.I)
_ORDINALS = ("first", "second", "third", "fourth")
_FORM = re.compile(r"\b(10-?k|10-?q|8-?k|20-?f|annual report|quarterly report|earnings release|press release)\b", re.I)
_FORMS = {
    "10K": "10-K", "10Q": "10-Q", "8K": "8-K", "20F": "20-F", "ANNUALREPORT": "10-K", "QUARTERLYREPORT": "10-Q",
    "EARNINGSRELEASE": "earnings release", "PRESSRELEASE": "earnings release",
}  # fmt: skip
_PERIOD_WORD = re.compile(rf"(?:19|20)\d\d|q[1-4]|[1-4]q|quarter|{'|'.join(_ORDINALS)}|{_MONTH}|\d{{1,2}}|ended")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "\u00a0": " ", "–": "-", "—": "-"})


class Periods(msgspec.Struct, frozen=True):
    """The times and kinds of report that a question names."""

    years: tuple[int, ...] = ()
    quarters: tuple[int, ...] = ()
    dates: tuple[str, ...] = ()  # ISO
    forms: tuple[str, ...] = ()


class Plan(msgspec.Struct, frozen=True):
    """A question as search sees it."""

    text: str  # folded, without instruction phrases
    words: tuple[str, ...]  # what remains to look for
    period_words: tuple[str, ...]  # those of ``words`` that only say which period
    labels: tuple[str, ...]  # quoted phrases: how documents label what is asked
    synonyms: tuple[str, ...]  # quoted phrases that mean the same
    statements: tuple[tuple[str, float], ...]  # pages that should hold it, with how sure (0..1)
    periods: Periods


class QueryReader:
    """Reads questions with one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._instructions = PhraseFinder(map(_folded, vocabulary.instructions))
        self._terms = {t.name.replace(" ", "_"): t for t in vocabulary.terms}
        self._owners: dict[str, list[Term | Formula | Statement]] = {}
        items: tuple[Term | Formula | Statement, ...] = (
            *vocabulary.terms, *vocabulary.formulas, *vocabulary.statements,
        )  # fmt: skip
        for item in items:
            for phrase in item.phrases:
                self._owners.setdefault(_folded(phrase), []).append(item)
        self._phrases = PhraseFinder(self._owners)
        self._groups: dict[str, list[tuple[str, ...]]] = {}
        for group in vocabulary.synonyms:
            for member in group:
                self._groups.setdefault(_folded(member), []).append(group)
        self._synonyms = PhraseFinder(self._groups)

    def read(self, question: str) -> Plan:
        """Return what ``question`` asks for."""
        folded = _folded(question)
        subject = self._instructions.without(folded)
        if not fts_words(subject):
            subject = folded
        owners = [o for phrase in self._phrases.found(subject) for o in self._owners[phrase]]
        terms = self._terms_of(owners)
        groups = [g for phrase in self._synonyms.found(subject) for g in self._groups[phrase]]
        return Plan(
            text=subject,
            words=_content_words(subject),
            period_words=tuple(w for w in _content_words(subject) if _PERIOD_WORD.fullmatch(w)),
            labels=_phrases(label for t in terms for label in t.labels[:_LABELS_PER_TERM]),
            synonyms=_phrases(member for group in groups for member in group),
            statements=_statements(owners, terms),
            periods=_periods(folded),
        )

    def _terms_of(self, owners: list[Term | Formula | Statement]) -> list[Term]:
        out: dict[str, Term] = {}
        for owner in owners:
            if isinstance(owner, Term):
                out[owner.name] = owner
            elif isinstance(owner, Formula):
                for name in _IDENTIFIER.findall(owner.expression):
                    if name in self._terms:
                        out.setdefault(self._terms[name].name, self._terms[name])
        return list(out.values())


def _folded(text: str) -> str:
    return " ".join(text.translate(_APOSTROPHES).lower().split())


def _content_words(text: str) -> tuple[str, ...]:
    kept = [w for w in fts_words(text) if w not in STOP_WORDS and (len(w) > 1 or not w.isascii() or w.isdigit())]
    out: list[str] = []
    for word in kept or fts_words(text):
        short = _SHORT_YEAR.fullmatch(word)
        year = re.fullmatch(r"(?:fy|q[1-4])?((?:19|20)\d\d)(?:q[1-4])?", word)
        out.append(f"20{short.group(1)}" if short else year.group(1) if year else word)
    return tuple(dict.fromkeys(out))


def _phrases(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(p for p in dict.fromkeys(fts_phrase(cjk_spaced(t)) for t in texts) if p)


def _statements(owners: list[Term | Formula | Statement], terms: list[Term]) -> tuple[tuple[str, float], ...]:
    out: dict[str, float] = {}
    for owner in owners:
        if isinstance(owner, Statement):
            out[owner.name] = 1.0
    for term in terms:
        for rank, name in enumerate(term.statements):
            out[name] = max(out.get(name, 0.0), 0.7 if rank == 0 else 0.3)
    return tuple(out.items())


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _periods(text: str) -> Periods:
    years: list[int] = []
    quarters: list[int] = []
    dates = [f"{y}-{MONTHS[m.lower()]:02d}-{int(d):02d}" for m, d, y in _DATE.findall(text)]
    dates += ["-".join(found) for found in _ISO.findall(text)]
    for quarter, year in _QUARTER.findall(text) + _QUARTER_NUMBER.findall(text):
        quarters.append(int(quarter))
        if year:
            years.append(_full_year(year))
    for year, quarter in _YEAR_QUARTER.findall(text):
        quarters.append(int(quarter))
        years.append(int(year))
    quarters += [_ORDINALS.index(o.lower()) + 1 for o in _QUARTER_WORD.findall(text)]
    years += [_full_year(y) for y in _SHORT_YEAR.findall(text)] + [int(y) for y in _YEAR.findall(text)]
    forms = [_FORMS[re.sub(r"[\s-]", "", f).upper()] for f in _FORM.findall(text)]
    return Periods(
        years=tuple(dict.fromkeys(years)),
        quarters=tuple(dict.fromkeys(quarters)),
        dates=tuple(dict.fromkeys(dates)),
        forms=tuple(dict.fromkeys(forms)),
    )
