"""Owns whether the words beside a figure name the number that it is bound to, or another one.

Never: counting words that both numbers have; only what tells them apart decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from counterfoil.core.answer.beside import PAYING, Beside
from counterfoil.core.answer.held import Held
from counterfoil.core.text.folding import loosely_folded
from counterfoil.core.text.measures import dimension
from counterfoil.core.text.stems import stems, unabbreviated
from counterfoil.core.text.units import is_currency
from counterfoil.core.text.vocabulary import Vocabulary


def unit_class(unit: str | None) -> str | None:
    """What a unit counts: money, percent, a dimension; None when unknown."""
    if unit is None or unit in ("count", "per share"):
        return None
    if is_currency(unit):
        return "money"
    return "percent" if unit in ("percent", "permille", "points", "bps") else dimension(unit) or unit.rstrip("s")


class Terms:
    """The vocabulary's terms by their phrases and labels, in stems."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._phrases: dict[str, list[tuple[frozenset[str], str, str]]] = {}  # by the longest stem of the phrase
        self._labels: dict[frozenset[str], set[str]] = {}
        for term in vocabulary.terms:
            for phrase in (*term.phrases, *(label for label in term.labels if ">" not in label)):
                if own := stems(phrase):
                    key = max(own, key=lambda word: (len(word), word))
                    self._phrases.setdefault(key, []).append((own, loosely_folded(phrase), term.name))
            for label in term.labels:
                self._labels.setdefault(stems(label.rpartition(">")[2]), set()).add(term.name)

    def of_label(self, label: str) -> frozenset[str]:
        """The terms that a row's label names word for word."""
        return frozenset(self._labels.get(stems(label), ()))

    def in_words(self, text: str) -> frozenset[str]:
        """The terms that ``text`` names, by their longest phrases only."""
        text = unabbreviated(text)
        words, folded = stems(text), loosely_folded(text)
        known = (entry for word in words for entry in self._phrases.get(word, ()))
        found = [(p, name) for own, p, name in known if own <= words and p in folded]
        longest = [(p, n) for p, n in found if not any(p in q and p != q for q, _ in found)]
        return frozenset(name for _, name in longest)


@lru_cache(maxsize=4)
def terms_of(vocabulary: Vocabulary) -> Terms:
    """The terms of a vocabulary, read once."""
    return Terms(vocabulary)


def better(said: Beside, held: Held, rivals: Iterable[Held], terms: Terms) -> Held | None:
    """The rival that the words beside a figure name better than the number it would be bound to, None without one."""
    words = said.words - said.lent
    if not words:
        return None
    named = terms.in_words(said.window)
    own_terms = _terms(held, terms)
    if named & own_terms:
        return None
    for rival in rivals:
        if rival.words == held.words or not rival.words:
            continue
        if _contrary(words, held, rival):
            return rival
        apart, theirs = held.words - rival.words, rival.words - held.words
        own, other = _weight(words & apart), _weight(words & theirs)
        if named and own_terms and named & _terms(rival, terms):
            return rival
        share = own * len(theirs) - other * len(apart)  # which of the two is named more fully
        telling = any(words & apart & contrast for contrast in _CONTRASTS)
        if other > own and not (own and (share > 0 or (share == 0 and telling))):
            return rival
        if other == own > 0 and theirs <= words and 2 * len(words & apart) < len(apart):
            return rival
        if not own and not other and held.is_row and rival.is_row and _closer(words, held, rival):
            return rival
    return None


# Words of which one thing is only one: who says "the second car" does not mean the first.
_CONTRASTS = tuple(
    stems(line)
    for line in (
        "first second third fourth fifth sixth", "monday tuesday wednesday thursday friday saturday sunday",
        "january february march april may june july august september october november december",
        "adult child children senior student", "men women boys girls", "male female", "morning afternoon evening night",
        "spring summer autumn winter", "minimum maximum", "lowest highest", "north south east west",
        "northern southern eastern western", "actual estimate budget forecast", "domestic foreign", "urban rural",
        "erste zweite dritte vierte", "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "erwachsene kinder senioren studenten", "männer frauen", "premier deuxième troisième",
        "lundi mardi mercredi jeudi vendredi samedi dimanche", "adultes enfants", "hommes femmes",
    )
)  # fmt: skip


def _contrary(words: frozenset[str], held: Held, rival: Held) -> bool:
    """Whether the words beside a figure exclude what names ``held`` and are what names ``rival``."""
    for contrast in _CONTRASTS:
        said = words & contrast
        if said and held.words & contrast and not said & held.words and said & rival.words:
            return True
    return False


_NAME = re.compile(r"(?<![^\W\d_])[^\W\d_a-z][\w&'’-]*")


def of_subject(said: Beside, held: Held, rivals: Iterable[Held]) -> Held | None:
    """The rival whose document is about what the sentence names where the held number's document is about another.

    Only words that are written as names count: "City South" in a sentence against the title of a page of City North.
    """
    names = stems(" ".join(_NAME.findall(said.window)))
    about = _about(held)
    if not names or not about:
        return None
    for rival in rivals:
        theirs = _about(rival)
        as_near = len(said.words & rival.words) >= len(said.words & held.words)
        if as_near and names & (theirs - about) and not names & (about - theirs):
            return rival
    return None


def _about(held: Held) -> frozenset[str]:
    """What the document of a number is about, by its title and subject."""
    if held.source is None:
        return frozenset()
    document = held.source.source.document
    return stems(f"{document.title} {document.subject or ''}")


def _weight(words: frozenset[str]) -> float:
    """How much words tell apart; a word of a rate ("a month") or of paying tells less than what is priced."""
    return sum(0.5 if word in PAYING or dimension(word) in ("time", "calendar") else 1.0 for word in words)


def _terms(held: Held, terms: Terms) -> frozenset[str]:
    table = held.source.passage.table if held.source else None
    return terms.of_label(table.label.text) if held.is_row and table and table.label else frozenset()


def _closer(words: frozenset[str], held: Held, rival: Held) -> bool:
    """ "Revenue" is the row "Revenue", not "Cost of revenue": the words leave nothing of it unsaid."""
    mine, theirs = stems(held.label), stems(rival.label)
    return bool(theirs) and theirs <= words and not mine <= words


def another(words: frozenset[str], said: str, held: Held, terms: Terms) -> bool:
    """Whether a figure is said to be a known thing that the row, which is another known thing, is not."""
    own = _terms(held, terms)
    named = terms.in_words(said) if own else frozenset()
    return bool(named) and not named & own and not words & held.words


def rows_beside(held: Held, rows: Sequence[Held]) -> tuple[Held, ...]:
    """The rows of the page of ``held`` that were read but not cited, one number of each."""
    if not held.is_row or held.source is None:
        return ()
    source = held.source
    return tuple(
        row
        for row in rows
        if row.source is not None
        and row.source.segment == source.segment
        and row.source.source.document.id == source.source.document.id
        and row.citation != held.citation
    )
