"""Owns weighing documents for a question: whose company, which period, which form.

Weights are soft: a wrong guess moves a document down, never out. Never: the index, pages.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Iterator, Sequence

import msgspec

from counterfoil.adapters.corpus.query import Plan
from counterfoil.adapters.corpus.title_page import Routing
from counterfoil.adapters.corpus.tokens import squeezed

_LEGAL_FORMS = """
    inc incorporated corp corporation company companies co plc ltd limited llc lp nv n.v ag se sa s.a gmbh group
    holdings holding the and subsidiaries international trust de com
"""
_SUFFIXES = frozenset(_LEGAL_FORMS.split())
_TOKEN = re.compile(r"[^\W_]+(?:['’&.][^\W_]+)*|&", re.UNICODE)
_NGRAM_MAX = 4
_SHARPNESS = 6  # "American Water" is half of "American Express" and still another company
NAMED_MIN = 0.5  # a company counts as named from here
_YEAR_NEAR = {0: 1.0, 1: 0.45, 2: 0.25}  # a report of the year asked, the next (comparatives), the one after
_YEAR_BEFORE = 0.12
_YEAR_OTHER = 0.08
_EVENT_DAYS = 10  # an 8-K is filed a few days after what it tells of
_PERIOD_END_DAYS = 1


class Weighed(msgspec.Struct, frozen=True):
    """A document with its weight for one question; ``named`` says that the question names its subject."""

    doc: int
    weight: float
    named: float


def weigh(question: str, plan: Plan, routings: Sequence[tuple[int, Routing]]) -> list[Weighed]:
    """Return every document with a weight above 0 and at most 1, best first."""
    mention = Mention(question)
    named = {doc: mention.of(routing) for doc, routing in routings}
    best = max(named.values(), default=0.0)
    newest = max((y for _, r in routings for y, _ in r.years), default=0)
    out: list[Weighed] = []
    for doc, routing in routings:
        share = named[doc] / best if best >= NAMED_MIN else 0.0
        company = max(0.05, share) ** _SHARPNESS if best >= NAMED_MIN else 1.0
        out.append(Weighed(doc, company * _period_weight(plan, routing, newest) * _form_weight(plan, routing), share))
    top = max((w.weight for w in out), default=1.0) or 1.0
    scaled = [Weighed(w.doc, w.weight / top, w.named) for w in out]
    return sorted(scaled, key=lambda w: (-w.weight, w.doc))


class Mention:
    """The names that a question could mean: its words, runs of words, capitalised abbreviations."""

    def __init__(self, question: str) -> None:
        tokens = _TOKEN.findall(question)
        self._tokens = [re.sub(r"['’]s$", "", t) for t in tokens]
        self._capital = {
            squeezed(t) for i, t in enumerate(self._tokens) if t[:1].isupper() or t[:1].isdigit() or i == 0
        }
        if question == question.lower():
            self._capital = {squeezed(t) for t in self._tokens}
        self._upper = {squeezed(t) for t in self._tokens if t.isupper() or any(c.isupper() for c in t[1:])}
        self._runs = set(_runs(self._tokens))
        self._long_capital_runs = [r for r in self._capital_runs() if len(r) >= 4]
        self._seen: dict[str, float] = {}

    def of(self, routing: Routing) -> float:
        """Return how surely the question names this document's subject, 0..1."""
        best = max((self._remembered(name) for name in routing.names), default=0.0)
        if best < 1.0 and any(squeezed(s) in self._upper for s in routing.symbols if len(s) > 1):
            best = max(best, 0.95)
        return best

    def _remembered(self, name: str) -> float:
        if name not in self._seen:
            self._seen[name] = self._name(name)
        return self._seen[name]

    def _name(self, name: str) -> float:
        core = core_words(name)
        if not core:
            return 0.0
        if squeezed("".join(core)) in self._runs:
            return 1.0
        if self._abbreviated(core):
            return 0.9
        hits = 0
        for word in core:
            if squeezed(word) not in self._capital:
                break
            hits += 1
        joined = squeezed("".join(core))
        if any(joined.startswith(run) for run in self._long_capital_runs):
            return max(0.8, hits / len(core))
        return 0.5 + 0.4 * hits / len(core) if hits else 0.0

    def _capital_runs(self) -> set[str]:
        runs: set[str] = set()
        for size in range(1, _NGRAM_MAX + 1):
            for i in range(len(self._tokens) - size + 1):
                part = [squeezed(t) for t in self._tokens[i : i + size]]
                if all(p in self._capital or not p for p in part):
                    runs.add("".join(part))
        return runs

    def _abbreviated(self, core: Sequence[str]) -> bool:
        forms = {"".join(w[0] for w in core if w != "&")}
        if "&" in core:
            forms |= {
                "".join("n" if w == "&" else w[0] for w in core),
                "".join("and" if w == "&" else w[0] for w in core),
            }
        for token in self._upper:
            if len(token) >= 2 and token in forms and len(core) >= 2:
                return True
            if len(token) >= 3 and squeezed("".join(core)).startswith(token):
                return True
            if len(core) >= 2 and len(token) >= 4 and _blend(token, core[0], core[1]):
                return True
        return False


@functools.lru_cache(maxsize=20_000)
def core_words(name: str) -> tuple[str, ...]:
    """Return a company's name as lower-case words without legal forms and articles."""
    tokens = [t.lower().strip(".") for t in _TOKEN.findall(name)]
    while tokens and tokens[0] == "the":
        tokens.pop(0)
    core = list(tokens)
    while len(core) > 1 and (core[-1] in _SUFFIXES or core[-1] == "&"):
        core.pop()
    return tuple(re.sub(r"\.com$", "", w) or w for w in core)


def _runs(tokens: list[str]) -> Iterator[str]:
    for size in range(1, _NGRAM_MAX + 1):
        for i in range(len(tokens) - size + 1):
            run = squeezed("".join(tokens[i : i + size]))
            if run:
                yield run


def _blend(token: str, first: str, second: str) -> bool:
    return any(
        len(token) - cut >= 2 and first.startswith(token[:cut]) and second.startswith(token[cut:])
        for cut in range(2, len(token) - 1)
    )


def _period_weight(plan: Plan, routing: Routing, newest: int) -> float:
    if not routing.years and routing.date is None:
        return 1.0
    if plan.periods.dates and routing.date:
        days = min(abs((_day(routing.date) - _day(d)).days) for d in plan.periods.dates)
        periodic = (routing.form or "").startswith(("10-", "20-"))
        if days <= (_PERIOD_END_DAYS if periodic else _EVENT_DAYS):
            return 1.5
    if not plan.periods.years:
        latest = max((y for y, _ in routing.years), default=newest)
        return max(0.5, 1.0 - 0.1 * max(0, newest - latest))
    asked = max(plan.periods.years)
    year = max((_year_weight(asked, y) * sure for y, sure in routing.years), default=_YEAR_OTHER)
    return year * _quarter_weight(plan, routing)


def _year_weight(asked: int, year: int) -> float:
    gap = year - asked
    return _YEAR_BEFORE if gap == -1 else _YEAR_NEAR.get(gap, _YEAR_OTHER)


def _quarter_weight(plan: Plan, routing: Routing) -> float:
    if not plan.periods.quarters:
        return 1.0 if routing.quarter in (None, 4) else 0.55
    if routing.quarter in plan.periods.quarters:
        return 1.0
    return 0.35 if routing.quarter is None else 0.25


def _form_weight(plan: Plan, routing: Routing) -> float:
    form = (routing.form or "").split("/")[0]
    if plan.periods.forms:
        return 1.0 if form in plan.periods.forms else 0.5
    if plan.periods.dates or plan.periods.quarters or not form:
        return 1.0
    return 1.0 if form in ("10-K", "20-F") else 0.85


def _day(iso: str) -> dt.date:
    year, month, day = (int(part) for part in iso.split("-"))
    try:
        return dt.date(year, month, day)
    except ValueError:
        return dt.date(year, month, 28)
