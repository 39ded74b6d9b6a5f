"""Owns words: how the researcher folds, stems and counts them in any script.

Never: what a domain's words mean (the vocabulary does) or what a sentence says.
"""

from __future__ import annotations

import re
import unicodedata

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}](?:[^\W_{_CJK}]|[&'’.\-](?=[^\W_{_CJK}]))*", re.UNICODE)
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_STOP_EN = (
    "a an and are as at be been being by can could did do does for from had has have how i if in "
    "into is it its of on or our "
    "than that the their them then there these they this those to was we were what when where "
    "which who whom whose why will "
    "with would you your me my any all also about there's what's much many over under per "
    "between during since after before "
    "given give answer question using use used based basis amount value shown show information "
    "data provided outlined within "
    "primarily please round rounded decimal place places units unit usd million millions billion "
    "billions thousand thousands "
    "percents company companies like ok so vs versus long report reported according details "
    "clearly not no yes such more most"
)
_STOP_DE = (
    "der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird "
    "werden wurde wurden wie was wer wo "
    "wann warum welche welcher welches welchen wieviel viel viele hoch im in am an auf aus bei "
    "mit nach von vom zu zum zur für "
    "über unter um es sie er wir ihr nicht kein keine auch als dass betrug beträgt hat haben "
    "hatte kostet lang groß oft weit teuer dauert gibt gilt"
)
_STOP_FR = (
    "le la les l un une des du de d et ou à au aux en dans sur pour par avec sans est était sont étaient a ont avait "
    "avez que qui quoi quel quelle quels quelles combien comment où quand pourquoi se s il elle ils elles t ce cette "
    "ces son sa ses leur leurs ne pas trouve élevé emploie été fait"
)
STOP = frozenset((_STOP_EN + " " + _STOP_DE + " " + _STOP_FR).split())
FOREIGN_STOP = frozenset((_STOP_DE + " " + _STOP_FR).split()) - frozenset(_STOP_EN.split())
_FUNCTION_CJK = frozenset("的在哪里是有多少什么了和与及或为怎如何何吗呢请问")
_HIRAGANA = re.compile(r"[\u3040-\u309f]")
_STOP_CJK = frozenset(
    [
        "什么",
        "多少",
        "是多",
        "少是",
        "哪些",
        "哪个",
        "哪家",
        "的是",
        "是什",
        "为什",
        "怎么",
        "如何",
        "いく",
        "くら",
        "らで",
        "です",
        "すか",
        "ます",
        "ますか",
        "いつ",
        "どこ",
        "なに",
        "何で",
        "でし",
        "した",
        "ある",
        "あり",
        "りま",
        "とは",
        "は何",
        "何で",
        "どの",
        "のは",
        "誰が",
    ]
)
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "’": "'", "‘": "'", "“": '"', "”": '"'})


def fold(text: str) -> str:
    """Return ``text`` in compatibility form, lower case, with plain dashes and quotes."""
    return unicodedata.normalize("NFKC", text).translate(_DASHES).casefold()


def stem(word: str) -> str:
    """Return a light English stem; other scripts come back as they are."""
    if len(word) <= 3 or not word.isascii():
        return word
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("'s", "")):
        if word.endswith(ending):
            return word[: -len(ending)] + replacement
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


_KIN: tuple[str, ...] = (
    "acquire acquired acquisition takeover",
    "agree agreed agreement",
    "appoint appointed appointment elect elected named",
    "audit audited auditor auditors",
    "begin began begun start started commence commenced",
    "build built construction",
    "close closed closing closure",
    "complete completed completion",
    "decide decided decision",
    "decline declined decrease decreased fell drop dropped reduction lower",
    "divest divested divestiture sell sold sale",
    "employ employed employee employees employs headcount",
    "end ended ends ending",
    "found founded founder established",
    "grow grew grown growth increase increased rise rose higher",
    "incorporate incorporated incorporation",
    "lead leads led leader",
    "leave left resign resigned resignation departed",
    "locate located location headquarter headquarters headquartered",
    "lose lost loss",
    "make made makes",
    "own owned owns owner",
    "pay paid pays payment payments declare declared",
    "recall recalled recalls",
    "separate separated separation spin spun spinoff",
    "win won winner wins",
    "write wrote written",
)


def _kindred() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _KIN:
        group = frozenset(stem(word) for word in line.split())
        found.update({word: found.get(word, frozenset()) | group for word in group})
    return found


def kin(word: str) -> frozenset[str]:
    """Return the stems that say the same as ``word`` in another form ("paid": pay, payment), itself included."""
    return _KINDRED.get(word, frozenset()) | {word}


def _pieces(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


_KINDRED = _kindred()


def words(text: str) -> list[str]:
    """Return every word of ``text``, folded and stemmed; CJK runs become bigrams."""
    found: list[str] = []
    for match in _WORD.finditer(fold(text)):
        run = match.group()
        if _CJK_RUN.fullmatch(run):
            found.extend(_pieces(run))
        else:
            found.extend(stem(part) for part in _split_compound(run))
    return found


def _split_compound(run: str) -> list[str]:
    """ "year-over-year" is three words, "r&d" and "10.5" are one."""
    return [part for part in re.split(r"[-']", run) if part and part != "s"] if "-" in run or "'" in run else [run]


def content(text: str) -> list[str]:
    """Return the distinct words of ``text`` that carry meaning, in order."""
    return list(dict.fromkeys(w for w in words(text) if not is_stop(w)))


_STEMMED_STOP = frozenset(stem(w) for w in STOP) | STOP


NEUTRAL = frozenset(
    stem(w)
    for w in [
        "year",
        "end",
        "fiscal",
        "fy",
        "net",
        "total",
        "gross",
        "amount",
        "value",
        "balance",
        "reported",
        "consolidated",
        "level",
        "figure",
        "sum",
        "overall",
        "annual",
        "quarter",
        "full",
        "ended",
        "ending",
        "date",
        "time",
        "statement",
        "number",
        "company's",
        "business",
        "historically",
        "roughly",
        "profile",
        "firm",
        "group",
        "period",
        "during",
        "as-of",
        "expense",
        "expenses",
        "cost",
        "costs",
        "expenditure",
        "ratio",
        "metric",
        "average",
        "change",
        "amounts",
        "line",
        "item",
        "items",
        "gaap",
        "unadjusted",
        "jahr",
        "ende",
        "geschäftsjahr",
        "done",
        "major",
        "main",
        "key",
        "attributable",
        "shareholder",
        "shareholders",
        "stockholder",
        "stockholders",
        "12",
        "months",
        "month",
        "twelve",
        "common",
        "last",
        "latest",
        "recent",
    ]
)  # words that name no particular thing


def is_stop(word: str) -> bool:
    """Say whether a folded, stemmed word only holds a sentence together."""
    if _CJK_RUN.fullmatch(word):
        return word in _STOP_CJK or _HIRAGANA.search(word) is not None or any(char in _FUNCTION_CJK for char in word)
    return word in _STEMMED_STOP or (len(word) == 1 and word.isascii() and not word.isdigit())


def has_cjk(text: str) -> bool:
    """Say whether ``text`` holds Chinese, Japanese or Korean script."""
    return _CJK_RUN.search(text) is not None


def contains(haystack: list[str], needle: list[str]) -> bool:
    """Say whether the words of ``needle`` stand side by side in ``haystack``."""
    return find_run(haystack, needle) >= 0


def find_run(haystack: list[str], needle: list[str]) -> int:
    """Return where the words of ``needle`` stand side by side in ``haystack``, or -1."""
    if not needle:
        return -1
    for start in range(len(haystack) - len(needle) + 1):
        if haystack[start : start + len(needle)] == needle:
            return start
    return -1
