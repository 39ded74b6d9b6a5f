"""Owns figures that stand in sentences: the one amount that a sentence gives for what is asked, at the period asked.

Never: an amount of a sentence that looks ahead, tells a change, or holds another amount beside it.
"""

from __future__ import annotations

import re
from decimal import Decimal

import msgspec

from counterfoil.core.evidence.facts import FactDraft
from counterfoil.core.text.quantities import Quantity, find_quantities, same_amount
from counterfoil.researcher import compose
from counterfoil.researcher.ask import Ask
from counterfoil.researcher.draft import Cell as Place
from counterfoil.researcher.draft import Draft, further, text_fact
from counterfoil.researcher.grammar import fixed, grouped
from counterfoil.researcher.memory import Memory, Passage
from counterfoil.researcher.metrics import Lexicon
from counterfoil.researcher.periods import Period, asked, without_periods
from counterfoil.researcher.subjects import names_in, same
from counterfoil.researcher.words import NEUTRAL, fold, is_stop, words

_SCALES = {"thousands": Decimal(1000), "millions": Decimal(10**6), "billions": Decimal(10**9)}
_OWN_SCALES = {**_SCALES, "lakh": Decimal(10**5), "crore": Decimal(10**7)}
_DECIMALS_MAX = 6  # a conversion is exact
_AHEAD = re.compile(
    r"\bexpect|\bwill\b|\bguidance\b|\boutlook\b|\bforecast|\bplans?\b|\banticipat|\bestimat|\btarget|\bup to\b"
    r"|\bwould\b|\bbudget|\bproject(?:ed|ion)|\bprognos|\berwarte|\bvoraussichtlich"
)
_DENIED = re.compile(r"\b(?:not|never|nor|nicht|kein\w*)\b|n't\b")
_MOVED = re.compile(
    r"\b(?:increas|decreas|declin|r[io]se\b|rising|grew\b|gr[eo]w|f[ea]ll|drop|improv|reduc|higher|lower|gestiegen|gesunken)"
)
_NOT_ONE = re.compile(r"\b(?:of which|respectively|each|per)\b")
_STOP = re.compile(
    r"(?<=[.!?])(?<!\bMio\.)(?<!\bMrd\.)(?<!\bTsd\.)(?<!\bInc\.)(?<!\bCorp\.)(?<!\bLtd\.)\s+(?=[A-Z“\"•])"
    r"|;\s|(?<=[。！？])|\s•\s"
)
_EARLIER = re.compile(
    r"\((?:vorjahr|vj\.?|i\. ?vj\.?|(?:prior|previous) (?:year|period)|(?:fy ?|fiscal )?(?:19|20)\d\d)\b[^()]*\)",
    re.IGNORECASE,
)  # "(Vorjahr: 1.100 Mio. EUR)" beside the amount
_YEAR_BEFORE = re.compile(r"\b(?:19|20)\d\d(?=\s+(?:[A-Z]{3}\s?|[$€£₹¥]\s?)?\d)")  # "2023 CHF 1'234" is no "2023 CHF"
_NEXT_CLAUSE = re.compile(
    r",?\s(?:and|und|while|whereas|während)\s(?!(?:was|were|is|are|betrug)\b)"
    r"(?=[^.;]*\b(?:was|were|is|are|betrug(?:en)?|lag)\b)"
)
_RESTATED = re.compile(r"\b(?:restated|revised|corrected)\b[^.;]{0,40}?\bto\s+")
_REPORTS = frozenset(words("reported recorded generated had posted reports records"))
_FORMS = frozenset(words("ag gmbh inc corp corporation company co ltd plc llc group se sa nv limited holdings"))
_BEFORE = frozenset(["the", "our", "its", "a", "and", "in", "this", "that", "company", "company's", "with", "of"])
_VERB = r"\b(?:was|were|is|are|of|at|totall?ed|amounted to|reached|came to|betrug(?:en)?|belief sich auf|lag bei)\b"
_SAYS = r"[^.;]{0,40}?" + _VERB
# "revenue of X was": the verb, not the "of" before the name
_SAYS_PLAIN = r"[^;]{0,80}?(?!\bof\b(?! [$€£₹¥\d]))" + _VERB


class Said(msgspec.Struct, frozen=True):
    """A sentence's amount and the passage it stands in."""

    passage: Passage
    amount: Quantity


def draft_said(ask: Ask, memory: Memory, lexicon: Lexicon, place: Place) -> Draft | None:
    """Answer with the one amount that sentences give for the quantity asked; None when none does or they differ."""
    period, runs = ask.period, _runs(ask, lexicon)
    if period is None or ask.subject is None or ask.cause or not runs:
        return None
    passages = [p for p in memory.passages if p.kind in ("text", "item")]
    found = distinct([said for p in passages for said in _of_passage(p, ask, period, runs, lexicon)])
    return _draft(ask, found, period, place) if found else None


def distinct(found: list[Said]) -> list[Said]:
    """The amounts that differ, of those that agree ("$1.6 billion" for 1,577 million) the most exact."""
    kept: list[Said] = []
    for said in sorted(found, key=lambda s: s.amount.step):
        if not any(_agree(said.amount, other.amount) for other in kept):
            kept.append(said)
    return sorted(kept, key=lambda s: (s.passage.order, s.amount.start))


def _agree(first: Quantity, second: Quantity) -> bool:
    return first.unit == second.unit and (same_amount(first, second.value) or same_amount(second, first.value))


def _runs(ask: Ask, lexicon: Lexicon) -> list[str]:
    """The ways to write what is asked; empty when the question names several things or a part of one."""
    named = lexicon.metrics(ask.plain)
    if len({m.name for m in named}) != 1 or not ask.targets or ask.targets[0].defined or further(ask, lexicon):
        return []
    if ask.targets[0].label != named[0].name and ask.targets[0].formula:
        return []  # a change or a share of it
    name = named[0].name
    known = lexicon.terms.get(name) or lexicon.formulas[name]
    phrases = {fold(p) for p in (known.name, *known.phrases) if len(p) > 3}
    bases = [base for base in lexicon.vocabulary.bases if re.search(rf"\b{re.escape(base)}\b", fold(ask.plain))]
    if bases:
        phrases = {p if any(b in p for b in bases) else f"{b} {p}" for p in phrases for b in bases}
    return sorted(phrases, key=len, reverse=True)


def _of_passage(passage: Passage, ask: Ask, period: Period, runs: list[str], lexicon: Lexicon) -> list[Said]:
    page = passage.page
    if not same(ask.subject or "", page.subject, page.title, page.url):
        return []
    if _AHEAD.search(fold(f"{passage.heading} {page.heading}")):
        return []
    found = []
    for written in _STOP.split(passage.text):
        sentence = _EARLIER.sub(lambda m: " " * len(m[0]), written)
        amount = _amount(sentence, ask, runs, lexicon)
        if amount is not None and _dated(sentence, passage, period):
            found.append(Said(passage, amount))
    return found


def _amount(sentence: str, ask: Ask, runs: list[str], lexicon: Lexicon) -> Quantity | None:
    folded = fold(sentence)
    if any(pattern.search(folded) for pattern in (_AHEAD, _MOVED, _NOT_ONE, _DENIED)):
        return None
    start = next((at for run in runs if (at := _named_at(sentence, folded, run, ask, lexicon)) is not None), None)
    if start is None:
        return None
    kinds = ("percent",) if ask.targets[0].kind == "percent" else ("money",)
    amounts = [q for q in amounts_in(sentence) if q.kind in ("percent", "money")]
    restated = _RESTATED.search(folded)
    if restated is not None:  # "restated to $480 million from $500 million": the first is what is stated now
        amounts = [q for q in amounts if q.start >= restated.end()][:1]
    following = _NEXT_CLAUSE.search(folded, amounts[0].end) if amounts else None
    if following is not None:
        amounts = [q for q in amounts if q.start < following.start()]
    if len(amounts) != 1 or amounts[0].kind not in kinds or amounts[0].start <= start:
        return None
    return amounts[0] if not ask.unit or amounts[0].unit in (ask.unit, "percent") else None


def amounts_in(sentence: str) -> list[Quantity]:
    """The quantities of a sentence; a year that stands before an amount is none and no part of it."""
    return list(find_quantities(_YEAR_BEFORE.sub(lambda m: " " * len(m[0]), sentence)))


def _named_at(sentence: str, folded: str, run: str, ask: Ask, lexicon: Lexicon) -> int | None:
    """Where a sentence names the quantity and goes on to say what it was, of the one asked about; else None."""
    wide = len(words(run)) > 1
    match = re.search(rf"(?<![\w-]){re.escape(run)}\b(?P<between>{_SAYS if wide else _SAYS_PLAIN})", folded)
    if match is None:
        match = re.search(rf"\bbetrug(?:en)? (?:der |die |das )?{re.escape(run)}\b(?P<between>)", folded)
    if match is None:
        return None
    between = sentence[match.start("between") : match.end("between")]
    about = ask.subject or ""
    if any(not same(name, about) and not same(about, name) for name in names_in(between, lexicon)):
        return None  # said of another
    before = folded[: match.start()]
    if wide:
        return None if _qualified(before) else match.start()
    known = set(words(ask.subject or "")) | _FORMS | _REPORTS | NEUTRAL | _BEFORE
    rest = [w for text in (before, fold(between)) for w in words(without_periods(text)) if w not in known]
    free = all(is_stop(w) for w in rest) and words(before)[-1:] not in (["of"], ["for"])
    return match.start() if free else None


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


def _draft(ask: Ask, found: list[Said], period: Period, place: Place) -> Draft:
    about = compose.about(ask.subject, ask.targets[0].label, period)
    shown = [(said, *_written(said.amount, ask)) for said in found]
    values = [f"**{compose.inline(_with_unit(text, unit))}**" for _, text, unit in shown]
    if len(found) == 1 and not _is_read(found[0]):
        passage = found[0].passage
        return Draft(f"“{compose.quoted(passage)}” [{passage.id}]", [text_fact(place, passage)], quotes=True)
    if len(found) == 1:
        head = f"{values[0]} — {about} [{found[0].passage.id}]"
    else:
        each = "; ".join(f"{value} [{said.passage.id}]" for value, said in zip(values, found, strict=True))
        head = f"The documents disagree on {about}: {each}"
    passages = {said.passage.id: said.passage for said in found}
    quotes = "\n\n".join(f"> {compose.quoted(passage)} [{passage.id}]" for passage in passages.values())
    facts = [
        FactDraft(
            row=place.row,
            field=place.field,
            value=text,
            unit=unit or None,
            period=period.text,
            evidence_id=said.passage.id,
            quote=compose.quoted_verbatim(said.passage),
        )
        for said, text, unit in shown
    ]
    return Draft(f"{head}\n\n{quotes}", facts)


def _with_unit(text: str, unit: str) -> str:
    return compose.quantity(text, unit) if re.fullmatch(r"[-\d.,]+", text) else text


def _is_read(said: Said) -> bool:
    """Say whether the amount is read alike without the years before amounts blanked out, as checks read it."""
    return said.amount.text in {q.text for q in find_quantities(said.passage.text)}


def _written(amount: Quantity, ask: Ask) -> tuple[str, str]:
    """(value, unit) as the question wants it, else in the sentence's own scale; a conversion is exact."""
    own = next((name for name, known in _OWN_SCALES.items() if known == amount.multiplier), "")
    scale = ask.scale or own
    if amount.kind == "percent":
        value, unit = amount.value, "percent"
    else:
        if not ask.scale and scale in ("lakh", "crore"):
            return amount.text.strip().rstrip(".,;"), amount.unit or ""  # as it stands
        value = amount.value / _OWN_SCALES.get(scale, Decimal(1))
        unit = f"{amount.unit or ''} {scale}".strip()
    return (fixed(value, ask.places) if ask.places is not None else grouped(value, _DECIMALS_MAX)), unit
