"""Owns reading anyone's draft: what it cites, in whichever way, and what is left as its claims.

Never: whether a claim holds. Positions are those of the draft; what is no claim is blanked, not cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from counterfoil.core.answer.reference_list import Entry, find_references
from counterfoil.core.evidence.naming import DocumentNames
from counterfoil.core.text.marks import RANGE_MAX
from counterfoil.core.text.units import PHYSICAL, TIMES

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?(?!sup\b|https?:|file:)[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>")
_OTHER_SCHEME = re.compile(r"(?!https?:|file:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)[^\n]*\n.*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_NUMBERS = r"\^?\w{1,24}(?:\s*(?:[,;]|[-–])\s*\^?\w{1,24}){0,20}"
_UNIT_WORDS = "|".join(re.escape(name) for name in PHYSICAL + TIMES if name[0].isalpha() and name.isascii())
_PAGE = re.compile(
    r"(?:(?:^|(?<=[\s,;:(\[]))(?:pages?|pp?\.?|pgs?\.|seiten?|s\.|bl\.|páginas?|pág\.|第)[ \t]*:?[ \t]*"
    r"|(?<=#)page=|(?:^|(?<=[\s,;:(\[]))page=)"  # "#page=60" is a link's; "p = 0.013" is a probability
    r"([1-9]\d{0,4})(?!\d|\.\d)"
    rf"(?!\s(?:{_UNIT_WORDS})\b)"  # "s. 12 months" says how long
    r"(?:[ \t]*[-–][ \t]*\d{1,5}|[ \t]*页|[ \t]*頁|[ \t]*ページ)?",
    re.IGNORECASE,
)
_SUFFIXES = r"(?:pdf|html?|docx?|xlsx?|csv|md|txt|json)"
_FILE = re.compile(rf"[\w./%&+~-]{{1,200}}\.{_SUFFIXES}\b(?:#[\w=&-]+)?", re.IGNORECASE)
_DESTINATION = r"<[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))+"
_LINKISH = re.compile(r"(?i)\s*(?:\d{1,3}|source|quelle|link|here|hier|pdf|\^?\d{1,3}\^?|[*†‡])\s*")
_FORMS = (
    ("image", rf"!\[[^\]]*\]\((?:{_DESTINATION})?(?:\s+[\"'(][^)]*)?\)"),
    ("link", rf"\[(?P<shown>[^\[\]]*)\]\(\s*(?P<to>{_DESTINATION})(?:\s+[\"'(][^)\n]*)?\s*\)"),
    ("named", r"\[(?P<words>[^\[\]\n]+)\]\[(?P<name>[^\[\]\n]+)\]"),
    ("cjk", r"【(?P<cjk>\d{1,4})(?:†[^】]*)?】"),
    ("sup", r"<sup>\s*\[?(?P<sup>\d{1,4}(?:\s*,\s*\d{1,4})*)\]?\s*</sup>"),
    ("mark", rf"(?<!\\)\[(?P<mark>{_NUMBERS})\](?!\()"),
    ("auto", r"<(?P<auto>[a-zA-Z][a-zA-Z0-9+.-]*://[^<>\s]+)>"),
    ("url", r"(?P<url>(?:https?|file)://[^\s<>\"'|\]]+)"),
    ("aside", r"(?P<aside>\((?:[^()\n]|\([^()\n]*\)){2,240}\)|\[[^\[\]\n]{2,240}\])"),
    (
        "line",
        r"(?P<line>(?im:(?:^|(?<=[.!?|])[ \t]*)[ \t>*_|-]{0,8}(?:sources?|quellen?|出典|来源)[*_]{0,2}[ \t]*[:：]"
        r"[ \t]*[^\n|]{2,300}))",
    ),
    ("file", rf"(?P<file>{_FILE.pattern})"),
)
_LEAD = re.compile(r"(?i)^[\s*_>|-]*(?:sources?|quellen?|see|siehe|vgl\.|cf\.|from|in|出典|来源)[*_]*\s*[:：]?")
_PROSE = re.compile(
    r"\b(?:is|are|was|were|has|have|which|that|because|ist|sind|war|hat|der|die|das)\b|[$€£%]|\d{1,3},\d{3}", re.I
)
_CITED = re.compile("|".join(f"(?P<is_{name}>{pattern})" for name, pattern in _FORMS), re.IGNORECASE)


class Target(msgspec.Struct, frozen=True):
    """What one citation points at. ``documents`` are ids; () with ``page`` alone means the page of any document.

    ``missing`` says why there is nothing to point at ("" when there is).
    """

    text: str
    documents: tuple[str, ...] = ()
    page: int | None = None
    missing: str = ""


class Citing(msgspec.Struct, frozen=True):
    """A citation as it stands in the draft: ``body[start:end]``."""

    start: int
    end: int
    targets: tuple[Target, ...]


class Draft(msgspec.Struct, frozen=True):
    """A draft as read. ``text`` is ``body`` with citations and everything that claims nothing blanked out."""

    body: str
    text: str
    citings: tuple[Citing, ...] = ()
    code_blocks: int = 0
    entries: tuple[Entry, ...] = ()


def read_draft(body: str, names: DocumentNames) -> Draft:
    """Find every citation of ``body``, resolved against the documents that ``names`` knows."""
    blanks: list[tuple[int, int]] = []
    front = _FRONT_MATTER.match(body)
    if front:
        blanks.append(front.span())
    blanks += [m.span() for m in _COMMENT.finditer(body)]
    fences = [m.span() for m in _FENCE.finditer(body)]
    blanks += [m.span() for pattern in (_SCRIPT, _TAG) for m in pattern.finditer(body)]
    references = find_references(_blanked(body, fences))
    entries = {entry.id.lstrip("^").casefold(): entry for entry in references.entries}
    blanks += [*fences, *references.spans]
    plain = _blanked(body, blanks)
    reader = _Reader(entries, names)
    citings: list[Citing] = []
    cut: list[tuple[int, int]] = []
    for match in _CITED.finditer(plain):
        kind = (match.lastgroup or "").removeprefix("is_")
        citing, spans = reader.read(kind, match)
        cut += spans
        if citing is not None:
            citings.append(citing)
    return Draft(body, _blanked(plain, cut), tuple(citings), len(fences), references.entries)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """``text`` with the spans blanked; line breaks stay, so that lines and tables keep their shape."""
    out: list[str] = []
    last = 0
    for start, end in sorted(spans):
        if end <= last:
            continue
        start = max(start, last)
        out += [text[last:start], re.sub(r"[^\n]", " ", text[start:end])]
        last = end
    return "".join([*out, text[last:]])


Read = tuple[Citing | None, list[tuple[int, int]]]


class _Reader:
    """Turns a match into the citation it is, and the spans of it that claim nothing."""

    def __init__(self, entries: dict[str, Entry], names: DocumentNames) -> None:
        self._entries = entries
        self._names = names
        self._known: dict[str, Target] = {}

    def read(self, kind: str, match: re.Match[str]) -> Read:
        """(the citation or None, what to blank); a match that turns out to be running text is (None, [])."""
        start, end = match.span()
        if kind == "image":
            return None, [(start, end)]
        if kind == "link":
            return self._link(match)
        if kind == "named":
            if match["name"].lstrip("^").casefold() not in self._entries:
                return None, []
            return Citing(start, end, self._listed(match["name"])), [(match.end("words"), end), (start, start + 1)]
        if kind in ("cjk", "sup", "mark"):
            return self._numbered(match[kind], start, end, sure=kind != "mark")
        if kind in ("auto", "url", "file"):
            address = match[kind].rstrip(".,;:!?)*_" if kind == "url" else "")
            stop = start + len(address) if kind == "url" else end
            return Citing(start, stop, (self._place(address),)), [(start, stop)]
        inner = match[kind]
        targets = self._words(inner if kind == "line" else inner[1:-1], sure=kind == "line")
        return (Citing(start, end, targets), [(start, end)]) if targets else (None, [])

    def _link(self, match: re.Match[str]) -> Read:
        """A link's words stay a claim, unless they only say which page or that there is a source."""
        start, end = match.span()
        shown, to = match["shown"], match["to"].strip("<>")
        around = [(start, match.start("shown")), (match.end("shown"), end)]
        if to.startswith("#") or _OTHER_SCHEME.match(to):
            return None, around  # a place in the draft, an address to write to: no source
        target = self._place(to)
        page = _PAGE.search(shown)
        if page and target.page is None and not target.missing:
            target = msgspec.structs.replace(target, page=int(page[1]))
        says_nothing = page or _LINKISH.fullmatch(shown)
        return Citing(start, end, (target,)), [(start, end)] if says_nothing else around

    def _numbered(self, inner: str, start: int, end: int, *, sure: bool) -> Read:
        """The marks "1", "1, 2", "3-5", "^note", "E7": entries of the list; a bare word in brackets is no citation."""
        ids = list(_expanded(inner))
        looks = all(re.fullmatch(r"\^\w+|\d{1,3}|[ECFRS]\d{1,6}", one) for one in ids)
        known = any(one.lstrip("^").casefold() in self._entries for one in ids)
        if not (looks or known or sure):
            targets = self._words(inner, sure=False)
            return (Citing(start, end, targets), [(start, end)]) if targets else (None, [])
        targets = tuple(target for one in ids for target in self._listed(one))
        return Citing(start, end, targets), [(start, end)]

    def _listed(self, name: str) -> tuple[Target, ...]:
        """Where the list's entry of that name points; a calculation points where its operands do."""
        entry = self._entries.get(name.lstrip("^").casefold())
        if entry is None:
            return (Target(f"[{name}]", missing=f"an entry [{name.lstrip('^')}] in the draft's list of sources"),)
        if re.fullmatch(r"[CF]\d+", name):
            operands = re.findall(r"\[(E\d{1,6})\]", entry.text)
            return tuple(t for one in operands for t in self._listed(one))
        place = next((m for m in re.finditer(r"(?:https?|file)://[^\s<>\"')\]]+", entry.text)), None)
        found = self._place(place[0].rstrip(".,;")) if place else None
        if found is None or found.missing:
            worded = self._words(entry.text, sure=True)
            found = worded[0] if worded and not (found and worded[0].missing) else found
        assert found is not None
        page = _PAGE.search(entry.text)
        if page and found.page is None and not found.missing:
            found = msgspec.structs.replace(found, page=int(page[1]))
        return (found,)

    def _place(self, address: str) -> Target:
        """The document at an address or file name, with the page of its fragment ("#page=60")."""
        if address not in self._known:
            bare, _, fragment = address.partition("#")
            page = _PAGE.search(f"#{fragment}") if fragment else None
            documents = self._names.meant(bare) if bare else ()
            missing = "" if documents or not bare else _elsewhere(address)
            self._known[address] = Target(address, documents, int(page[1]) if page else None, missing)
        return self._known[address]

    def _words(self, said: str, *, sure: bool) -> tuple[Target, ...]:
        """The document that words in brackets or behind "Source:" name, and the page; () when they name none."""
        page = _PAGE.search(said)
        file = _FILE.search(said)
        name = _PAGE.sub(" ", file[0].partition("#")[0] if file else said)
        name = re.sub(
            r"(?i)^[\s*_>|-]*(?:sources?|quellen?|see|siehe|vgl\.|cf\.|from|in|出典|来源)[*_]*\s*[:：]?", "", name
        )
        name = name.strip(' \t,;:.*_()[]–—-“”"')
        documents = self._names.meant(name) if name else ()
        number = int(page[1]) if page else None
        if documents and (sure or file or number is not None or not _is_prose(name)):
            return (Target(said.strip(), documents, number),)
        if file or (sure and name) or (number is not None and name and not _is_prose(name)):
            return (Target(said.strip(), (), number, _elsewhere(name)),)
        return (Target(said.strip(), (), number),) if number is not None and not name else ()


def _elsewhere(name: str) -> str:
    return f"a document of the corpus; {name} is none"


def _expanded(inner: str) -> Iterator[str]:
    """The ids of "1, 3-5"."""
    for part in re.split(r"\s*[,;]\s*", inner.strip()):
        span = re.fullmatch(r"(\D?)(\d{1,6})\s*[-–]\s*\1(\d{1,6})", part)
        if span and 0 <= int(span[3]) - int(span[2]) <= RANGE_MAX:
            yield from (f"{span[1]}{n}" for n in range(int(span[2]), int(span[3]) + 1))
        else:
            yield part


def _is_prose(words: str) -> bool:
    """Whether bracketed words say something of their own, and so are a claim and no name of a document."""
    return len(words.split()) > 12 or _PROSE.search(words) is not None
