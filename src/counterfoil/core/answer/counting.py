"""Owns counting what an answer has of what was asked: words, bullets, sections, sources, named things.

Never: an estimate; what cannot be counted is measured as None and neither met nor missed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from counterfoil.core.answer.asks import Ask, Unit, find_asks
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.quotations import find_quotations
from counterfoil.core.answer.reference_list import find_references
from counterfoil.core.answer.scopes import Scope, split_scopes
from counterfoil.core.evidence.split import sentences
from counterfoil.core.text.marks import without_marks

_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)[^\n]*\n.*?(?:^[ \t]{0,3}\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_CHART = re.compile(
    r"!\[[^\]]*\]\([^)]+\)|^[ \t]{0,3}(?:```|~~~)\s*(?:mermaid|vega(?:-lite)?|chart|plot)\b", re.MULTILINE
)
_LINK = re.compile(r"\[[^\[\]]*\]\([^()\s]+[^()]*\)|<?https?://[^\s<>)\]]+")
_WORD = re.compile(r"[^\W_]+(?:[.,'’&/-][^\W_]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SOURCES_TITLE = re.compile(r"(?i)\W*(?:references?|sources?|quellen|literatur|bibliography|citations?)\W*")
_TITLE_LEVEL = re.compile(r"^[ \t]{0,3}(#{1,6})[ \t]+(.+)$", re.MULTILINE)
_NAMES = re.compile(
    r"(?:\b(?:are|were|include[sd]?|namely|sind|waren|lauten|sont|étaient)\b:?|[:–—])\s+(?P<names>[^:;!?\n]+)",
    re.IGNORECASE,
)
_LIST_PARTS = re.compile(r",\s*(?:(?:and|or|und|et)\s+)?|\s(?:and|or|und|et|&)\s|\.\s*$")
_NAME_WORDS_MAX = 5
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


class Count(msgspec.Struct, frozen=True):
    """An ask and what was counted for it. ``met`` is None when nothing could be counted."""

    asked: str
    unit: Unit
    noun: str  # the unit as the ask names it
    measured: int | None
    met: bool | None
    text: str  # the ask as it was written


def counts(contract: Contract, body: str, sources: int) -> tuple[Count, ...]:
    """Every ask of the question and the definition of done with what ``body`` has of it.

    ``sources`` is how many different documents the answer cites.
    """
    asks = [ask for done in contract.done for ask in find_asks(done)]
    asks += find_asks(contract.question, question=True)
    counted = _Counted(body, sources)
    once = {(ask.unit, ask.noun.casefold(), ask.low, ask.high): ask for ask in asks}
    return tuple(_count(ask, counted) for ask in once.values())


def _count(ask: Ask, counted: _Counted) -> Count:
    measured = counted.measure(ask)
    met = None
    if measured is not None:
        met = (ask.low is None or measured >= ask.low) and (ask.high is None or measured <= ask.high)
    return Count(ask.wanted, ask.unit, ask.noun, measured, met, ask.text)


class _Counted:
    """A body looked at once."""

    def __init__(self, body: str, sources: int) -> None:
        self._body = body
        self._plain = _FENCE.sub("\n", without_marks(body))
        for start, end in reversed(find_references(self._plain).spans):  # a list of sources is no part of the answer
            self._plain = self._plain[:start] + self._plain[end:]
        self._scopes = split_scopes(self._plain)
        self._sources = sources

    def measure(self, ask: Ask) -> int | None:
        """How many of the ask's unit there are; None when that cannot be told."""
        if ask.unit == "things":
            return self._things(ask.noun)
        measures: dict[Unit, Callable[[], int]] = {
            "words": self._words,
            "characters": lambda: len("".join(self._said().split())),
            "sentences": self._sentences,
            "paragraphs": self._paragraphs,
            "sections": self._sections,
            "bullets": lambda: sum(scope.kind == "bullet" for scope in self._scopes),
            "rows": lambda: max((len(rows) for rows in self._tables()), default=0),
            "columns": lambda: max((len(row.cells) for rows in self._tables() for row in rows), default=0),
            "tables": lambda: len(self._tables()),
            "charts": lambda: len(_CHART.findall(self._body)),
            "sources": lambda: self._sources,
            "quotes": lambda: len(find_quotations(self._body, 3)),
            "links": lambda: len(_LINK.findall(self._body)),
        }
        return measures[ask.unit]()

    def _said(self) -> str:
        """The words of the body without link targets, rules of tables and signs of Markdown."""
        text = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", self._plain)
        return re.sub(r"https?://\S+|[|*_`#>~]|^[ \t]*[-:| ]+$", " ", text, flags=re.MULTILINE)

    def _words(self) -> int:
        said = self._said()
        return len(_WORD.findall(_CJK.sub(" ", said))) + len(_CJK.findall(said))

    def _sentences(self) -> int:
        prose = [scope for scope in self._scopes if scope.kind in ("sentence", "bullet", "quote")]
        return sum(len(sentences(scope.text, 0, len(scope.text))) for scope in prose if _says(scope.text))

    def _paragraphs(self) -> int:
        blocks = (block.strip() for block in _PARAGRAPH.split(self._plain))
        return sum(bool(block) and not block.startswith(("#", "|", "- ", "* ", "> ", "1.")) for block in blocks)

    def _sections(self) -> int:
        """Headings of the top level, a single title over everything and a list of sources left out."""
        found = [(len(m[1]), m[2]) for m in _TITLE_LEVEL.finditer(self._plain) if not _SOURCES_TITLE.fullmatch(m[2])]
        if not found:
            return 0
        top = min(level for level, _ in found)
        first = [level for level, _ in found].count(top)
        if first == 1 and found[0][0] == top and len(found) > 1:
            top = min(level for level, _ in found[1:])
        return sum(level == top for level, _ in found)

    def _tables(self) -> list[list[Scope]]:
        tables: list[list[Scope]] = []
        end = -2
        for scope in self._scopes:
            if scope.kind == "row":
                if not tables or self._plain[end : scope.start].strip("\n"):
                    tables.append([])
                tables[-1].append(scope)
            if scope.kind == "row" or scope.text.lstrip().startswith("|"):
                end = scope.end
        return [rows for rows in tables if rows]

    def _things(self, noun: str) -> int | None:
        """Rows, items of a list, names in a sentence or sections that the body itself calls by the noun's last word."""
        stem = _stem(noun.split()[-1])
        found = [len(rows) for rows in self._tables() if rows[0].cells and stem in _stems(rows[0].cells[0].header)]
        names, bullets = "", 0
        for scope in self._scopes:
            if scope.kind == "bullet":
                bullets += 1
                continue
            if bullets and stem in _stems(names):
                found.append(bullets)
            names, bullets = scope.text, 0
        if bullets and stem in _stems(names):
            found.append(bullets)
        listed = sum(
            _listed(scope.text) for scope in self._scopes if scope.kind == "sentence" and stem in _stems(scope.text)
        )
        found += [listed] if listed else []
        titles = [m[2] for m in _TITLE_LEVEL.finditer(self._plain)]
        numbered = [title for title in titles if re.search(r"\d|\b[A-Z]\b", title) and stem in _stems(title)]
        found += [len(numbered)] if len(numbered) > 1 else []
        return max(found, default=None)


def _listed(sentence: str) -> int:
    """How many names a sentence lists: "The competitors are Acme, Beta and Gamma" has 3; 0 when it lists none."""
    match = _NAMES.search(sentence)
    items = [item.strip(" \"'“”*_") for item in _LIST_PARTS.split(match["names"])] if match else []
    names = [item for item in items if item]
    named = all(name[0].isupper() and len(name.split()) <= _NAME_WORDS_MAX for name in names)
    return len(names) if len(names) > 1 and named else 0


def _says(text: str) -> bool:
    return any(c.isalnum() for c in text)


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(text)}


def _stem(word: str) -> str:
    folded = word.casefold()
    for ending, instead in (("ies", "y"), ("es", ""), ("en", ""), ("s", ""), ("e", ""), ("n", "")):
        if folded.endswith(ending) and len(folded) - len(ending) >= 3:
            return folded[: -len(ending)] + instead
    return folded
