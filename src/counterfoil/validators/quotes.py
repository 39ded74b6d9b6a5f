"""Owns QUOTE_NOT_FOUND: what an answer puts in quotation marks stands verbatim in a passage it cites.

Never: what counts as a quotation (see ``core.answer.quotations``).
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.answer.quotations import WORDS_MIN, Quotation, closest, find_quotations, stands
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import space_folded

NEAREST_CHARS_MAX = 300


class Quotes(msgspec.Struct, frozen=True):
    """Block quotations and quoted runs of five words or more."""

    name: str = "quotes@1"
    words_min: int = WORDS_MIN

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each quotation that no cited passage holds; one without citation needs one."""
        judged = (
            _check(quotation, candidate.body, state) for quotation in find_quotations(candidate.body, self.words_min)
        )
        return tuple(finding for finding in judged if finding)


def _check(quotation: Quotation, body: str, state: RunState) -> Finding | None:
    quote = quotation.text
    passages = [e.passage.text for i in quotation.cited if (e := state.evidence(i)) is not None]
    for fact in state.facts:
        if fact.id in quotation.cited:
            passages += [e.passage.text for i in fact.evidence if (e := state.evidence(i)) is not None]
    joined = " ".join(passages)  # a quotation may run on into the next passage
    if stands(quote, state.contract.question) or any(stands(quote, text) for text in (*passages, joined)):
        return None
    needed = "a citation of the passage that is quoted, or no quotation marks"
    if passages:
        nearest = space_folded(passages[closest(quote, passages)])[:NEAREST_CHARS_MAX]
        needed = f"the passage's own words: {nearest}"
    return Finding("QUOTE_NOT_FOUND", space_folded(quote), needed, line=line_of(body, quotation.start))
