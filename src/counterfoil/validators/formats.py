"""Owns FORMAT_BAD: JSON, CSV and HTML in an answer can be read as such, and are there when they were asked for.

Never: a repair, or a judgement on what the structure says.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding, line_of
from counterfoil.core.answer.formats import asked_formats, find_faults
from counterfoil.core.record.state import RunState
from counterfoil.core.text.folding import words_stand_in


class Formats(msgspec.Struct, frozen=True):
    """Fenced blocks by the format they claim, and the formats that question and definition of done ask for."""

    name: str = "formats@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each block, or format asked for, that cannot be read."""
        asked = asked_formats("\n".join((state.contract.question, *state.contract.done)))
        gaps = " ".join(f"{gap.field} {gap.why}" for gap in candidate.gaps)
        kept = tuple(name for name in asked if not words_stand_in(name, gaps))
        found: list[Finding] = []
        for fault in find_faults(candidate.body, kept):
            needed = fault.wrong
            if fault.asked:
                needed += f'; if that cannot be, declare a gap with field "{fault.asked}" and why'
            found.append(Finding("FORMAT_BAD", fault.text, needed, line=line_of(candidate.body, fault.start)))
        return tuple(found)
