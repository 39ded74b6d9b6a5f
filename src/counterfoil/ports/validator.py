"""The port to publication checks."""

from __future__ import annotations

from typing import Protocol

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.state import RunState


class Validator(Protocol):
    """A pure check of a candidate against what the Run has read."""

    @property
    def name(self) -> str:
        """Name and version, recorded with the judgement ("citations@1")."""
        ...

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """Every place where the candidate fails."""
        ...
