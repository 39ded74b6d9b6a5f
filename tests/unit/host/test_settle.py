"""Ending a Run: nothing stays open, and something honest is delivered."""

from __future__ import annotations

from tests.unit.core.record.folding import after, begun, researching, turn

from counterfoil.adapters.clock import ManualClock
from counterfoil.adapters.stores.memory import MemoryLedger
from counterfoil.core.law.phases import Phase
from counterfoil.core.record import events as e
from counterfoil.host.journal import Journal
from counterfoil.host.settle import settle


def test_open_calls_are_refused_and_the_hosts_report_goes_out() -> None:
    journal = Journal(MemoryLedger(), ManualClock(0), after(researching(), *turn(1, "search_public_sources")), None)
    settle(journal, "hard_deadline", "run/active-seconds")
    state = journal.state
    assert state.open_calls == ()
    assert state.calls["c1"].content["refused"] == "RUN_ENDED"
    assert state.host_report is not None
    assert state.settled is not None
    assert (state.settled.stop_reason, state.settled.policy) == ("hard_deadline", "run/active-seconds")


def test_the_policy_behind_the_last_phase_stands_beside_a_finish() -> None:
    journal = Journal(MemoryLedger(), ManualClock(0), begun(), None)
    journal.record(e.PhaseChanged(Phase.FINALIZE_ONLY, "spent", "run/tool-calls"))
    settle(journal, "model_stopped", None)
    assert journal.state.settled is not None
    assert journal.state.settled.policy == "run/tool-calls"
