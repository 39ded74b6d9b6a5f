from __future__ import annotations

from tests.unit.builders import make_candidate, make_state

from counterfoil.validators.polarity import Polarity

STATE = make_state("?", ["The pass is not refundable.", "The pass is refundable within 3 days."])


def test_a_denied_claim_is_a_warning_that_names_the_passage() -> None:
    (finding,) = Polarity().check(make_candidate("The pass is refundable [E1]."), STATE)
    assert finding.code == "POLARITY_DOUBTFUL" and finding.warning and "[E1]" in finding.where


def test_one_passage_that_agrees_is_enough() -> None:
    assert Polarity().check(make_candidate("The pass is refundable [E1] [E2]."), STATE) == ()
    assert Polarity().check(make_candidate("The pass is refundable."), STATE) == ()
