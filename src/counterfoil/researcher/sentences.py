"""Owns figures that stand in sentences: the one amount that a sentence gives for what is asked, at the period asked.

Never: an amount of a sentence that looks ahead, tells a change, or holds another amount beside it.
"""

from __future__ import annotations

import re
from decimal import Decimal

import msgspec

from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.text.quantities import Quantity, find_quantities
from counterfoil.researcher import compose
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.draft import Cell as Place
from counterfoil.researcher.draft import Draft, further
from counterfoil.researcher.grammar import fixed, grouped
from counterfoil.researcher.memory import Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period, asked
from counterfoil.researcher.subjects import same
from counterfoil.researcher.words import NEUTRAL, fold, words

_SCALES = {"thousands": Decimal(1000), "millions": Decimal(10**6), "billions": Decimal(10**9)}
_AHEAD = re.compile(
    r"\bexpect|\bwill\b|\bguidance\b|\boutlook\b|\bforecast|\bplans?\b|\banticipat|\bestimat|\btarget|\bup to\b"
    r"|\bwould\b"
)
_MOVED = re.compile(
    r"\b(?:increas|decreas|declin|r[io]se\b|rising|grew\b|gr[eo]w|f[ea]ll|drop|improv|reduc|higher|lower|gestiegen|gesunken)"
)
_NOT_ONE = re.compile(r"\b(?:of which|respectively|each|per)\b")
_STOP = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"•])|;\s|(?<=[。！？])|\s•\s")
_BEFORE = frozenset(["the", "our", "its", "a", "and", "in", "this", "that", "company", "company's", "with", "of"])
_SAYS = r"[^.;]{0,40}?\b(?:was|were|is|are|of|at|totall?ed|amounted to|reached|came to|betrug(?:en)?|belief sich auf)\b"


class Said(msgspec.Struct, frozen=True):
    """A sentence's amount and the passage it stands in."""

    passage: Passage
    amount: Quantity


def draft_said(ask: Ask, memory: Memory, lexicon: Lexicon, place: Place) -> Draft | None:
    """Answer with the one amount that sentences give for the quantity asked; None when none does or they differ."""
    period, runs = ask.period, _runs(ask, lexicon)
    if period is None or ask.subject is None or ask.cause or not runs:
        return None
    found = [said for p in memory.passages if p.kind in ("text", "item") for said in _of_passage(p, ask, period, runs)]
    if not found or len({said.amount.value for said in found}) > 1:
        return None
    return _draft(ask, found[0], period, place)


def _runs(ask: Ask, lexicon: Lexicon) -> list[str]:
    """The ways to write what is asked; empty when the question names several things or a part of one."""
    named = lexicon.metrics(ask.plain)
    if len({m.name for m in named}) != 1 or not ask.targets or ask.targets[0].defined or further(ask, lexicon):
        return []
    if ask.targets[0].label != named[0].name and ask.targets[0].formula:
        return []  # a change or a share of it
    name = named[0].name
    known = lexicon.terms.get(name) or lexicon.formulas[name]
    phrases = {fold(p) for p in (known.name, *known.phrases) if len(p) > 3 and len(words(p)) > 1}
    bases = [base for base in lexicon.vocabulary.bases if re.search(rf"\b{re.escape(base)}\b", fold(ask.plain))]
    if bases:
        phrases = {p if any(b in p for b in bases) else f"{b} {p}" for p in phrases for b in bases}
    return sorted(phrases, key=len, reverse=True)


def _of_passage(passage: Passage, ask: Ask, period: Period, runs: list[str]) -> list[Said]:
    page = passage.page
    if not same(ask.subject or "", page.subject, page.title, page.url):
        return []
    if _AHEAD.search(fold(f"{passage.heading} {page.heading}")):
        return []
    found = []
    for sentence in _STOP.split(passage.text):
        amount = _amount(sentence, ask, runs)
        if amount is not None and _dated(sentence, passage, period):
            found.append(Said(passage, amount))
    return found


def _amount(sentence: str, ask: Ask, runs: list[str]) -> Quantity | None:
    folded = fold(sentence)
    if _AHEAD.search(folded) or _MOVED.search(folded) or _NOT_ONE.search(folded):
        return None
    start = next((m.start() for run in runs if (m := re.search(rf"(?<![\w-]){re.escape(run)}\b{_SAYS}", folded))), None)
    if start is None or _qualified(folded[:start]):
        return None
    kinds = ("percent",) if ask.targets[0].kind == "percent" else ("money",)
    amounts = [q for q in find_quantities(sentence) if q.kind in ("percent", "money")]
    return amounts[0] if len(amounts) == 1 and amounts[0].kind in kinds and amounts[0].start > start else None


def _qualified(before: str) -> bool:
    """Say whether the word before the quantity makes it another one ("segment operating income")."""
    last = words(before)[-1:]
    return bool(last) and not last[0].isdigit() and last[0] not in NEUTRAL and last[0] not in _BEFORE


def _dated(sentence: str, passage: Passage, period: Period) -> bool:
    named = asked(sentence)
    if named:
        return len({(p.year, p.quarter) for p in named}) == 1 and all(_agrees(p, period) for p in named)
    reports = asked(passage.page.period)
    return bool(reports) and _agrees(reports[0], period) and period.month is None and period.quarter is None


def _agrees(have: Period, want: Period) -> bool:
    same_day = have.month == want.month if want.month or have.month else True
    return have.year == want.year and have.quarter == want.quarter and have.half == want.half and same_day


def _draft(ask: Ask, said: Said, period: Period, place: Place) -> Draft:
    amount, passage = said.amount, said.passage
    percent = amount.kind == "percent"
    size = amount.multiplier if ask.scale is None else _SCALES[ask.scale]
    value = amount.value if percent else amount.value / size
    scale = ask.scale or next((name for name, known in _SCALES.items() if known == amount.multiplier), "")
    unit = "percent" if percent else f"{ask.unit or amount.unit or ''} {scale}".strip()
    text = fixed(value, ask.places) if ask.places is not None else grouped(value)
    about = compose.about(ask.subject, ask.targets[0].label, period)
    head = f"**{compose.quantity(text, unit)}** — {about} [{passage.id}]"
    fact = FactDraft(
        row=place.row,
        field=place.field,
        value=text,
        unit=unit or None,
        period=period.text,
        evidence_id=passage.id,
        quote=compose.quoted_verbatim(passage),
    )
    return Draft(f"{head}\n\n> {compose.quoted(passage)} [{passage.id}]", [fact])
