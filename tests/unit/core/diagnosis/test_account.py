"""What a diagnosis looks at, and when a text holds the right answer."""

from __future__ import annotations

import pytest
from tests.unit.core.diagnosis.runs import FOUND, GOOD, NORTH18, account, read

from counterfoil.core.diagnosis.account import belongs, holds
from counterfoil.core.record import events as e


@pytest.mark.parametrize(
    ("text", "value", "there"),
    [
        ("It costs $18 for three days.", "$18", True),
        ("It costs $180.", "$18", False),
        ("Sales of $1,577 million", "1.577 billion USD", True),
        ("The Upjohn business", "upjohn", True),
        ("nothing of it", "upjohn", False),
    ],
)
def test_a_text_holds_an_amount_or_words(text: str, value: str, there: bool) -> None:
    assert holds(text, value) is there


def test_events_are_found_by_what_they_say() -> None:
    run = account([FOUND, read(), NORTH18, GOOD], gold="north")
    events = dict(run.events)
    assert [type(events[seq]) for seq in run.recorded("F1")] == [e.FactRecorded]
    assert [type(events[seq]) for seq in run.registered("S1")] == [e.SourceRegistered]
    assert [type(events[seq]) for seq in run.ending()] == [e.RunSettled]
    assert run.complete() and run.unanswered() == ()
    (source,) = run.gold_sources()
    assert run.read(source) and belongs(run, source, "City North") and not belongs(run, source, "City South")
