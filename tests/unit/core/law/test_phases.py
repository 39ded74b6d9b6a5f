"""Phases move forward only."""

import pytest

from counterfoil.core.law.phases import MOVES, Phase


@pytest.mark.req("GOV-08")
def test_no_move_leads_out_of_settled_or_back_to_research() -> None:
    assert not [move for move in MOVES if move[0] is Phase.SETTLED or move[1] is Phase.RESEARCH]
