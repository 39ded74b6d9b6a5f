"""A publication check that breaks rejects: an answer that nobody could look at is not accepted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.unit.builders import make_candidate, make_state

from counterfoil.core.answer.candidate import Candidate
from counterfoil.core.answer.findings import Finding
from counterfoil.core.record.state import RunState
from counterfoil.host.judging import findings_of

FINDING = Finding("TOO_LONG", "the whole body", "at most a page")


class Check:
    name = "own@1"

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def check(self, candidate: Candidate, state: RunState) -> tuple[Finding, ...]:
        if isinstance(self._answer, Exception):
            raise self._answer
        found: tuple[Finding, ...] = self._answer
        return found


def test_findings_are_what_the_check_says() -> None:
    assert findings_of(Check((FINDING,)), make_candidate("x"), make_state()) == (FINDING,)
    assert findings_of(Check([]), make_candidate("x"), make_state()) == ()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (KeyError("E7"), "KeyError: 'E7'"),
        (None, "TypeError"),
        (("too long",), "own@1 broke"),
        ((Finding(3, "x"),), "`code`|own@1 broke"),  # type: ignore[arg-type]  # the ledger could not read it back
        ((Finding("X", "half of \ud83d"),), "surrogate|own@1 broke"),
        (ValueError("half of \ud83d"), "half of"),
    ],
)
def test_a_check_that_breaks_is_a_finding_that_rejects_and_names_it(answer: Any, told: str) -> None:
    (finding,) = findings_of(Check(answer), make_candidate("x"), make_state())
    assert finding.code == "CHECK_BROKEN"
    assert not finding.warning
    assert re.search(told, finding.where)
    finding.where.encode()
