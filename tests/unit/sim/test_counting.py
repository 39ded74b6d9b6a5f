"""The second opinion counts what happened."""

from __future__ import annotations

from tests.unit.sim.histories import commit, has_read, published

from counterfoil.core.record import events as e


def test_requests_and_calls_are_debited_where_they_are_reserved() -> None:
    tally = has_read().tally
    assert tally.purposes == {"research": 2}
    assert tally.used["run/model-requests"] == 2
    assert (tally.used["web/searches"], tally.used["reader/reads"], tally.used["run/tool-calls"]) == (1, 1, 2)
    assert tally.left("web/searches") == 11


def test_an_accepted_answer_stays_the_answer_when_a_later_one_is_rejected() -> None:
    history = published(has_read(), "It costs $18 [E1].")
    tally = commit(history, e.PublicationAccepted("P1", (), ())).tally
    assert (tally.accepted, tally.candidates["P1"].status) == ("P1", "accepted")
    assert commit(history, e.PublicationRejected("P2", (), ())).tally.accepted == "P1"
