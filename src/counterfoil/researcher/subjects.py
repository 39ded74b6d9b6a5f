"""Owns whom a question is about, and whether a document is about the same one.

Never: a list of companies; names are what is written with a capital and is no word of the vocabulary.
"""

from __future__ import annotations

import re

from counterfoil.core.text.periods import MONTHS
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.words import STOP, fold, has_cjk, words

_NAME = re.compile(
    r"(?:\d+[A-Z]\w*|[A-Z][\w.&'’\-]*)(?:\s+(?:&\s+|and\s+(?=[A-Z]))?(?:\d+[A-Z]\w*|[A-Z][\w.&'’\-]*|\d+(?!\w)))*"
)
_PERIODISH = re.compile(
    r"^(?:FY|Q[1-4]|H[12])?['’]?\d{2,4}$|^Q[1-4]['’]?\d*$|^FY$|^(?:Q[1-4])?(?:FY)?\d+$", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"['’]s?$")
_COMMON = frozenset(
    [
        "among",
        "according",
        "address",
        "assume",
        "based",
        "calculate",
        "compute",
        "define",
        "does",
        "has",
        "have",
        "how",
        "list",
        "name",
        "please",
        "round",
        "taking",
        "using",
        "what",
        "which",
        "who",
        "why",
        "is",
        "are",
        "was",
        "were",
        "did",
        "do",
        "by",
        "from",
        "as",
        "at",
        "for",
        "in",
        "of",
        "on",
        "the",
        "and",
        "if",
        "give",
        "base",
        "respond",
        "answer",
        "roughly",
        "historically",
        "basing",
        "we",
        "year",
        "year-over-year",
        "agm",
        "usd",
        "eur",
        "gbp",
        "jpy",
        "us",
        "usa",
        "p&l",
        "statement",
        "balance",
        "sheet",
        "cash",
        "flow",
        "income",
        "non",
        "gaap",
        "adjusted",
        "real",
        "domestic",
        "international",
        "segment",
        "ceo",
        "cfo",
        "board",
        "annual",
        "quarter",
        "fiscal",
        "end",
        "when",
        "where",
        "during",
        "between",
    ]
)
_CJK_NAME = re.compile(r"^(.{2,20}?)(?:の|的|在|に|は|于|於|\s|20\d\d)")
_BEFORE_SUBJECT = r"\b(?:for|of|does|did|do|has|have|is|are|was|that|by|at|from)\s+(?:the\s+)?"
_GERMAN = re.compile(r"[äöüß]|\b(?:wie|welche[rsn]?|warum|wann|wer|ist|das|kostet|betrug|hoch)\b", re.IGNORECASE)
_FORMS = frozenset(["ag", "gmbh", "inc", "corp", "ltd", "plc", "llc", "incorporated", "limited"])
_LEGAL = frozenset(
    [
        "inc",
        "corp",
        "corporation",
        "company",
        "co",
        "ltd",
        "plc",
        "llc",
        "group",
        "holdings",
        "holding",
        "the",
        "ag",
        "gmbh",
        "se",
        "sa",
        "nv",
        "and",
        "&",
        "of",
        "incorporated",
        "limited",
        "com",
    ]
)


def names_in(text: str, lexicon: Lexicon) -> list[str]:
    """Return the proper names in ``text``, in order, without months, periods and vocabulary words."""
    found: list[str] = []
    for match in _NAME.finditer(text):
        raws = match.group().split()
        parts = [_POSSESSIVE.sub("", part).rstrip(".,") for part in raws]
        while parts and _dull(parts[0], lexicon):
            parts.pop(0)
        kept: list[str] = []
        for raw, part in zip(raws[len(raws) - len(parts) :], parts, strict=True):
            if _dull(part, lexicon) and part not in ("&", "and", "of") and kept[-1:] != ["&"]:
                break
            kept.append(part)
            if _POSSESSIVE.search(raw):
                break  # "Pfizer's Comirnaty": whose it is, then what
            if len(kept) > 1 and fold(part) in _FORMS:
                break  # "Bergwerk AG Ende 2022": a legal form ends a name
        while kept and kept[-1] in ("&", "and"):
            kept.pop()
        if kept and not _covered(" ".join(kept), lexicon):
            found.append(" ".join(kept))
    return list(dict.fromkeys(found))


def _covered(name: str, lexicon: Lexicon) -> bool:
    """Say whether a name is only a term of the vocabulary written with capitals."""
    return sum(m.end - m.start for m in lexicon.mentions(name)) >= len(words(name)) > 0


def _dull(part: str, lexicon: Lexicon) -> bool:
    word = fold(part)
    if not part or part == "&" or _PERIODISH.match(part) or word in MONTHS or word in _COMMON or word in STOP:
        return True
    return part.isupper() and any(m.end - m.start >= 1 for m in lexicon.mentions(part))


def subject_of(text: str, lexicon: Lexicon) -> str | None:
    """Return the name the question is about: a possessive, "for X", or the first name there is."""
    if has_cjk(text):
        match = _CJK_NAME.match(text)
        return match.group(1) if match else None
    found = names_in(text, lexicon)
    if _GERMAN.search(text):  # every noun has a capital there: only what looks like a company is a name
        found = [
            name
            for name in found
            if any(fold(part) in _LEGAL for part in name.split()) or re.search(r"[a-z][A-Z]|[A-Z]{2}", name)
        ]
    if not found:
        return None
    for name in found:
        if re.search(re.escape(name) + r"['’]", text):
            return name
    placed = [name for name in found if re.search(_BEFORE_SUBJECT + re.escape(name), text)]
    if placed:
        return next((name for name in placed if not (name.isupper() and len(name) <= 4)), placed[0])
    return found[0]


def _key(name: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", fold(name).replace("'s", "")) if word not in _LEGAL]


def same(name: str, *others: str) -> bool:
    """Say whether ``name`` is written in, or abbreviates, one of the texts that tell what a document is about."""
    key = _key(name)
    if not key:
        return False
    for other in others:
        if not other:
            continue
        have = _key(other)
        joined = "".join(have)
        if all(word in have for word in key) or "".join(key) in joined:
            return True
        if _abbreviates("".join(key), have) or (has_cjk(name) and fold(name) in fold(other)):
            return True
    return False


def _abbreviates(short: str, words_of: list[str]) -> bool:
    """ "jnj" is johnson n johnson, "amd" is advanced micro devices, "amex" is american express."""
    if not 2 <= len(short) <= 6 or len(words_of) < 2:
        return False
    initials = "".join(word[0] for word in words_of)
    return len(short) >= 2 and (
        initials.startswith(short) or initials.startswith(short.replace("n", "", 1)) or _prefixes(short, words_of)
    )


def _prefixes(short: str, words_of: list[str]) -> bool:
    """ "amex": every part begins one of the first words, and at least two words take part."""
    first = words_of[0]
    second = words_of[1]
    return any(first.startswith(short[:cut]) and second.startswith(short[cut:]) for cut in range(1, len(short)))
