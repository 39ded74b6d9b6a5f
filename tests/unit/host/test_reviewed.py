"""A report says of a review what it came to and why, and nothing where there was none."""

from __future__ import annotations

import pytest
from tests.unit.core.record.folding import after
from tests.unit.core.record.reviewed_runs import accepted

from counterfoil.core.record import reviews as r
from counterfoil.host.reviewed import review_notes, review_warnings


@pytest.mark.req("QC-05", "TSK-09")
def test_what_was_not_passed_is_a_warning_with_its_reasons() -> None:
    state = accepted()
    assert (review_notes(state), list(review_warnings(state))) == (None, [])
    failed = after(state, r.ReviewSettled("P1", "failed", "pass", ("too short", "too late")))
    (warning,) = review_warnings(failed)
    assert (warning["code"], warning["excerpt"]) == ("REVIEW_FAILED", "too short; too late")
    notes = review_notes(failed)
    assert notes is not None
    assert (notes["reviewer"], notes["said"], notes["measured"]) == ("critic", "pass", [])
    assert list(review_warnings(after(state, r.ReviewSettled("P1", "passed", "pass")))) == []
