"""A history pairs every record with the tally before and after it."""

import pytest
from tests.unit.sim.histories import admitted, asked, commit

from counterfoil.core.record import events as e
from counterfoil.sim.history import History


def test_a_commit_is_counted_and_folded() -> None:
    history = commit(admitted(), asked("m1"))
    assert [record.stored.seq for record in history.records] == [1, 2, 3, 4]
    (record,) = history.fresh
    assert ("m1" in record.before.requests, "m1" in record.after.requests) == (False, True)
    assert history.known.turns[-1].request == "m1"
    assert history.states[0].turns == ()
    assert [event.request for _, event in history.of(e.ModelCallReserved)] == ["m1"]
    assert history.of(e.RunAdmitted) == []


def test_a_history_without_events_has_no_state() -> None:
    with pytest.raises(LookupError):
        _ = History().known
