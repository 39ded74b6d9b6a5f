"""Owns which documents a name in running text means: an address, a file name, "the 3M 10-K for 2018".

Never: opening anything. A name that fits several documents equally means all of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from counterfoil.core.evidence.passages import Document

_WORD = re.compile(r"10[- ]?[kq]|8[- ]?k|20[- ]?f|(?:19|20)\d\d|q[1-4](?![a-z])|[^\W_]+", re.IGNORECASE)
_KIND = re.compile(r"10[kq]|8k|20f|earnings|release")
_FORM = re.compile(rf"\d+|{_KIND.pattern}|q\d?|fy\d*|filed|results?|announces")
_SUFFIX = re.compile(r"\.(?:pdf|html?|docx?|xlsx?|csv|md|markdown|txt|json)$", re.IGNORECASE)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_GENERIC_WORDS = """
    a an the of and for on in to by from inc co corp company ltd plc llc se ag gmbh report annual quarterly form
    filing document page pages pdf html source see der die das und von bericht seite quelle com www http https
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())
_SHARE_MIN = 0.6  # of the words of a name that any document bears, by weight


class DocumentNames:
    """The names that a set of documents goes by."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = tuple(documents)
        self._exact: dict[str, list[str]] = {}
        self._words: dict[str, frozenset[str]] = {}
        for document in documents:
            for name in _names_of(document):
                held = self._exact.setdefault(name, [])
                if document.id not in held:
                    held.append(document.id)
            self._words[document.id] = frozenset(_words(_described(document)))
        self._counts = Counter(word for words in self._words.values() for word in words)

    def exactly(self, name: str) -> tuple[str, ...]:
        """The ids of the documents with that address, id, file name (suffix or not) or title."""
        return tuple(self._exact.get(_folded(name), ()))

    def meant(self, name: str) -> tuple[str, ...]:
        """The ids of the documents that ``name`` means: exactly, else those that bear most of its words; () if none.

        A word counts the more the fewer documents bear it. A word that none bears may be an author or publisher
        named beside, as long as the document's own name is there: "Apple 10-K" is no 10-K of another company.
        """
        address = name.strip().strip("<>").partition("#")[0].partition("?")[0].rstrip("/")
        for whole in (name, address.rsplit("/", 1)[-1]):
            if exact := self.exactly(whole):
                return exact
        said = frozenset(_words(name))
        known = {word for word in said if word in self._counts}
        squeezed = "".join(c for c in _folded(name) if c.isalnum())
        scores: dict[str, float] = {}
        for document, own in self._words.items():
            common = known & own
            common |= {word for word in own if len(word) > 4 and word.isalpha() and word in squeezed}
            if any(self._tells_apart(word) for word in common) or (known == said and any(map(_KIND.fullmatch, common))):
                scores[document] = sum(self._weight(word) for word in common)
        if not scores:
            return ()
        best = max(scores.values())
        sought = sum(self._weight(word) for word in known) or best
        if best < _SHARE_MIN * sought or not _enough(said, known, best):
            return ()
        return tuple(document for document, score in scores.items() if score >= best - 1e-9)

    def _weight(self, word: str) -> float:
        return 1.0 / self._counts[word]

    def _tells_apart(self, word: str) -> bool:
        """Whether a word is a document's own name: few bear it, and it is no number, form or quarter."""
        if _FORM.fullmatch(word):
            return False
        return self._counts[word] * 2 <= len(self._words) or len(self._words) < 3


def _enough(said: frozenset[str], known: set[str], best: float) -> bool:
    """Whether a name is about a document at all, not a sentence that shares one word with its title."""
    return best > 0 and (len(known) * 2 >= len(said) or len(known) >= 3)


def _names_of(document: Document) -> set[str]:
    file = document.id.rsplit("/", 1)[-1]
    names = {document.id, document.url, document.title, file, document.url.rsplit("/", 1)[-1]}
    names |= {_SUFFIX.sub("", name) for name in names}
    return {folded for name in names if (folded := _folded(name))}


def _described(document: Document) -> str:
    parts = (_SUFFIX.sub("", document.id), document.title, document.subject, document.form, document.period)
    return " ".join(part for part in parts if part)


def _folded(name: str) -> str:
    """A name for comparing: scheme, "www.", query and fragment, percent-escapes and case ignored."""
    text = name.strip().strip("<>\"'“”`")
    if _SCHEME.match(text):
        text = _SCHEME.sub("", text).partition("#")[0].partition("?")[0].removeprefix("www.")
    elif _SUFFIX.search(text.partition("#")[0]):
        text = text.partition("#")[0]
    text = _PERCENT.sub(lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "replace"), text)
    return " ".join(unicodedata.normalize("NFC", text).casefold().rstrip("/").split())


def _words(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", text.replace("_", " "))
    out: list[str] = []
    for match in _WORD.finditer(spaced):
        word = re.sub(r"[- ]", "", match[0]).casefold()
        if word not in _GENERIC and (len(word) > 1 or word.isdigit()):
            out.append(word)
    return out
