"""Owns the ending of a Run: open calls are closed, and the Host's report goes out if nothing was accepted.

Never: choosing to end (``decide`` does).
"""

from __future__ import annotations

from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.core.record.assembly import assemble_report
from counterfoil.core.record.decide import stop_policy
from counterfoil.core.record.metered_report import metered_report
from counterfoil.core.record.outcome import StopReason
from counterfoil.core.record.settlement import settlement_of
from counterfoil.host.journal import Journal


def settle(journal: Journal, reason: StopReason, policy: str | None) -> None:
    """Record the end of the Run for ``reason``; ``policy`` is the limit behind it, if one is."""
    for call_id in journal.state.open_calls:
        journal.record(e.ToolCallRefused(call_id, "RUN_ENDED", f"the Run ended: {reason}"))
    if journal.state.accepted is None:
        assemble = assemble_report if journal.state.proxied is None else metered_report
        journal.record(e.PublicationDelivered("H1", "host", assemble(journal.state)))
    ending = settlement_of(journal.state, reason, policy or stop_policy(reason, journal.state))
    journal.record(e.PhaseChanged(Phase.SETTLED, reason, policy), ending)
