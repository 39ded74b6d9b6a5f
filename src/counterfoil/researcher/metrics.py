"""Owns recognition: which terms, formulas and statements of the vocabulary a text names, longest phrase first.

Never: what to do with them (``targets`` decides).
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from counterfoil.core.text.vocabulary import Formula, Statement, Term, Vocabulary
from counterfoil.researcher.words import fold, words

_PRIMARY_TERMS_MIN = 8
Kind = Literal["term", "formula", "statement"]


class Mention(msgspec.Struct, frozen=True):
    """A phrase found in a text: words ``start`` to ``end`` name the thing ``name``."""

    kind: Kind
    name: str
    start: int
    end: int
    phrase: str


def phrase_words(text: str) -> list[str]:
    """Return the words of ``text`` with "%" as a word."""
    return words(fold(text).replace("%", " percent "))


class Lexicon:
    """A vocabulary made ready for recognition. Immutable after construction."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.terms: dict[str, Term] = {term.name: term for term in vocabulary.terms}
        self.formulas: dict[str, Formula] = {formula.name: formula for formula in vocabulary.formulas}
        self.statements: dict[str, Statement] = {item.name: item for item in vocabulary.statements}
        first = Counter(term.statements[0] for term in vocabulary.terms if term.statements)
        #: the statements that many terms stand on first: a page of one holds no other's rows
        self.primary = tuple(name for name, count in first.items() if count >= _PRIMARY_TERMS_MIN)
        self.instructions = tuple(sorted(vocabulary.instructions, key=len, reverse=True))
        self._by_first: dict[str, list[tuple[tuple[str, ...], int, Kind, str]]] = {}
        for kind, priority, things in (
            ("formula", 0, vocabulary.formulas),
            ("term", 1, vocabulary.terms),
            ("statement", 2, vocabulary.statements),
        ):
            for thing in things:
                self._add(kind, priority, thing)  # type: ignore[arg-type]
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: (-len(entry[0]), entry[1]))

    def _add(self, kind: Kind, priority: int, thing: Term | Formula | Statement) -> None:
        phrases = [thing.name, *thing.phrases]
        if isinstance(thing, Term):
            phrases.extend(label for label in thing.labels if len(words(label)) > 1 and ">" not in label)
        if isinstance(thing, Statement):
            phrases.extend(thing.titles)
        for phrase in phrases:
            run = tuple(phrase_words(phrase))
            if run:
                place = priority if phrase == thing.name or phrase in thing.phrases else priority + 3
                self._by_first.setdefault(run[0], []).append((run, place, kind, thing.name))

    def mentions(self, text: str) -> list[Mention]:
        """Return what ``text`` names, left to right; longer phrases win, none overlap."""
        have = phrase_words(text)
        found: list[Mention] = []
        at = 0
        while at < len(have):
            entry = next(
                (e for e in self._by_first.get(have[at], ()) if tuple(have[at : at + len(e[0])]) == e[0]), None
            )
            if entry is None:
                at += 1
                continue
            run, _, kind, name = entry
            found.append(Mention(kind, name, at, at + len(run), " ".join(run)))
            at += len(run)
        return found

    def metrics(self, text: str) -> list[Mention]:
        """Return the terms and formulas that ``text`` names, without statements."""
        return [mention for mention in self.mentions(text) if mention.kind != "statement"]

    def same_phrase(self, mention: Mention) -> list[str]:
        """Names of terms and formulas that the same phrase also means, the mentioned one left out."""
        run = tuple(mention.phrase.split(" "))
        return [
            name
            for entry, place, kind, name in self._by_first.get(run[0], ())
            if entry == run and place < 2 and (kind, name) != (mention.kind, mention.name)
        ]

    def kind_of(self, name: str) -> str:
        """The kind of value a term or formula has; "money" when unknown."""
        if name in self.terms:
            return self.terms[name].kind
        return self.formulas[name].kind if name in self.formulas else "money"
