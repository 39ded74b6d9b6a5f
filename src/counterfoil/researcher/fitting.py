"""Owns whether a claim answers a cell: the right row, the right offer, the field's words, and how well.

Never: choosing among sources that disagree (``cells`` keeps them all).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterfoil.core.text.periods import years_named
from counterfoil.researcher.claims import Claim
from counterfoil.researcher.products import Traits, audiences, charges, for_others, is_past, spans, without_spans
from counterfoil.researcher.shapes import bonus, of_another
from counterfoil.researcher.wanted import Wanted, covered, holds, names
from counterfoil.researcher.words import NEUTRAL, content, has_cjk, words

Verdict = Literal["fits", "other offer", "no"]
_CLAUSE, _SENTENCE, _BESIDE = 1.0, 0.75, 0.4
_STRONG = 0.7
_PRICED = frozenset({"money", "duration", "percent"})  # what differs from one offer to the next
_AFTER, _BEFORE = 45, 30  # how near to a count the thing counted is named
_SHARE_OF_MANY = 0.7  # of more than three telling words, how much must stand there
_TOPIC_BASE = 0.6


class Fit(msgspec.Struct, frozen=True):
    """How a claim answers a cell, from 0 to 1. ``note`` says what the claim leaves open."""

    verdict: Verdict
    score: float = 0.0
    note: str = ""


_NO = Fit("no")


def fit(claim: Claim, wanted: Wanted) -> Fit:
    """Judge ``claim`` for ``wanted``; one that fits but for its offer is "other offer"."""
    if not _own_row(claim, wanted) or not _right_year(claim, wanted) or is_past(claim.clause):
        return _NO
    score = _coverage(claim, wanted) if _says_it_itself(claim, wanted) else None
    if score is None or (wanted.type == "money" and not charges(claim.clause) <= wanted.charges):
        return _NO
    offered = _nearest_spans(claim)
    special = _nearest_audiences(claim)
    if wanted.type in _PRICED and for_others(wanted.audiences, special):
        return Fit("other offer", score)
    if wanted.type == "money" and _other_span(wanted, offered):
        return Fit("other offer", score)
    return Fit("fits", score, _note(claim, wanted, offered))


def _says_it_itself(claim: Claim, wanted: Wanted) -> bool:
    """Say whether the value is one of the thing asked for, and not only written beside it."""
    if claim.is_row:
        return _is_label(claim, wanted)
    if wanted.type == "count" and wanted.groups and not has_cjk(claim.clause):
        start = claim.clause.find(claim.value)
        end = start + len(claim.value)
        near = f"{claim.clause[max(0, start - _BEFORE) : start]} {claim.clause[end : end + _AFTER]}"
        return any(covered(wanted.groups, frozenset(words(near))))
    if wanted.shape == "any":
        return True
    telling = frozenset(word for group in wanted.groups for word in group)
    said = msgspec.structs.replace(claim.passage, text=claim.sentence)
    return bonus(wanted.shape, said, telling, wanted.row) >= 0 and not of_another(claim.sentence, telling, wanted.row)


def _is_label(claim: Claim, wanted: Wanted) -> bool:
    """A label with more other words than words of the field names another thing ("employee stock options")."""
    if not wanted.groups or all(covered(wanted.groups, frozenset(words(claim.header or "")))):
        return True
    own = set(words(wanted.row))
    label = [w for w in content(without_spans(claim.passage.label)) if w not in NEUTRAL and w not in own]
    label = [w for w in label if not w.isdigit()]
    matched = [w for w in label if any(holds(group, frozenset({w})) for group in wanted.groups)]
    return not label or not matched or len(label) - len(matched) <= len(matched)


def _other_span(wanted: Wanted, offered: Traits) -> bool:
    if wanted.spans:
        return not offered & wanted.spans or len(offered) > 1
    if wanted.period_spans:
        return bool(offered) and not offered & wanted.period_spans
    return False


def _note(claim: Claim, wanted: Wanted, offered: Traits) -> str:
    """What a reader must know of a value that was taken though its offer is not said to be the one asked for."""
    asked = wanted.spans or wanted.period_spans
    if not asked or offered & asked:
        return ""
    if offered:
        label = claim.passage.label if claim.is_row else ""
        return f"said of {label}" if label else "said of an offer of another length"
    return "the source does not say for how long" if wanted.type == "money" else ""


def _texts(claim: Claim) -> tuple[tuple[str, bool], ...]:
    """What is said of a claim, nearest first, and whether it is a name rather than a sentence."""
    near = (claim.clause, claim.is_row), (claim.sentence, False), (claim.before, False)
    return (*near, *((text, True) for text in claim.beside))


def _nearest_spans(claim: Claim) -> Traits:
    for text, is_name in _texts(claim):
        found = spans(text, named=is_name)
        if found:
            return found
    return frozenset()


def _nearest_audiences(claim: Claim) -> Traits:
    passage = claim.passage
    for text in (claim.clause, passage.section, passage.table, passage.heading):
        found = audiences(text)
        if found:
            return found
    return frozenset()


def _own_row(claim: Claim, wanted: Wanted) -> bool:
    """Say whether the nearest text that names any row names this one, and in the clause only this one."""
    for at, (text, _) in enumerate(_texts(claim)):
        own = names(wanted.row, text)
        other = any(names(name, text) and not (own and name in wanted.row) for name in wanted.others)
        if own or other:
            return own and not (other and at == 0)
    return True


def _right_year(claim: Claim, wanted: Wanted) -> bool:
    if not wanted.years:
        return True
    for text, _ in _texts(claim):
        years = set(years_named(text))
        if years:
            return bool(years & wanted.years)
    return not claim.is_row or bool(set(years_named(claim.passage.page.period)) & wanted.years)


def _coverage(claim: Claim, wanted: Wanted) -> float | None:
    """Return how much of what the field names stands beside the value, or None when too little does."""
    groups = wanted.groups
    if not groups:
        return _on_topic(claim, wanted)
    layers = (
        (_CLAUSE, frozenset(words(claim.clause))),
        (_SENTENCE, frozenset(words(f"{claim.sentence} {claim.clause}"))),
        (_BESIDE, frozenset(words(" ".join((claim.before, *claim.beside))))),
    )
    best = [0.0] * len(groups)
    for weight, have in layers:
        for at, hit in enumerate(covered(groups, have)):
            best[at] = max(best[at], weight if hit else 0.0)
    share = sum(1 for value in best if value) / len(best)
    strong = sum(1 for value in best if value >= _STRONG) / len(best)
    if share < (1.0 if len(groups) <= 3 else _SHARE_OF_MANY) or strong < 0.5:
        return None
    return sum(best) / len(best)


def _on_topic(claim: Claim, wanted: Wanted) -> float | None:
    """A field that tells nothing by itself ("price") takes its place from the words of the question."""
    if not wanted.topic:
        return _TOPIC_BASE
    near = frozenset(words(f"{claim.clause} {claim.sentence} {claim.passage.heading} {claim.passage.section}"))
    hits = covered(wanted.topic, near)
    named = any(names(wanted.row, text) for text in (claim.clause, claim.sentence))
    if not any(hits) and not named:
        return None
    return _TOPIC_BASE + (1 - _TOPIC_BASE) * sum(hits) / len(hits)
