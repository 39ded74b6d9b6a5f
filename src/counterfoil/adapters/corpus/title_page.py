"""Owns what a document's first pages and file name tell of it: subject, form, period, names to route by.

Never: ranking, the index. What is not stated stays None.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from counterfoil.adapters.corpus.tokens import squeezed
from counterfoil.core.text.periods import MONTHS

_FRONT_SEGMENTS = 3
_FRONT_CHARS = 12_000
_LABEL_SEGMENTS = 60
_LABEL_MENTIONS_MIN = 4
_SUBJECT_CHARS_MAX = 80
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = rf"\b({_MONTH})\.?\s+(\d{{1,2}})\s*,?\s+(\d{{4}})"
_FORM = re.compile(r"\bform\s+(10-?k(?:/a)?|10-?q(?:/a)?|8-?k(?:/a)?|20-?f|6-?k|def\s*14a)\b", re.I)
_NAME_FORM = re.compile(r"(?:^|[^a-z0-9])(?:20\d\d)?(10-?k|10-?q|8-?k|20-?f|6-?k|earnings)(?![a-z0-9])", re.I)
_YEAR_ENDED = re.compile(rf"(?:fiscal\s+)?year\s+ended:?\s+{_DATE}", re.I)
_QUARTER_ENDED = re.compile(rf"(?:quarterly\s+period|quarter|three months)\s+ended:?\s+{_DATE}", re.I)
_EVENT_DATE = re.compile(
    rf"date of (?:earliest event reported|report)[^A-Za-z0-9]*(?:\(date of earliest event reported\))?"
    rf"[^A-Za-z0-9]*{_DATE}",
    re.I,
)
_ANY_DATE = re.compile(_DATE, re.I)
_FISCAL = re.compile(r"\bfiscal\s+(?:year\s+)?(20\d\d)\b", re.I)
_ORDINAL = re.compile(r"\b(first|second|third|fourth)[\s-]+(?:fiscal\s+)?quarter", re.I)
_ORDINALS = ("first", "second", "third", "fourth")
_NAME_QUARTER = re.compile(r"(20\d\d)[\s_-]*q([1-4])|q([1-4])[\s_-]*(?:fy)?(20\d\d)", re.I)
_NAME_YEAR = re.compile(r"(?<!\d)(20\d\d|19\d\d)(?!\d)")
_NAME_SUBJECT = re.compile(r"^((?:[^\W\d_]|[&.' _-]|\d(?=[^\W\d_]))+?)[\s_-]*(?:fy)?(?:20\d\d|19\d\d)", re.I)
_CHARTER = re.compile(r"\(?\s*exact\s+name\s+of\s+(?:the\s+)?(?:registrant|company)", re.I)
_COMPANY = re.compile(
    r"\b(?:inc|incorporated|corp|corporation|company|plc|ltd|limited|llc|n\.v|ag|se|gmbh|s\.a|group|holdings)\b\.?",
    re.I,
)
_RELEASE = re.compile(
    r"\b(?:reports?|announces?|delivers?|posts?)\b.{0,80}\b(?:results|earnings)\b"
    r"|\bresults for the\b|\bearnings release\b",
    re.I | re.S,
)
_REPORTED = re.compile(r"\b(?:(?:first|second|third|fourth)[\s-]+quarter|full[\s-]year|fiscal|year ended)\b", re.I)
_OPENING_CHARS = 1500
_FORMERLY = re.compile(r"\b[Ff]ormerly(?: known as| named|:)?,? ((?:[A-Z][\w&.'-]*[ ,]?){1,4})")
_SPELLED_CHARS = 3000
_NAME_WORDS_MAX = 4
_EDGES = " ,.;:()-–—'’\"“”®™"
_SYMBOLS = re.compile(r"\b([A-Z]{1,5})\s+(?:new york stock exchange|the nasdaq|nasdaq|nyse)\b")
_SYMBOLS_AFTER = re.compile(r"\((?:NYSE|NASDAQ|Nasdaq)[^:)]{0,25}:\s*([A-Z.]{1,6})\b")


class Routing(msgspec.Struct, frozen=True):
    """How a query can name this document. Years carry a weight: how sure the year is this document's."""

    subject: str | None = None
    period: str | None = None
    form: str | None = None
    names: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    years: tuple[tuple[int, float], ...] = ()
    quarter: int | None = None
    date: str | None = None  # ISO: the period's end, or the day of the event


def describe(name: str, title: str, texts: Sequence[str]) -> Routing:
    """Describe a document by its file name, title and pages."""
    stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    front = "\n".join(texts[:_FRONT_SEGMENTS])[:_FRONT_CHARS]
    flat = " ".join(front.split())
    form = _form(stem, flat)
    named_year, named_quarter = _named_period(stem)
    if form is None and named_year is None:
        return Routing()
    subject = _subject(front, stem, form is not None)
    label = _fiscal_label(texts)
    date = _date(flat, form)
    years = _years(named_year, label, date, form)
    quarter = named_quarter or _quarter(form, flat, date)
    names = tuple(dict.fromkeys(n for n in (subject, _stem_subject(stem), *_former(flat)) if n))
    return Routing(
        subject=subject,
        period=_period(form, years, quarter, date),
        form=form,
        names=names,
        symbols=tuple(dict.fromkeys(_SYMBOLS.findall(flat) + _SYMBOLS_AFTER.findall(flat)))[:6] if names else (),
        years=years,
        quarter=quarter,
        date=date,
    )


def _form(stem: str, flat: str) -> str | None:
    named = _NAME_FORM.search(stem)
    if named:
        word = named.group(1).upper()
        return "earnings release" if word == "EARNINGS" else _canonical(word)
    found = _FORM.search(flat)
    if found:
        return _canonical(found.group(1).upper())
    opening = flat[:_OPENING_CHARS]
    return "earnings release" if _RELEASE.search(opening) and _REPORTED.search(opening) else None


def _canonical(word: str) -> str:
    word = " ".join(word.split())
    return re.sub(r"^(\d+)-?([A-Z])", r"\1-\2", word)


def _named_period(stem: str) -> tuple[int | None, int | None]:
    quarter = _NAME_QUARTER.search(stem)
    if quarter:
        return int(quarter.group(1) or quarter.group(4)), int(quarter.group(2) or quarter.group(3))
    year = _NAME_YEAR.search(stem)
    return (int(year.group(1)) if year else None), None


def _subject(front: str, stem: str, is_form: bool) -> str | None:
    charter = _CHARTER.search(front)
    if charter:
        for line in reversed(front[: charter.start()].splitlines()):
            name = " ".join(line.split()).strip(" _-*")
            if len(name) > 1 and any(c.isalpha() for c in name) and len(name) <= _SUBJECT_CHARS_MAX:
                return name
    named = _stem_subject(stem)
    if named:
        return _spelled(named, front)
    for line in front.splitlines()[:15] if is_form else ():
        name = " ".join(line.split()).strip(" _-*")
        if _COMPANY.search(name) and len(name.split()) <= _NAME_WORDS_MAX + 2:
            return name
    return None


def _spelled(name: str, front: str) -> str:
    """Return ``name`` as the first pages write it ("ULTABEAUTY" is "Ulta Beauty" there), else as it is."""
    wanted = squeezed(name)
    words = front[:_SPELLED_CHARS].split()
    for start in range(len(words)):
        for size in range(1, _NAME_WORDS_MAX + 1):
            text = " ".join(words[start : start + size]).strip(_EDGES)
            if squeezed(text) == wanted:
                return text
    return name


def _former(flat: str) -> list[str]:
    return [" ".join(m.split()) for m in _FORMERLY.findall(flat)][:2]


def _stem_subject(stem: str) -> str | None:
    match = _NAME_SUBJECT.match(stem)
    name = " ".join(re.split(r"[\s_]+", match.group(1))).strip(" -") if match else ""
    return name if sum(c.isalpha() for c in name) >= 1 and len(name) > 1 else None


def _fiscal_label(texts: Sequence[str]) -> int | None:
    counts = Counter(int(y) for text in texts[:_LABEL_SEGMENTS] for y in _FISCAL.findall(text))
    if not counts:
        return None
    year, mentions = counts.most_common(1)[0]
    return year if mentions >= _LABEL_MENTIONS_MIN else None


def _date(flat: str, form: str | None) -> str | None:
    patterns = {"10-K": (_YEAR_ENDED,), "20-F": (_YEAR_ENDED,), "10-Q": (_QUARTER_ENDED,), "8-K": (_EVENT_DATE,)}
    for pattern in (*patterns.get((form or "").split("/")[0], ()), _QUARTER_ENDED, _YEAR_ENDED, _ANY_DATE):
        match = pattern.search(flat)
        if match:
            month, day, year = match.groups()[-3:]
            if 1 <= int(day) <= 31:
                return f"{int(year):04d}-{MONTHS[month.lower()]:02d}-{int(day):02d}"
    return None


def _years(named: int | None, label: int | None, date: str | None, form: str | None) -> tuple[tuple[int, float], ...]:
    out: dict[int, float] = {}
    end = int(date[:4]) if date else None
    if named is not None:
        out[named] = 1.0
    if label is not None and (end is None or abs(label - end) <= 1):
        out.setdefault(label, 0.9 if named is not None else 1.0)
    if end is not None and form != "earnings release":
        out.setdefault(end, 0.7 if out else 1.0)
    if end is not None and not out:
        out[end] = 1.0
    return tuple(out.items())


def _quarter(form: str | None, flat: str, date: str | None) -> int | None:
    if form == "10-K" or form is None or form.startswith("8-K"):
        return None
    ordinal = _ORDINAL.search(flat)
    if ordinal:
        return _ORDINALS.index(ordinal.group(1).lower()) + 1
    if form.startswith("10-Q") and date:
        day = int(date[5:7]) * 31 + int(date[8:10]) - 10
        return min(4, max(1, -(-(day // 31) // 3)))
    return None


def _period(
    form: str | None, years: tuple[tuple[int, float], ...], quarter: int | None, date: str | None
) -> str | None:
    if form is not None and form.startswith(("8-K", "6-K")):
        return date
    if not years:
        return date
    year = max(years, key=lambda pair: pair[1])[0]
    return f"Q{quarter} {year}" if quarter else f"FY{year}"
