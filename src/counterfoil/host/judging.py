"""Owns asking a publication check: what it finds, and what becomes of one that breaks.

Never: accepting an answer that a check could not look at.
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.state import RunState
from counterfoil.host.replies import whole
from counterfoil.ports.validator import Validator


def findings_of(validator: Validator, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
    """What ``validator`` finds. A check is foreign code: its defect is a finding, ``CHECK_BROKEN``, and rejects."""
    try:
        found = msgspec.json.encode(tuple(validator.check(candidate, state)))
        return msgspec.json.decode(found, type=tuple[Finding, ...])  # as the ledger will give them back
    except Exception as defect:  # noqa: BLE001  # see above
        why = whole(f"the check {validator.name} broke: {type(defect).__name__}: {defect}")
        return (Finding("CHECK_BROKEN", why, "the check itself must be mended; another answer does not help"),)
