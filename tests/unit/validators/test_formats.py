from __future__ import annotations

import pytest
from tests.unit.builders import make_candidate, make_state

from counterfoil.core.answer.candidate import Gap
from counterfoil.validators.formats import Formats


@pytest.mark.req("QC-05")
def test_a_block_that_cannot_be_read_is_rejected_with_its_line() -> None:
    (finding,) = Formats().check(make_candidate("Here:\n\n```json\n{x}\n```"), make_state())
    assert (finding.code, finding.line) == ("FORMAT_BAD", 3)


def test_a_format_asked_for_must_be_there() -> None:
    state = make_state("Give the price as JSON")
    assert [f.code for f in Formats().check(make_candidate("It costs $18"), state)] == ["FORMAT_BAD"]
    assert Formats().check(make_candidate("It costs $18", gaps=[Gap(field="json", why="prose only")]), state) == ()
    assert Formats().check(make_candidate('```json\n{"price": 18}\n```'), state) == ()
