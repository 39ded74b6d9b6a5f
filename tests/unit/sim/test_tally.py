"""The second opinion tells what follows from what was counted."""

from tests.unit.sim.histories import DEBITS, READ, SEARCH, admitted, answered, asked, commit, has_read

from counterfoil.core.record import events as e
from counterfoil.sim.tally import Tally


def test_what_has_no_receipt_is_reserved() -> None:
    history = commit(admitted(), asked("m1"))
    assert history.tally.reserved() == (["m1"], [])
    commit(history, *answered("m1", ("c1", SEARCH)), e.ToolCallReserved("c1", DEBITS[SEARCH]))
    assert history.tally.reserved() == ([], ["c1"])
    commit(history, e.EffectOutcomeUnknown("tool", "c1"))
    assert history.tally.reserved() == ([], [])


def test_evidence_is_shown_by_a_later_request_that_did_not_drop_it() -> None:
    history = has_read()
    read = history.tally.evidence("E1")
    assert read is not None
    assert not history.tally.shown(read)
    dropping = e.ModelCallReserved("m3", "research", (), (), {}, "", ("c2",))
    assert not commit(history, dropping).tally.shown(read)
    assert commit(history, asked("m4")).tally.shown(read)
    assert [history.tally.evidence(name) for name in ("E2", "E", "E0", "Ex", "E²")] == [None] * 5


def test_silent_replies_are_counted_from_the_end_and_failures_are_none() -> None:
    history = commit(admitted(), asked("m1"))
    commit(history, *answered("m1", ("c1", READ)), e.ToolCallRefused("c1", "X", "x"), asked("m2"))
    commit(history, *answered("m2"), asked("m3"))
    commit(history, e.ModelCallFailed("m3", "X", "timeout", "slow", wait_ms=500), asked("m4"))
    assert history.tally.silences() == 1
    assert commit(history, *answered("m4")).tally.silences() == 2


def test_active_time_leaves_out_what_was_idle() -> None:
    assert Tally(admitted_at=1_000, idle_ms=300).active_ms(2_000) == 700
    assert Tally(admitted_at=1_000).active_ms(500) == 0
