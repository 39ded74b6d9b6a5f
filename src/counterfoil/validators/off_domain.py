"""Owns CITATION_OFF_DOMAIN: what is cited comes from a domain that the task allows.

Never: which row a citation speaks for (facts are checked row by row when they are recorded).
"""

from __future__ import annotations

import msgspec

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.contract import Contract
from counterfoil.core.answer.findings import Finding
from counterfoil.core.evidence.domains import allowed, on_domains
from counterfoil.core.record.state import RunState
from counterfoil.core.text.marks import find_marks


class OffDomain(msgspec.Struct, frozen=True):
    """Cited passages and operands of calculations against the domains of the task and its rows."""

    name: str = "off_domain@1"

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        """One finding for each cited evidence ID from elsewhere."""
        domains = _domains(state.contract)
        if not domains:
            return ()
        ids = [i for mark in find_marks(candidate.body) for i in mark.ids]
        ids += [given.evidence_id for calc in candidate.calculations for given in calc.inputs]
        found: list[Finding] = []
        for cited in dict.fromkeys(ids):
            read = state.evidence(cited)
            if read is None or on_domains(read.source.document.url, domains):
                continue
            if any(row.docs and allowed(read.source.document, (), row.docs) for row in state.contract.rows):
                continue
            where = f"[{cited}] {read.source.document.url}"
            found.append(Finding("CITATION_OFF_DOMAIN", where, f"a source on {', '.join(domains)}"))
        return tuple(found)


def _domains(contract: Contract) -> tuple[str, ...]:
    """Every allowed domain; () when the task, or one of its rows, is open to all."""
    if not contract.domains and any(not row.domains for row in contract.rows):
        return ()
    rows = (domain for row in contract.rows for domain in row.domains)
    return tuple(dict.fromkeys((*contract.domains, *rows)))
