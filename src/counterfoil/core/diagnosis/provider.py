"""Owns what can go wrong at the model's provider: refused keys, outages, cut replies, defects.

Never: a refusal of our own budget; that is no provider's fault (``budget`` has it).
"""

from __future__ import annotations

from collections.abc import Iterator

from counterfoil.core.diagnosis.account import Account, Cause
from counterfoil.core.record import events as e
from counterfoil.core.record.attempts import LOCAL_REFUSAL


def causes(run: Account) -> Iterator[Cause]:
    """Causes at the provider."""
    failed = [(seq, event) for seq, event in run.of(e.ModelCallFailed) if event.category != LOCAL_REFUSAL]
    if not failed:
        return
    settled = run.state.settled
    last = failed[-1][1]
    ended = settled is not None and settled.stop_reason == "provider_failed"
    yield Cause(
        "provider",
        last.code,
        f"{len(failed)} model requests failed, the last one as {last.category}: {last.message}",
        (*(seq for seq, _event in failed), *(run.ending() if ended else ())),
        last.hint or "try again later, or name another model with --fallback",
        3 if ended else 1,
    )
