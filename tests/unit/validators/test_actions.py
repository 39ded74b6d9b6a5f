from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.builders import make_candidate, make_state

from counterfoil.validators.actions import Actions

STATE = make_state(passages=["“I have booked a table”, says Ann."])


@pytest.mark.req("TSK-07")
def test_a_claim_is_rejected_with_its_line() -> None:
    (finding,) = Actions().check(make_candidate("It costs $18.\n\nI have bought it."), STATE)
    assert (finding.code, finding.line, finding.warning) == ("ACTION_CLAIMED", 3, False)


def test_quoted_words_and_descriptions_pass() -> None:
    body = 'Ann says "I have booked a table" [E1].\n\n> I have booked a table. [E1]\n\nA pass can be bought at kiosks.'
    assert Actions().check(make_candidate(body), STATE) == ()


def test_wording_of_a_forbidden_action_warns_once() -> None:
    state = replace(STATE, contract=replace(STATE.contract, forbidden=("purchase",)))
    found = Actions().check(make_candidate("Purchase it. Buy now."), state)
    assert [(f.code, f.warning) for f in found] == [("FORBIDDEN_WORDING", True)]
